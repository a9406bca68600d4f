"""The timeline of an instance: what each day holds, with the gold and the answer on top."""
