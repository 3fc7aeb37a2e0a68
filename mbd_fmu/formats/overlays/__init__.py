"""What a robot's file cannot say, in a file beside it."""
