"""The NumPy twin of the C runtime: the same steps, to be read and to be compared with."""
