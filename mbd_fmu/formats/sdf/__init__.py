"""SDF, the format of Gazebo and Drake: models and worlds with frames by name, and closed loops."""
