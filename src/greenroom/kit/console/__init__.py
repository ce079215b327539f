"""Pieces of pages: elements, words, drawings, and the stage on which a stream is played."""
