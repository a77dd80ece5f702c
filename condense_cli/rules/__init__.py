"""What can be wrong: the catalogue, the tables of contracts and provider texts, and a module per layer."""
