"""What can be wrong: a folder per layer with a module per rule, the tables of contracts and limits, and provider texts."""
