"""Studies of a mechanism: many cases of it at once."""
