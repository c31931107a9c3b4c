"""What samples sound like."""

import array


def heard(samples):
    """How loud the left of 16-bit pairs is, and how often it rises from clearly below its mean."""
    left = array.array("h", samples)[::2]
    mean = sum(left) / len(left)
    loudness = (sum((sample - mean) ** 2 for sample in left) / len(left)) ** 0.5
    clear = [sample > mean for sample in left if abs(sample - mean) > loudness / 4]
    return loudness, sum(after and not before for before, after in zip(clear, clear[1:]))
