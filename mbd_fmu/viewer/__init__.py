"""Pictures that move: a scene and the poses of its bodies in a page of their own."""
