"""The house schema through time: forward only, never edited once released. What all make is in tools/schema.py."""

#: The newest revision; a test proves that it is the head of this folder.
HEAD = "0008"
