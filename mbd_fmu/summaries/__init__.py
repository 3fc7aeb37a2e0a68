"""What was found, in lines for people and in facts for programs."""
