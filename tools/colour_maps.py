#!/usr/bin/env python3
"""Writes ui/image/colour_tables.cpp: the published tables of colour maps, as matplotlib has them.

    python3 tools/colour_maps.py > ui/image/colour_tables.cpp

It needs python3-matplotlib; only its file of tables is read.
"""

import importlib.util
import pathlib
import sys

maps = {
    "viridis": "S. van der Walt, N. Smith and E. Firing (2015), CC0",
    "inferno": "S. van der Walt, N. Smith and E. Firing (2015), CC0",
    "cividis": "J. R. Nunez, C. R. Anderton and R. S. Renslow (2018)",
    "twilight": "B. Bechtold (2017); every second of 510 entries from the first on, and the first again at the end",
}
size = 256
columns = 10


def tables():
    package = importlib.util.find_spec("matplotlib")
    if package is None:
        sys.exit("colour_maps.py: install python3-matplotlib")
    sys.path.insert(0, str(pathlib.Path(package.origin).parent))
    from matplotlib import _cm_listed

    return _cm_listed.cmaps


def entries(colours):
    if len(colours) != size:
        colours = (colours[::2] + colours[:1])[:size]
    return ["0x" + "".join(f"{round(255 * part):02x}" for part in colour) for colour in colours]


def main():
    all_maps = tables()
    print("// Made by tools/colour_maps.py from matplotlib's tables.")
    print('#include "ui/image/colour_tables.h"\n')
    print("namespace ks::ui::colour_tables {\n")
    print("// clang-format off")
    for name, source in maps.items():
        values = entries(list(all_maps[name].colors))
        assert len(values) == size, name
        print(f"\n// {source}.")
        print(f"const std::array<QRgb, {size}> {name}{{")
        for at in range(0, size, columns):
            print("    " + ", ".join(values[at:at + columns]) + ("," if at + columns < size else "};"))
    print("\n}  // namespace ks::ui::colour_tables")


main()
