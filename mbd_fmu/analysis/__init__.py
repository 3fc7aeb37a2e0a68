"""Answers about a mechanism: what holds it, what moves it, what is said of it."""
