"""The machine this runs on, kept unharmed: its programs, folders, files, archives and signals."""
