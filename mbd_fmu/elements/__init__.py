"""Joints, forces and constraints: one file per type, with all that is particular to it."""
