"""Speed, side by side with other engines on the same work; run by scripts/bench."""
