"""Writers: they turn values into text. None of them decides anything."""
