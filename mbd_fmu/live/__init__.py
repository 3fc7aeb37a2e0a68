"""A mechanism alive in a page: the code of the FMU, driven by hand."""
