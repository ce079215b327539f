"""Ways in: command line, worker."""
