"""What people and programs can do with Secret AGI: its use cases, beside any face."""
