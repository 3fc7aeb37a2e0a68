"""Rigid-body mechanics, written once for floats and for symbols."""
