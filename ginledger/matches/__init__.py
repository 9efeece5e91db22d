"""Matches: rows in ink, the book read from them, and the services that write it."""
