"""JSON as bytes: read leniently, edit in place by span, and write as JavaScript would."""
