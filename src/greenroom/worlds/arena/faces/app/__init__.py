"""What can be done with runs, whoever asks for it."""
