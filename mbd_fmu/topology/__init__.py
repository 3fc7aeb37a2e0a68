"""Who is connected to whom: structure, and nothing but structure."""
