"""From equations to an FMU: variables, symbols, C, description, archive."""
