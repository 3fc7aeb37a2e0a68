"""Proof: FMUs run by fmpy, compared with independent answers."""
