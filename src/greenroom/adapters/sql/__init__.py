"""What the SQL back-ends share: table definitions, migrations, rows to records."""
