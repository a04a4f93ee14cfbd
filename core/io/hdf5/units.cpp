#include <array>
#include <string>

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/io/hdf5/nexus.h"

namespace ks::io {
namespace {

struct Unit {
    Quantity quantity;
    const char* name;
    double factor;
};

constexpr std::array<Unit, 58> units{{{Quantity::length, "m", 1e3},
                                      {Quantity::length, "meter", 1e3},
                                      {Quantity::length, "metre", 1e3},
                                      {Quantity::length, "meters", 1e3},
                                      {Quantity::length, "metres", 1e3},
                                      {Quantity::length, "cm", 10},
                                      {Quantity::length, "centimeter", 10},
                                      {Quantity::length, "centimetre", 10},
                                      {Quantity::length, "mm", 1},
                                      {Quantity::length, "millimeter", 1},
                                      {Quantity::length, "millimetre", 1},
                                      {Quantity::length, "millimeters", 1},
                                      {Quantity::length, "millimetres", 1},
                                      {Quantity::length, "um", 1e-3},
                                      {Quantity::length, "\xc2\xb5m", 1e-3},
                                      {Quantity::length, "\xce\xbcm", 1e-3},
                                      {Quantity::length, "\xb5m", 1e-3},
                                      {Quantity::length, "micron", 1e-3},
                                      {Quantity::length, "microns", 1e-3},
                                      {Quantity::length, "micrometer", 1e-3},
                                      {Quantity::length, "micrometre", 1e-3},
                                      {Quantity::length, "micrometers", 1e-3},
                                      {Quantity::length, "micrometres", 1e-3},
                                      {Quantity::length, "nm", 1e-6},
                                      {Quantity::wavelength, "a", 1},
                                      {Quantity::wavelength, "\xc3\xa5", 1},
                                      {Quantity::wavelength, "\xc3\x85", 1},
                                      {Quantity::wavelength, "\xe2\x84\xab", 1},
                                      {Quantity::wavelength, "\xc5", 1},
                                      {Quantity::wavelength, "ang", 1},
                                      {Quantity::wavelength, "angstrom", 1},
                                      {Quantity::wavelength, "angstroms", 1},
                                      {Quantity::wavelength, "\xc3\xa5ngstr\xc3\xb6m", 1},
                                      {Quantity::wavelength, "nm", 10},
                                      {Quantity::wavelength, "nanometer", 10},
                                      {Quantity::wavelength, "nanometre", 10},
                                      {Quantity::wavelength, "pm", 0.01},
                                      {Quantity::wavelength, "um", 1e4},
                                      {Quantity::wavelength, "m", 1e10},
                                      {Quantity::energy, "kev", 1},
                                      {Quantity::energy, "ev", 1e-3},
                                      {Quantity::energy, "mev", 1e3},
                                      {Quantity::energy, "gev", 1e6},
                                      {Quantity::energy, "j", 1 / 1.602176634e-16},
                                      {Quantity::time, "s", 1},
                                      {Quantity::time, "sec", 1},
                                      {Quantity::time, "second", 1},
                                      {Quantity::time, "seconds", 1},
                                      {Quantity::time, "ms", 1e-3},
                                      {Quantity::time, "millisecond", 1e-3},
                                      {Quantity::time, "milliseconds", 1e-3},
                                      {Quantity::time, "us", 1e-6},
                                      {Quantity::time, "\xc2\xb5s", 1e-6},
                                      {Quantity::time, "\xce\xbcs", 1e-6},
                                      {Quantity::time, "microseconds", 1e-6},
                                      {Quantity::time, "ns", 1e-9},
                                      {Quantity::time, "nanoseconds", 1e-9},
                                      {Quantity::time, "min", 60}}};

const char* name_of(Quantity quantity) {
    switch (quantity) {
        case Quantity::length:
            return "length";
        case Quantity::wavelength:
            return "wavelength";
        case Quantity::energy:
            return "energy";
        case Quantity::time:
            break;
    }
    return "time";
}

}  // namespace

double unit_factor(Quantity quantity, const std::string& unit, const std::string& where) {
    std::string plain = in_small_letters(unit);
    std::erase(plain, ' ');
    for (const Unit& row : units)
        if (row.quantity == quantity && plain == row.name) return row.factor;
    throw Error(ErrorKind::input,
                std::string("expected a unit of ") + name_of(quantity) + ", found \"" + unit + "\"", where);
}

}  // namespace ks::io
