"""Second roads that share no dynamics with the one that ships: absolute coordinates, Lagrange."""
