# SPDX-License-Identifier: 0BSD
"""The same model in NumPy: gpt2 --save weights.npy --temperature 0, then
python3 compare/numpy_gpt2.py weights.npy LAYERS HEADS CONTEXT PROMPT BYTES
prints the same text, and the speed."""
import sys
import time

import numpy

HEAD = 64


def normed(x, gain, bias):
    return (x - x.mean()) / numpy.sqrt(x.var() + 1e-5) * gain + bias


def main(path, layers, heads, context, prompt, count):
    layers, heads, context, count = int(layers), int(heads), int(context), int(count)
    c = heads * HEAD
    weights = iter(numpy.split(w := numpy.load(path), numpy.cumsum(
        [256 * c, context * c] + [c, c, 3 * c * c, 3 * c, c * c, c, c, c, 4 * c * c, 4 * c,
                                  4 * c * c, c] * layers + [c, c])[:-1]))
    del w
    wte, wpe = (next(weights).reshape(-1, c) for _ in range(2))
    blocks = [[next(weights) for _ in range(12)] for _ in range(layers)]
    for b in blocks:
        b[2], b[4], b[8] = (b[k].reshape(-1, c) for k in (2, 4, 8))
        b[10] = b[10].reshape(c, -1)
    gain, bias = weights
    cache = numpy.zeros((layers, 2, heads, context, HEAD), numpy.float32)
    text = list(prompt.encode())
    position = 0

    def step(position):
        x = wte[text[position]] + wpe[position]
        for (g1, b1, qkv, qkv_b, pr, pr_b, g2, b2, wi, wi_b, na, na_b), kv in zip(blocks, cache):
            q, k, v = (qkv @ normed(x, g1, b1) + qkv_b).reshape(3, heads, HEAD)
            kv[0, :, position], kv[1, :, position] = k, v
            score = numpy.einsum('hd,hpd->hp', q, kv[0, :, :position + 1]) / numpy.float32(8)
            share = numpy.exp(score - score.max(1, keepdims=True))
            share /= share.sum(1, keepdims=True)
            x = x + pr @ numpy.einsum('hp,hpd->hd', share, kv[1, :, :position + 1]).ravel() + pr_b
            h = wi @ normed(x, g2, b2) + wi_b
            h = h * (1 + numpy.tanh(numpy.float32(0.7978845608) * (h + numpy.float32(0.044715) * h**3))) / 2
            x = x + na @ h + na_b
        return wte @ normed(x, gain, bias)

    for position in range(len(text) - 1):
        step(position)
    begin = time.perf_counter()
    for position in range(len(text) - 1, len(text) + count - 1):
        text.append(int(step(position).argmax()))
    print(f'numpy: {count / (time.perf_counter() - begin):.1f} bytes a second', file=sys.stderr)
    print(''.join(chr(b) if 32 <= b < 127 and b != 92 else f'\\{b:03o}' for b in text))


main(*sys.argv[1:])
