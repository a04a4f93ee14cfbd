#!/usr/bin/env bash
# The families of correlators of xpcs over frames, pixels and the share of counts other than 0; each problem is timed
# in one run with its variants in turn:
# bench/correlators.sh [CLI [FOLDER [DEVICE [THREADS]]]]
# FOLDER (out/correlators) gets the samples; a table of medians is printed, with ratios to gram.tiled of the same run.
# Problems are square frames of u8 speckle in about 15 rings; host.sparse is left out where most counts are not 0.
# SIDES, FRAMES, MEANS (mean counts per pixel) and REPEAT replace the values below.
set -euo pipefail
cli=${1:-build/release/kernelscope-cli}
out=${2:-out/correlators}
device=${3:-0}
threads=${4:-$(nproc)}
mkdir -p "$out"
for side in ${SIDES:-100 220}; do
  for frames in ${FRAMES:-250 1000 4000}; do
    for mean in ${MEANS:-10 0.3 0.1 0.03 0.01 0.001}; do
      variants=gram.tiled,host.fft,host.multitau,host.sparse
      [ "$mean" = 10 ] && variants=gram.tiled,host.fft,host.multitau
      "$cli" bench xpcs --device "$device" --threads "$threads" --kind speckle --mean "$mean" --frames "$frames" \
        --height "$side" --width "$side" --ring-width $((side / 22)) --variants "$variants" \
        --repeat "${REPEAT:-5}" --check none --json "$out/correlators_${side}_${frames}_$mean.json" --overwrite \
        > /dev/null
    done
  done
done
python3 - "$out" <<'P'
import json, pathlib, statistics, sys
ids = "gram.tiled", "host.fft", "host.multitau", "host.sparse"
print("| pixels | frames | mean counts | " + " | ".join(ids) + " |\n|---:|---:|---:|---:|---:|---:|---:|")
files = pathlib.Path(sys.argv[1]).glob("correlators_*.json")
for file in sorted(files, key=lambda f: [float(n) for n in f.stem.split("_")[1:]]):
    bench = json.loads(file.read_text())
    of = {v["id"]: statistics.median(s["total_ns"] for s in v["samples"]) / 1e6 for v in bench["variants"]}
    base = of["gram.tiled"]
    cells = [f"{of[v]:.3g} ms" + (f" ({base / of[v]:.2g} x)" if v != "gram.tiled" else "") if v in of else "" for v in ids]
    sizes = bench["sizes"]
    size = f"| {sizes['height'] * sizes['width']} | {sizes['frames']} | {sizes['mean']:g} | "
    print(size + " | ".join(cells) + " |")
P
