"""Trains the `flipbook` denoiser on layouts that were written by rule.

    python train.py LAYOUTS.safetensors OUT.safetensors --minutes 20

LAYOUTS holds `rows` [N, 7, 12] in the units of a scene, `codes` [N, 7, 5], `numbers` [N, 7, 6] and `tokens` [N], what is used
of the seven; `cargo xtask train flipbook` writes it, then runs this. One thread: two that wait for each other are slower.
Half of all layouts are mirrored. Rectified flow with times drawn from a logistic normal, one tenth without a brief, and the
mean of the weights over the last thousand steps is what is kept.
"""
import argparse
import copy
import math
import random
import time

import torch
from safetensors.torch import load_file, save_file

from reference import TOKENS, WIDTH, Denoiser

BATCH, PEAK, WARM_UP = 256, 1.5e-3, 200
# What turns around in a mirror: the frame's sun_x, pan and wind; an object's x, tilt, dir and dx.
FRAME_FLIPPED, FRAME_NEGATED, OBJECT_FLIPPED, OBJECT_NEGATED = [1], [6, 9], [0], [3, 5, 6]


def mirrored(rows):
    """rows [N, T, 12]"""
    rows = rows.clone()
    rows[:, 0, FRAME_FLIPPED] = 1 - rows[:, 0, FRAME_FLIPPED]
    rows[:, 0, FRAME_NEGATED] *= -1
    rows[:, 1:, OBJECT_FLIPPED] = 1 - rows[:, 1:, OBJECT_FLIPPED]
    rows[:, 1:, OBJECT_NEGATED] *= -1
    return rows


def initialise(denoiser):
    """Small embeddings; residuals and the answer begin at nothing."""
    for module in denoiser.modules():
        if isinstance(module, torch.nn.Embedding):
            torch.nn.init.normal_(module.weight, std=0.3)
    torch.nn.init.normal_(denoiser.null, std=0.3)
    for layer in [block.ada for block in denoiser.blocks] + [denoiser.rows_out]:
        torch.nn.init.zeros_(layer.weight)
        torch.nn.init.zeros_(layer.bias)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("layouts")
    parser.add_argument("out")
    parser.add_argument("--minutes", type=float, default=20)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    data = load_file(options.layouts)
    rows, codes, numbers, tokens = data["rows"], data["codes"].long(), data["numbers"], data["tokens"].long()
    net = Denoiser()
    initialise(net)
    both = torch.cat([rows, mirrored(rows)])
    used = torch.arange(TOKENS)[None] < torch.cat([tokens, tokens])[:, None]
    for place, part in ((0, both[:, 0]), (1, both[:, 1:][used[:, 1:]])):
        net.mean[place], net.std[place] = part.mean(0), part.std(0).clamp_min(0.02)
    kept = copy.deepcopy(net)
    by_tokens = {count: torch.nonzero(tokens == count)[:, 0] for count in range(2, TOKENS + 1)}  # nothing is padded
    shares = [len(those) for those in by_tokens.values()]
    optimiser = torch.optim.AdamW(net.parameters(), lr=PEAK, weight_decay=0.01, betas=(0.9, 0.98))
    begun, step, average = time.time(), 0, 0.0
    while (done := (time.time() - begun) / 60 / options.minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = PEAK * min(1, (step + 1) / WARM_UP) * (0.5 + 0.5 * math.cos(math.pi * done))
        count = random.choices(list(by_tokens), shares)[0]
        chosen = by_tokens[count][torch.randint(len(by_tokens[count]), (BATCH,))]
        x = rows[chosen, :count]
        x = torch.where((torch.rand(BATCH) < 0.5)[:, None, None], mirrored(x), x)
        place = [0] + [1] * (count - 1)
        x = (x - net.mean[place]) / net.std[place]
        t, noise = torch.sigmoid(torch.randn(BATCH) * 1.1 + 0.2), torch.randn(BATCH, count, WIDTH)
        noisy = (1 - t)[:, None, None] * x + t[:, None, None] * noise
        answer = net(noisy, t, codes[chosen, :count], numbers[chosen, :count], torch.rand(BATCH) > 0.1)
        loss = ((answer - (noise - x)) ** 2).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        step += 1
        with torch.no_grad():
            for mean, value in zip(kept.parameters(), net.parameters()):
                mean.lerp_(value, 1 - min(0.999, step / (step + 100)))
        average = loss.item() if step == 1 else 0.99 * average + 0.01 * loss.item()
        if step % 200 == 0:
            print(f"step {step}, loss {average:.4f}, {time.time() - begun:.0f} s", flush=True)
    save_file({name: tensor.half().contiguous() for name, tensor in kept.state_dict().items()}, options.out)
    print(f"{step} steps of {BATCH} layouts, loss {average:.4f}")


if __name__ == "__main__":
    main()
