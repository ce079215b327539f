"""Letters by mail: handed to an SMTP server by ``channel``, read by ``inbound`` when they come back."""
