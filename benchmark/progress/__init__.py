"""How far a run is, while it runs: read from its folder, and shown in a terminal or a log."""
