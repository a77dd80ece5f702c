"""A property that is worked out once."""

from condense_cli.model.once import CachedProperty


def test_a_value_is_made_when_it_is_asked_for_and_kept():
    """One for each owner."""
    made = []

    class Owner:
        @CachedProperty
        def value(self):
            """Say what it is."""
            made.append(self)
            return len(made)

    first, second = Owner(), Owner()
    assert made == []
    assert (first.value, second.value, first.value) == (1, 2, 1)
    assert made == [first, second]
