"""XML as robots are written in it: read with lines, checked against a grammar."""
