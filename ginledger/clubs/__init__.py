"""Clubs: who may see and write a book of matches, and the players in it."""
