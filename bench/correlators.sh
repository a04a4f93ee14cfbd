#!/usr/bin/env bash
# The families of correlators of xpcs over frames and pixels, each problem in one run with its variants in turn:
# bench/correlators.sh [CLI [FOLDER [DEVICE [THREADS]]]]
# FOLDER (out/correlators) gets the samples and a table of medians. Problems are square frames of u8 with 15 rings.
set -euo pipefail
cli=${1:-build/release/kernelscope-cli}
out=${2:-out/correlators}
device=${3:-0}
threads=${4:-$(nproc)}
mkdir -p "$out"
for side in 100 220 440; do
  for frames in 125 250 500 1000 2000 4000; do
    # 4000 frames of 440 x 440 are not worth the wait where all pairs are multiplied
    [ $((side * side * frames)) -gt 400000000 ] && continue
    "$cli" bench xpcs --device "$device" --threads "$threads" --frames $frames --height $side --width $side \
      --ring-width $((side / 22)) --variants gram.tiled,host.fft,host.multitau --repeat 7 --check none \
      --json "$out/correlators_${side}_$frames.json" --overwrite > /dev/null
  done
done
python3 - "$out" <<'P'
import json, pathlib, statistics, sys
print("| pixels | frames | gram.tiled | host.fft | host.multitau |\n|---:|---:|---:|---:|---:|")
files = pathlib.Path(sys.argv[1]).glob("correlators_*.json")
for file in sorted(files, key=lambda f: [int(n) for n in f.stem.split("_")[1:]]):
    bench = json.loads(file.read_text())
    of = {v["id"]: statistics.median(s["total_ns"] for s in v["samples"]) / 1e6 for v in bench["variants"]}
    sizes = bench["sizes"]
    row = "".join(f" {of[v]:.3g} ms |" for v in ("gram.tiled", "host.fft", "host.multitau"))
    print(f"| {sizes['height'] * sizes['width']} | {sizes['frames']} |{row}")
P
