#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/devices/ceilings.h"
#include "ui/lab/comparison.h"

namespace ks::ui::lab {

/// What a device can do at most: operations a second of one kind, or bytes a second of its memory.
struct Roof {
    QString name;   ///< "float multiply-add"
    double rate;    ///< operations, or bytes, a second; a multiply-add is one operation, as kernels count it
    bool isMemory;  ///< bytes
};

/// A variant by what its kernels state that they do.
struct RoofPoint {
    QString name, source;
    int colour = 1;
    double intensity = 0;  ///< operations a byte
    double rate = 0;       ///< operations a second, by the median of the kernels
    /// Why it is above all that was measured of the device, which cannot be; empty: it is not.
    QString aboveRoofs = {};
    /// Why it is above the roof of the memory; empty: it is not.
    QString aboveMemory = {};
    /// Of a kernel of the user's own the variant that states its operations and bytes; empty: itself.
    QString countsOf = {};
};

/// Roofs of a device, fastest first; none where nothing was measured.
std::vector<Roof> roofsOf(const Ceilings& ceilings);

/// Of entries whose kernels state operations and bytes. What is left out is told by `leftOut`, a line each.
/// @param ceilings of all devices @param colours one an entry
std::vector<RoofPoint> roofPoints(const std::vector<Entry>& entries, const std::vector<int>& colours,
                                  const std::vector<Ceilings>& ceilings, QStringList& leftOut);

/// Rates of a variant by the median of its kernels, a second; NaN: not stated.
struct Rates {
    double bytes, operations;
};
Rates ratesOf(const BenchRow& row);

/// Beside what another variant states for a kernel of the user's own.
inline const QString countsMark = QStringLiteral("\u2020");
/// One sentence on that: its launch is that of `base`, which counts.
QString countsText(const QString& base);

}  // namespace ks::ui::lab
