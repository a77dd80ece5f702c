"""What a plan changes, for people and programs: record by record, what was and what will be."""
