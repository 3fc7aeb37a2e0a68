"""From a robot to the table that a model file of ours is."""
