"""The office that all level-4 instances share."""
