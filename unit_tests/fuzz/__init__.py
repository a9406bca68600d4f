"""Fuzzes the readers of model output and run files: they succeed or raise their own error, and never hang."""
