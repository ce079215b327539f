"""The table by which an understudy knows what a message wants, and the labelled messages that it is learned from."""
