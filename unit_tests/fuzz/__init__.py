"""What reads a model's output or a run's files, fed with whatever can come: it answers or says no, and never hangs."""
