"""Measures how often the diagnosis is right, by running agents with known defects on the committed data."""
