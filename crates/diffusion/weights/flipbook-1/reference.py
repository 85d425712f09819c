"""Reference implementation of the `flipbook` denoiser in plain PyTorch: exactly what the shipped weights compute.

    python reference.py --check                # against flipbook.json and flipbook.safetensors beside this file
    python reference.py --golden FOLDER        # makes those two files anew
    python reference.py --pace 2               # milliseconds of a step on so many threads, by tokens

A shot is 1 + n tokens of 12 numbers, the frame's first, in units of the data's mean and deviation. What it is told of the
shot are codes `[1 + n, 5]` and numbers `[1 + n, 6]`; `crates/flipbook/src/layout/conditions.rs` says what they mean.
Shapes: B branches (with the brief, and without it), T tokens, D width, H heads.
"""
import argparse
import json
import math
import statistics
from pathlib import Path
from time import perf_counter

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

HERE = Path(__file__).resolve().parent
DIM, DEPTH, HEADS, WIDTH, TOKENS = 128, 5, 4, 12, 7
KINDS, MOTIONS, RELATIONS, BACKDROPS, WEATHERS, HOURS = 12, 26, 13, 27, 13, 5
PARENT = 3  # which of an object's codes is its parent: 0 none, else the parent's token


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, DIM)
        self.up, self.down = nn.Linear(DIM, 4 * DIM), nn.Linear(4 * DIM, DIM)
        self.ada = nn.Linear(DIM, 6 * DIM)

    def forward(self, x, condition, bias):
        """x [B, T, D], condition [B, 1, D], bias [B, H, T, T]"""
        shift1, scale1, gate1, shift2, scale2, gate2 = self.ada(condition).chunk(6, -1)
        y = F.layer_norm(x, (DIM,)) * (1 + scale1) + shift1
        q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in self.qkv(y).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=bias).transpose(1, 2).flatten(2)
        x = x + gate1 * self.out(y)
        y = F.layer_norm(x, (DIM,)) * (1 + scale2) + shift2
        return x + gate2 * self.down(F.gelu(self.up(y), approximate="tanh"))


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        table = lambda rows: nn.Embedding(rows, DIM)
        self.backdrop, self.weather, self.time_of_day, self.count = table(BACKDROPS), table(WEATHERS), table(HOURS), table(8)
        self.kind, self.motion, self.relation = table(KINDS), table(MOTIONS), table(RELATIONS)
        self.parent, self.size, self.slot = table(8), table(5), table(TOKENS)
        self.null = nn.Parameter(torch.zeros(2, DIM))
        self.numbers, self.rows_in, self.rows_out = nn.Linear(6, DIM), nn.Linear(WIDTH, DIM), nn.Linear(DIM, WIDTH)
        self.time = nn.Sequential(nn.Linear(64, DIM), nn.SiLU(), nn.Linear(DIM, DIM))
        self.mix = nn.Sequential(nn.Linear(DIM, DIM), nn.SiLU(), nn.Linear(DIM, DIM))
        self.blocks = nn.ModuleList(Block() for _ in range(DEPTH))
        self.final = nn.Linear(DIM, 2 * DIM)
        self.heads = nn.Parameter(torch.zeros(3, HEADS))  # attention to the parent, to the child, to the frame
        self.register_buffer("mean", torch.zeros(2, WIDTH))
        self.register_buffer("std", torch.ones(2, WIDTH))

    def describe(self, codes, numbers, keep):
        """codes [B, T, 5], numbers [B, T, 6], keep [B]: without its brief a shot is only counted -> [B, T, D]"""
        frame, objects = codes[:, 0], codes[:, 1:]
        said = self.backdrop(frame[:, 0]) + self.weather(frame[:, 1]) + self.time_of_day(frame[:, 2]) + self.count(frame[:, 3])
        tables = (self.kind, self.motion, self.relation, self.parent, self.size)
        things = sum(table(objects[..., i]) for i, table in enumerate(tables)) + 0.5 * said[:, None]
        said = torch.cat([said[:, None], things], 1) + self.numbers(numbers)
        unsaid = self.null[[0] + [1] * objects.shape[1]]
        placed = torch.where(keep[:, None, None], said, unsaid) + self.slot.weight[: codes.shape[1]]
        return placed + self.mix(F.silu(placed))

    def links(self, codes, keep):
        """[B, H, T, T]: what the attention gains where tokens belong together."""
        parents = F.one_hot(codes[:, 1:, PARENT] * keep[:, None], codes.shape[1])[..., 1:].float()  # [B, T - 1, T - 1]
        links = torch.zeros(codes.shape[0], 3, codes.shape[1], codes.shape[1])
        links[:, 0, 1:, 1:], links[:, 1, 1:, 1:], links[:, 2, 1:, 0] = parents, parents.transpose(1, 2), 1
        return torch.einsum("lh,blij->bhij", self.heads, links)

    def forward(self, tokens, time, codes, numbers, keep):
        """Velocity (noise - data) [B, T, 12] of tokens at their times [B], 1 is pure noise."""
        return self.velocity(tokens, time, self.describe(codes, numbers, keep), self.links(codes, keep))

    def velocity(self, tokens, time, described, bias):
        """The same of what `describe` and `links` gave, which no step changes."""
        angles = time[:, None] * 1000 * torch.exp(-math.log(1e4) * torch.arange(32) / 32)
        condition = F.silu(described[:, :1] + self.time(torch.cat([angles.cos(), angles.sin()], -1))[:, None])
        x = self.rows_in(tokens) + described
        for block in self.blocks:
            x = block(x, condition, bias)
        shift, scale = self.final(condition).chunk(2, -1)
        return self.rows_out(F.layer_norm(x, (DIM,)) * (1 + scale) + shift)


