# SPDX-License-Identifier: BSD-3-Clause
"""The same model in PyTorch, without a compiler: after gpt2 --save weights.npy --temperature 0,
python3 compare/torch_gpt2.py cpu|cuda weights.npy LAYERS HEADS CONTEXT PROMPT BYTES
prints the same text, and the speed."""
import sys
import time

import numpy
import torch
from torch.nn import functional

HEAD = 64


@torch.inference_mode()
def main(device, path, layers, heads, context, prompt, count):
    layers, heads, context, count = int(layers), int(heads), int(context), int(count)
    c = heads * HEAD
    sizes = ([256 * c, context * c] + [c, c, 3 * c * c, 3 * c, c * c, c, c, c, 4 * c * c, 4 * c,
                                       4 * c * c, c] * layers + [c, c])
    weights = iter(torch.from_numpy(numpy.load(path)).to(device).split(sizes))
    wte, wpe = (next(weights).view(-1, c) for _ in range(2))
    blocks = [[next(weights) for _ in range(12)] for _ in range(layers)]
    for b in blocks:
        b[2], b[4], b[8] = (b[k].view(-1, c) for k in (2, 4, 8))
        b[10] = b[10].view(c, -1)
    gain, bias = weights
    cache = torch.zeros(layers, 2, heads, context, HEAD, device=device)
    text = list(prompt.encode())

    def step(position):
        x = wte[text[position]] + wpe[position]
        for (g1, b1, qkv, qkv_b, pr, pr_b, g2, b2, wi, wi_b, na, na_b), kv in zip(blocks, cache):
            q, k, v = functional.linear(functional.layer_norm(x, (c,), g1, b1), qkv,
                                        qkv_b).view(3, heads, HEAD)
            kv[0, :, position], kv[1, :, position] = k, v
            y = functional.scaled_dot_product_attention(
                q[None, :, None], kv[None, 0, :, :position + 1], kv[None, 1, :, :position + 1])
            x = x + functional.linear(y.reshape(c), pr, pr_b)
            h = functional.linear(functional.layer_norm(x, (c,), g2, b2), wi, wi_b)
            x = x + functional.linear(functional.gelu(h, approximate='tanh'), na, na_b)
        return functional.linear(functional.layer_norm(x, (c,), gain, bias), wte)

    for position in range(len(text) - 1):
        step(position)
    begin = time.perf_counter()
    for position in range(len(text) - 1, len(text) + count - 1):
        text.append(int(step(position).argmax()))
    print(f'torch, {device}: {count / (time.perf_counter() - begin):.1f} bytes a second',
          file=sys.stderr)
    print(''.join(chr(b) if 32 <= b < 127 and b != 92 else f'\\{b:03o}' for b in text))


main(*sys.argv[1:])
