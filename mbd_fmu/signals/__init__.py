"""Values over time: tables, their files, and the points of a run."""
