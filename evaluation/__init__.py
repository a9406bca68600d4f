"""What happened in an episode and what it is worth: answers, scores, violated constraints, summaries."""
