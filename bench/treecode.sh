#!/usr/bin/env bash
# The treecode against the best direct variant of a device, and tuning of its definitions:
# bench/treecode.sh DEVICE [CLI [FOLDER]]
# FOLDER (out/treecode) gets the samples and their tables. Laplace in f32 with weights of both signs, to 1e-4.
set -euo pipefail
device=${1:?a device: its number or a part of its name}
cli=${2:-build/release/kernelscope-cli}
out=${3:-out/treecode}
mkdir -p "$out"
direct=target.registers
[[ "$device" == pocl* || "$device" == cpu* ]] && direct=vector.cpu
common=(--device "$device" --kernel laplace --weights signed --tolerance 1e-4)

for n in 100000 1000000; do
  "$cli" bench particles --points $n --targets $n "${common[@]}" --variants "treecode,$direct" --repeat 5 --check sample \
    --json "$out/bench_treecode_$n.json" --overwrite
done
"$cli" bench particles --points 10000000 --targets 10000000 "${common[@]}" --variants treecode --repeat 3 --check none \
  --json "$out/bench_treecode_10000000.json" --overwrite
# Leaves, groups and targets per work-item: these do not change the accuracy.
"$cli" tune particles --variant treecode --points 1000000 --targets 1000000 "${common[@]}" \
  --space LEAF=64,96,128,192,256,384 --space WG=32,64,128 --space ITEMS=2,4 --space TILE=128 --space EXPLICIT=0 \
  --repeat 9 --json "$out/tune_treecode.json"
"$(dirname "$0")/condense" "$out"/*treecode*.json
