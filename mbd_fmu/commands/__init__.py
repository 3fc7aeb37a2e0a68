"""What each command of ``mbd-fmu`` does; every one returns its exit code."""
