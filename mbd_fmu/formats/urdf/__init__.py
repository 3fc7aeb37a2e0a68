"""URDF, the Unified Robot Description Format of ROS."""
