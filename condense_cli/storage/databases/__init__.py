"""Sessions that are rows of a client's database: each is read as the bytes of a document, or of the lines, of them."""
