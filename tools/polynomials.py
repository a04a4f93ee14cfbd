#!/usr/bin/env python3
"""The coefficients of the polynomials in gpu/runtime/polynomial.cl and core/particles/vector/vector_functions.h.

    python3 tools/polynomials.py           prints them, with the largest error of each polynomial
    python3 tools/polynomials.py --check   compares them with both files, bit for bit; ends with 1 where one differs

Floats: polynomials with the smallest largest error on their interval, by Remez' exchange in 40 decimal digits,
printed to 9 digits, which name a float exactly. Doubles: Taylor's coefficients, computed in double, printed to
17 digits. Only the standard library is needed.
"""

import argparse
import math
import pathlib
import re
import struct
from decimal import Decimal, getcontext

getcontext().prec = 40
ROOT = pathlib.Path(__file__).resolve().parent.parent
DEVICE = "gpu/runtime/polynomial.cl"
HOST = "core/particles/vector/vector_functions.h"
PI = Decimal("3.14159265358979323846264338327950288419716939937510")
SMALL = Decimal(10) ** -38


def power(x, k):
    return x**k if k else Decimal(1)


def series(term, k, x):
    """The alternating series of the sine (k = 1) or cosine (k = 0)."""
    total = term
    while abs(term) > SMALL:
        term *= -x * x / ((k + 1) * (k + 2))
        k += 2
        total += term
    return total


def sine(x):
    return series(x, 1, x)


def cosine(x):
    return series(Decimal(1), 0, x)


def solved(rows, right):
    """The solution of a system of linear equations."""
    n = len(right)
    system = [row + [value] for row, value in zip(rows, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(system[r][i]))
        system[i], system[pivot] = system[pivot], system[i]
        for r in range(n):
            factor = system[r][i] / system[i][i]
            if r != i and factor:
                system[r] = [a - factor * b for a, b in zip(system[r], system[i])]
    return [system[i][n] / system[i][i] for i in range(n)]


def extremum(error, at, step, low, high):
    """An extremum of the error near a point of the grid, by parabolas."""
    for _ in range(5):
        before, here, after = error(at - step), error(at), error(at + step)
        bend = before - 2 * here + after
        moved = at + step * (before - after) / (2 * bend) if bend else at
        if not low <= moved <= high:
            break
        at, step = moved, step / 8
    return at


def remez(function, weight, degree, low, high, grid=400):
    """Coefficients from the constant on, and the largest weighted error."""
    low, high, count = Decimal(low), Decimal(high), degree + 2
    points = [(low + high) / 2 - (high - low) / 2 * cosine(PI * i / (count - 1)) for i in range(count)]
    for _ in range(12):
        rows = [
            [power(x, k) * weight(x) for k in range(degree + 1)] + [Decimal((-1) ** i)]
            for i, x in enumerate(points)
        ]
        *coefficients, _ = solved(rows, [function(x) * weight(x) for x in points])

        def error(x):
            return (sum(c * power(x, k) for k, c in enumerate(coefficients)) - function(x)) * weight(x)

        places = [low + (high - low) * i / grid for i in range(grid + 1)]
        errors = [error(x) for x in places]
        found = []
        for i, value in enumerate(errors):
            around = [errors[j] for j in (i - 1, i + 1) if 0 <= j <= grid]
            if any((other > 0) == (value > 0) and abs(other) > abs(value) for other in around):
                continue
            x = places[i]
            if 0 < i < grid:
                x = extremum(error, x, (high - low) / grid, low, high)
            value = error(x)
            if found and (found[-1][1] > 0) == (value > 0):
                if abs(value) > abs(found[-1][1]):
                    found[-1] = (x, value)
            else:
                found.append((x, value))
        while len(found) > count:
            found.pop(0 if abs(found[0][1]) < abs(found[-1][1]) else -1)
        moved = max(abs(x - old) for (x, _), old in zip(found, points))
        points = [x for x, _ in found]
        if moved < Decimal(10) ** -14:
            break
    return coefficients, max(abs(value) for _, value in found)


def root_interval():
    """1 - v y^2 of the first guess y of 1 / sqrt(v), over v from 1 to 4: all that powers of 4 repeat."""
    values = []
    for i in range((1 << 13) + 1):
        v = 1 + 3 * i / (1 << 13)
        bits = struct.unpack("I", struct.pack("f", v))[0]
        y = struct.unpack("f", struct.pack("I", 0x5F3759DF - (bits >> 1)))[0]
        values.append(1 - nearest_float(v) * y * y)
    return min(values), max(values)


def floats():
    """Name, coefficients from the constant on, largest error, and the files that have it."""
    log2, turn, eighth = Decimal(2).ln(), 2 * PI, Decimal(1) / 64

    def power_of_2(x):
        return (x * log2).exp()

    def sine_over_x(u):
        return sine(turn * u.sqrt()) / u.sqrt() if u else turn

    def root(e):
        return 1 / (1 - e).sqrt()

    yield (
        "2^x, |x| <= 1/2, relative error",
        *remez(power_of_2, lambda x: 1 / power_of_2(x), 5, "-0.5", "0.5"),
        (DEVICE, HOST),
    )
    yield (
        "1 / sqrt(1 - e), relative error",
        *remez(root, lambda e: 1 / root(e), 4, *root_interval()),
        (DEVICE,),
    )
    yield (
        "sin(2 pi x) / x in x^2, |x| <= 1/8",
        *remez(sine_over_x, lambda u: Decimal(1), 3, 0, eighth),
        (DEVICE, HOST),
    )
    yield (
        "cos(2 pi x) in x^2, |x| <= 1/8",
        *remez(lambda u: cosine(turn * u.sqrt()), lambda u: Decimal(1), 3, 0, eighth),
        (DEVICE, HOST),
    )


def doubles():
    """The same of Taylor's polynomials; the error is that of the first term that is left out."""
    log2, turn = math.log(2), 2 * math.pi

    def term(x, k):
        return x**k / math.factorial(k)

    yield "2^x, |x| <= 1/2", [term(log2, k) for k in range(13)], term(log2 / 2, 13), (DEVICE, HOST)
    yield (
        "sin(2 pi x) / x in x^2, |x| <= 1/8",
        [(-1) ** i * term(turn, 2 * i + 1) for i in range(8)],
        term(turn / 8, 17),
        (DEVICE, HOST),
    )
    yield (
        "cos(2 pi x) in x^2, |x| <= 1/8",
        [(-1) ** i * term(turn, 2 * i) for i in range(9)],
        term(turn / 8, 18),
        (DEVICE, HOST),
    )


def nearest_float(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def numbers_in(file):
    """The numbers in a file, without signs: whether it is a float, and which."""
    found = re.findall(r"(\d+\.\d+(?:e-?\d+)?)(f?)", (ROOT / file).read_text())
    return {(bool(f), nearest_float(float(text)) if f else float(text)) for text, f in found}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true", help="compare with the files of the program")
    check = options.parse_args().check
    written = {name: numbers_in(name) for name in (DEVICE, HOST)}
    missing = 0
    for single, polynomials in ((True, floats()), (False, doubles())):
        for name, coefficients, error, files in polynomials:
            print(f"{'float' if single else 'double'}: {name}, error {float(error):.1e}")
            for k, coefficient in enumerate(coefficients):
                text = f"{float(coefficient):.9g}" if single else f"{float(coefficient):.17g}"
                print(f"  {k:2} {text}")
                value = abs(nearest_float(float(text)) if single else float(text))
                for file in files if check else ():
                    if (single, value) not in written[file]:
                        print(f"     is not in {file}")
                        missing += 1
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
