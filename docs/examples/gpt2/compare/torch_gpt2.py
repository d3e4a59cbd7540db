# SPDX-License-Identifier: 0BSD
"""The same model in PyTorch: gpt2 --save weights.npy --temperature 0, then
python3 compare/torch_gpt2.py weights.npy LAYERS HEADS CONTEXT PROMPT BYTES
prints the same text, and the speed: of a step as Python calls it and, on a GPU, as a CUDA graph,
which has no cost of calls."""
import sys
import time

import numpy
import torch
import torch.nn.functional as F

HEAD = 64


@torch.inference_mode()
def main(path, layers, heads, context, prompt, count):
    layers, heads, context, count = int(layers), int(heads), int(context), int(count)
    c, device = heads * HEAD, 'cuda' if torch.cuda.is_available() else 'cpu'
    torch.set_num_threads(1)
    block = [(c,), (c,), (3 * c, c), (3 * c,), (c, c), (c,),
             (c,), (c,), (4 * c, c), (4 * c,), (c, 4 * c), (c,)]
    shapes = [(256, c), (context, c)] + block * layers + [(c,), (c,)]
    parts = torch.from_numpy(numpy.load(path)).split([torch.Size(s).numel() for s in shapes])
    wte, wpe, *blocks, gain, bias = (p.reshape(s).to(device) for p, s in zip(parts, shapes))
    keys, values = torch.zeros(2, layers, heads, context, HEAD, device=device)
    places = torch.arange(context, device=device)

    def step(byte, position):
        """The next byte's logits. Both arguments are on the device, for the graph."""
        x = wte[byte] + wpe[position]
        seen = torch.where(places <= position, 0.0, -torch.inf)
        for layer in range(layers):
            mine = blocks[12 * layer:12 * layer + 12]
            g1, b1, qkv, qkv_b, pr, pr_b, g2, b2, wi, wi_b, na, na_b = mine
            q, k, v = F.linear(F.layer_norm(x, (c,), g1, b1), qkv, qkv_b).reshape(3, heads, 1, HEAD)
            keys[layer].index_copy_(1, position, k)
            values[layer].index_copy_(1, position, v)
            a = F.scaled_dot_product_attention(q[None], keys[None, layer], values[None, layer],
                                               seen)
            x = x + F.linear(a.reshape(1, c), pr, pr_b)
            h = F.gelu(F.linear(F.layer_norm(x, (c,), g2, b2), wi, wi_b), approximate='tanh')
            x = x + F.linear(h, na, na_b)
        return F.linear(F.layer_norm(x, (c,), gain, bias), wte)

    def generate(step):
        text = list(prompt.encode())
        last = len(text) - 1
        byte, position = torch.zeros(2, 1, dtype=torch.long, device=device)
        for now in range(last + count):
            if now == last:
                begin = time.perf_counter()
            byte.fill_(text[now])
            position.fill_(now)
            logits = step(byte, position)
            if now >= last:
                text.append(int(logits.argmax()))
        return text, count / (time.perf_counter() - begin)

    rates = {}
    generate(step)
    text, rates['calls'] = generate(step)
    if device == 'cuda':
        byte, position = torch.zeros(2, 1, dtype=torch.long, device=device)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            logits = step(byte, position)

        def replay(next_byte, next_position):
            byte.copy_(next_byte)
            position.copy_(next_position)
            graph.replay()
            return logits

        same, rates['graph'] = generate(replay)
        assert same == text
    for name, rate in rates.items():
        print(f'PyTorch, {device}, {name}: {rate:.1f} bytes a second', file=sys.stderr)
    print(''.join(chr(b) if 32 <= b < 127 and b != 92 else f'\\{b:03o}' for b in text))


main(*sys.argv[1:])
