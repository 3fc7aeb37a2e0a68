"""The machine this runs on: its programs, folders, files and signals."""
