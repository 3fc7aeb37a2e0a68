"""What the user says: the specification of a mechanism, from a file or from Python."""
