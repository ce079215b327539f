"""Greenroom among other software. Each needs an extra of its own; nothing in Greenroom imports them."""
