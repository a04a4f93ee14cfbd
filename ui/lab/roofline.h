#pragma once

#include <QString>
#include <vector>

#include "core/devices/ceilings.h"
#include "ui/lab/comparison.h"

namespace ks::ui::lab {

struct LabView;

/// A peak rate of a device: operations of one kind per second, or bytes per second of its memory.
struct Roof {
    QString name;   ///< "float multiply-add"
    double rate;    ///< operations or bytes per second; a multiply-add is one operation, as kernels count it
    bool isMemory;  ///< bytes
};

/// A variant at the work and traffic that its kernels declare.
struct RoofPoint {
    QString name, source;
    int colour = 1;
    double intensity = 0;  ///< operations per byte
    double rate = 0;       ///< operations per second, by the median of the kernels
    /// Why it is above all measured roofs, which is impossible; empty: it is not.
    QString aboveRoofs = {};
    /// Why it is above the roof of the memory; empty: it is not.
    QString aboveMemory = {};
    /// For a user's kernel the variant that declares its operations and bytes; empty: itself.
    QString countsOf = {};
    bool wrong = false;  ///< its result differs from the reference
};

/// Roofs of a device, fastest first; none if nothing was measured.
std::vector<Roof> roofsOf(const Ceilings& ceilings);

/// Points of the drawn entries whose kernels declare operations and bytes. `leftOut` receives one line per
/// reason for the others.
/// @param ceilings of all devices
std::vector<RoofPoint> roofPoints(const LabView& view, const std::vector<Ceilings>& ceilings,
                                  QStringList& leftOut);

/// Rates of a variant by the median of its kernels, per second; NaN: not declared.
struct Rates {
    double bytes, operations;
};
Rates ratesOf(const BenchRow& row);

/// Marks figures of a user's kernel that another variant declares.
inline const QString countsMark = QStringLiteral("\u2020");
/// One sentence about that: the kernel is launched and counted as `base`.
QString countsText(const QString& base);
/// The same as a note on all points, with each base once; empty: every kernel is counted as itself.
QString countsNote(const std::vector<RoofPoint>& points);

}  // namespace ks::ui::lab
