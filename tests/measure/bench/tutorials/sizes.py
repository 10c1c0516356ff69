"""Numbers of parameters, from the sizes that a text names."""


def linear(inputs, outputs):
    return inputs * outputs + outputs


def layers(width, inner, depth, norm):
    """Encoder and decoder with biases everywhere; `norm` is the number of parameters of one norm."""
    attention = 4 * linear(width, width)
    network = linear(width, inner) + linear(inner, width)
    return depth * (attention + network + 2 * norm) + depth * (2 * attention + network + 3 * norm)
