"""Meshes: files of several formats become triangles in metres, with a colour for each part."""
