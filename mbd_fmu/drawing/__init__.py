"""Pictures of a mechanism: the scene a viewer fills, line drawings, the graph."""
