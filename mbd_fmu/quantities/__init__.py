"""What stands where a number is wanted: expressions of parameters, vectors of them, tables."""
