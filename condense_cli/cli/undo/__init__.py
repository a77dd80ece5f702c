"""condense undo: put the bytes of an in-place repair back, or list what could be put back."""
