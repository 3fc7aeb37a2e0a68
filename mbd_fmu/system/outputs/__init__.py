"""What is put out: one file for each noun, each output with its name, unit, meaning and formula."""
