"""Use cases: asynchronous, made of the kernel and its ports, naming no technology."""
