"""The page of one episode."""
