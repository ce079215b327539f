"""What people and programs can do with Phantom Protocol: its use cases, beside any face."""
