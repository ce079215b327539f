"""The table by which players of Secret AGI know what is said to them, and the messages that it is learned from."""
