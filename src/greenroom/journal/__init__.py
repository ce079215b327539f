"""What a stream is: its records, the transitions of its row, its lineage and its sums. Pure, like the kernel."""
