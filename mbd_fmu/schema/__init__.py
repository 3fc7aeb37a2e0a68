"""The keys of a model file described: for the reference page, and for editors."""
