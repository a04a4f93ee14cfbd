"""Prints the default plot of a file as NXdata defines it: one line per curve, "x y error" per point.

Usage: nxdata_curves.py silx|h5py FILE. Exits with 77 if this Python lacks what it needs.
"""
import sys

library, name = sys.argv[1:]
try:
    import h5py

    if library == "silx":
        import silx.io
        from silx.io import nxdata
except ImportError:
    sys.exit(77)


def text(value):
    return value.decode() if isinstance(value, bytes) else value


if library == "silx":
    with silx.io.open(name) as file:
        plot = nxdata.get_default(file, validate=True)
        assert plot is not None and plot.is_valid, "no valid NXdata"
        assert plot.interpretation == "spectrum", plot.interpretation
        signal, errors, x = plot.signal[()], plot.errors[()], plot.axes[-1][()]
else:
    with h5py.File(name, "r") as file:
        entry = file[text(file.attrs["default"])]
        group = entry[text(entry.attrs["default"])]
        assert text(group.attrs["NX_class"]) == "NXdata"
        main = text(group.attrs["signal"])
        signal, errors = group[main][()], group[main + "_errors"][()]
        x = group[text(group.attrs["axes"][-1])][()]

assert signal.shape == errors.shape and signal.shape[-1] == len(x)
for curve, deviations in zip(signal, errors):
    print(" ".join(f"{a!r} {b!r} {c!r}" for a, b, c in zip(x.tolist(), curve.tolist(), deviations.tolist())))
