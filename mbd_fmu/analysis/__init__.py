"""Answers about a mechanism: what holds it and what moves it."""
