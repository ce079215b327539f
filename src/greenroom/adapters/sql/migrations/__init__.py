"""The house schema through time. Generated from ``adapters.sql.schema``, forward only, never edited once released."""

#: The newest revision; a test proves that it is the head of this folder.
HEAD = "0008"
