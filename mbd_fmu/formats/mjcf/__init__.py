"""MJCF, the XML of MuJoCo."""