def guided(denoiser, tokens, time, codes, numbers, guidance):
    """As two branches; tokens [1, T, 12]."""
    both = lambda x: torch.cat([x, x])
    yes, no = denoiser(both(tokens), torch.full((2,), time), both(codes), both(numbers), torch.tensor([True, False])).chunk(2)
    return no + guidance * (yes - no)


def sample(denoiser, noise, codes, numbers, steps, guidance):
    """Rectified flow by Euler steps on an even grid -> [1, T, 12]"""
    times, tokens = torch.linspace(1, 0, steps + 1), noise
    for start, end in zip(times[:-1].tolist(), times[1:].tolist()):
        tokens = tokens + (end - start) * guided(denoiser, tokens, start, codes, numbers, guidance)
    return tokens


def load():
    denoiser = Denoiser()
    weights = load_file(HERE / "transformer" / "diffusion_pytorch_model.safetensors")
    denoiser.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
    return denoiser.eval()


def answers(denoiser, shots, noise, steps, guidance):
    """name -> tensor, for shots of codes and numbers with noise [1, T, 12] each."""
    made = {}
    for i, shot in enumerate(shots):
        codes, numbers = torch.tensor([shot["codes"]]), torch.tensor([shot["numbers"]], dtype=torch.float32)
        made[f"velocity.{i}"] = guided(denoiser, noise[i], shot["time"], codes, numbers, guidance)
        made[f"tokens.{i}"] = sample(denoiser, noise[i], codes, numbers, steps, guidance)
    return made


def pace(denoiser, threads, steps=16, rounds=20):
    """tokens -> median milliseconds of a step with guidance, one shot at a time; what is said of the shot is read once."""
    torch.set_num_threads(threads)
    paces = {}
    for tokens in (2, 3, 5, 7):
        codes, numbers = torch.zeros(2, tokens, 5, dtype=torch.long), torch.zeros(2, tokens, 6)
        keep = torch.tensor([True, False])
        described, links, times = denoiser.describe(codes, numbers, keep), denoiser.links(codes, keep), []
        for _ in range(1 + rounds):
            x = torch.randn(1, tokens, WIDTH)
            for step in range(steps):
                begun = perf_counter()
                yes, no = denoiser.velocity(torch.cat([x, x]), torch.full((2,), 1 - step / steps), described, links).chunk(2)
                x = x - (no + 1.5 * (yes - no)) / steps
                times.append(1000 * (perf_counter() - begun))
        paces[tokens] = statistics.median(times[steps:])  # the first round warms up
    return paces


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--golden", type=Path)
    parser.add_argument("--pace", type=int, metavar="THREADS")
    options = parser.parse_args()
    folder, denoiser = options.golden or HERE, load()
    if options.pace:
        print(json.dumps(pace(denoiser, options.pace)))
        return
    asked = json.loads((folder / "flipbook.json").read_text())
    shots, rest = asked["shots"], (asked["steps"], asked["guidance"])
    if options.golden:
        torch.manual_seed(1)
        noise = [torch.randn(1, len(shot["codes"]), WIDTH) for shot in shots]
        made = answers(denoiser, shots, noise, *rest)
        save_file({**{f"noise.{i}": tensor for i, tensor in enumerate(noise)}, **made}, folder / "flipbook.safetensors")
    if options.check:
        golden = load_file(folder / "flipbook.safetensors")
        for name, tensor in answers(denoiser, shots, [golden[f"noise.{i}"] for i in range(len(shots))], *rest).items():
            print(f"{name:11} {list(tensor.shape)} max |difference| {(tensor - golden[name]).abs().max().item():.2e}")


if __name__ == "__main__":
    main()
