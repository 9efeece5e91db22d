"""What apps above may want to hear; receivers run in the transaction of the write."""

from django.dispatch import Signal

# Two players became one, or two again: sent with ``kept`` and ``gone`` (players), after their
# matches were posted, so that figures kept by player can be worked out again.
players_merged = Signal()

# A club is about to be settled anew: sent with ``club`` (as it was) and its ``terms`` to be. A
# receiver refuses by raising a GinError of the field.
club_changing = Signal()
