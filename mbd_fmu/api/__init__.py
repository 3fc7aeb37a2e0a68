"""What Python users hold in their hands: a model, its states, its results, and how they look."""
