"""A season of matches: for now the demo that shows what one looks like."""
