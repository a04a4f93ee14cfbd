"""Writes CBF and EDF files with fabio into a folder, and next to each what fabio reads of it: the pixels as
float64 [frame][y][x] in FILE.raw. Prints one line per file: "FILE frames height width key=value ...", with the numbers
that fabio has of its header.

Usage: fabio_frames.py FOLDER. Exits with 77 if this Python lacks fabio.
"""
import bz2
import gzip
import logging
import os
import sys

try:
    import numpy
    import fabio
    from fabio.cbfimage import CbfImage
    from fabio.edfimage import DATA_TYPES, EdfImage
except ImportError:
    sys.exit(77)

logging.disable(logging.CRITICAL)
os.chdir(sys.argv[1])
random = numpy.random.default_rng(39)
# What frames hold: 64-bit types only values of 32 bits.
LIMITS = {"int64": (-(2**31), 2**31 - 1), "uint64": (0, 2**32 - 1)}


def pixels(kind, shape):
    """Values of the whole range of the type, runs of small steps, and its ends."""
    kind = numpy.dtype(kind)
    if kind.kind == "f":
        values = random.normal(0, 1e6, shape).astype(kind)
        values.flat[:4] = [0, -1.5, 1e30, -1e-30]
        return values.astype("float32").astype(kind)
    info = numpy.iinfo(kind)
    low, high = LIMITS.get(kind.name, (info.min, info.max))
    values = random.integers(low, high, shape, dtype="int64", endpoint=True)
    small = random.random(shape) < 0.7
    values[small] = random.integers(max(low, -3), 120, shape)[small]
    values.flat[:6] = [low, high, low, high, 0, high]
    return values.astype(kind)


def say(name, numbers=()):
    with fabio.open(name) as image:
        frames = [image.get_frame(i).data for i in range(image.nframes)]
        stack = numpy.array([frame.astype("float64") for frame in frames])
        words = [f"{key}={value!r}" for key, value in (numbers(image) if numbers else [])]
    with open(name + ".raw", "wb") as out:
        out.write(stack.astype("<f8").tobytes())
    print(name, *stack.shape, *words)


def edf(name, stack, header=None):
    image = EdfImage(data=stack[0], header=header)
    for frame in stack[1:]:
        image.append_frame(data=frame)
    image.write(name)
    with open(name, "rb") as file:
        return file.read()


def put(name, content):
    with open(name, "wb") as out:
        out.write(content)


for kind in "int8 uint8 int16 uint16 int32 uint32 int64 uint64".split():
    CbfImage(data=pixels(kind, (13, 17))).write(f"{kind}.cbf")
    say(f"{kind}.cbf")


def pilatus(image):
    header = image.pilatus_headers
    beam, size = header["Beam_xy"], header["Pixel_size"]
    return [
        ("beam_x", beam[0]),
        ("beam_y", beam[1]),
        ("pixel_x_m", size[0]),
        ("pixel_y_m", size[1]),
        ("distance_m", header["Detector_distance"]),
        ("wavelength_A", header["Wavelength"]),
        ("period_s", header["Exposure_period"]),
        ("cutoff", float(header["Count_cutoff"])),
    ]


contents = """# Detector: PILATUS 1M, S/N 10-0100
# Pixel_size 172e-6 m x 170e-6 m
# Exposure_time 0.0990000 s
# Exposure_period 0.1000000 s
# Count_cutoff 1023999 counts
# Wavelength 0.97947 A
# Detector_distance 0.19120 m
# Beam_xy (488.93, 523.75) pixels
# Detector_2theta 0.0000 deg."""
header = {"_array_data.header_convention": "PILATUS_1.2", "_array_data.header_contents": contents}
CbfImage(data=pixels("int32", (13, 17)), header=header).write("pilatus.cbf")
say("pilatus.cbf", pilatus)

for kind in "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split():
    stack = pixels(kind, (1, 13, 17))
    plain = edf(f"{kind}.edf", stack)
    say(f"{kind}.edf")
    # fabio writes in the order of the machine alone.
    edf(f"{kind}_high.edf", stack.byteswap())
    with open(f"{kind}_high.edf", "rb") as file:
        swapped = file.read().replace(b"= LowByteFirst ;\n", b"= HighByteFirst ;\n", 1).replace(b" }\n", b"}\n", 1)
    put(f"{kind}_high.edf", swapped)
    say(f"{kind}_high.edf")

# Each name of a type.
for name, kind in DATA_TYPES.items():
    if numpy.dtype(kind).itemsize > 8:
        continue
    content = edf("x.edf", pixels(kind, (1, 4, 5)))
    start = content.index(b"DataType = ")
    end = content.index(b";", start)
    put(f"type_{name}.edf", content[:start] + b"DataType = " + name.encode() + b" " + content[end:])
    say(f"type_{name}.edf")

multi = edf("multi.edf", pixels("uint16", (5, 13, 17)))
say("multi.edf")

# Compressed as a whole: by fabio where it does that, and of several streams.
edf("multi.edf.gz", pixels("int32", (5, 13, 17)))
say("multi.edf.gz")
edf("high.edf.gz", pixels("float64", (1, 13, 17)))
say("high.edf.gz")
half = len(multi) // 2
put("streams.edf.gz", gzip.compress(multi[:half]) + gzip.compress(multi[half:]) + b"\0" * 100)
say("streams.edf.gz")
put("multi.edf.bz2", bz2.compress(multi))
say("multi.edf.bz2")
with open("pilatus.cbf", "rb") as file:
    image = file.read()
put("pilatus.cbf.gz", gzip.compress(image))
say("pilatus.cbf.gz", pilatus)
put("pilatus.cbf.bz2", bz2.compress(image[:700]) + bz2.compress(image[700:]))
say("pilatus.cbf.bz2", pilatus)


def saxs(image):
    header = image.header
    return [
        ("beam_x", float(header["Center_1"])),
        ("beam_y", float(header["Center_2"])),
        ("pixel_x_m", float(header["PSize_1"])),
        ("pixel_y_m", float(header["PSize_2"])),
        ("distance_m", float(header["SampleDistance"])),
        ("wavelength_A", 1e10 * float(header["WaveLength"])),
    ]


fields = {
    "Center_1": "512.5",
    "Center_2": "98.25",
    "PSize_1": "0.000172",
    "PSize_2": "1.70e-04",
    "SampleDistance": "5.012",
    "WaveLength": "1.0e-10",
}
edf("saxs.edf", pixels("int32", (1, 13, 17)), fields)
say("saxs.edf", saxs)

# What all images have in common stands in a block in front; a key that is given twice; zeros between the fields.
common = (
    "{\nEDF_DataFormatVersion = 2.40 ;\nEDF_HeaderSize = 512 ;\nByteOrder = HighByteFirst ;\nDataType = SignedShort ;\n"
    "Dim_1 = 17 ;\nDim_2 = 13 ;\n" + "".join(f"{key} = {value} ;\n" for key, value in fields.items())
)
block = common.encode().ljust(509) + b" }\n"
for i, frame in enumerate(pixels("int16", (3, 13, 17))):
    own = f"{{\nEDF_DataBlockID = {i}.Image.Psd ;\nEDF_BinarySize = {frame.nbytes} ;\nImage = {i} ;\n"
    if i == 1:
        own += "ByteOrder = HighByteFirst ;\n\0ByteOrder = LowByteFirst ;\n"
    block += own.encode().ljust(509) + b" }\n" + frame.astype("<i2" if i == 1 else ">i2").tobytes()
put("common.edf", block)
say("common.edf", saxs)
