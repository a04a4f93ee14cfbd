#include "ui/plots/curve_envelope.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ks::ui {
namespace {

constexpr qsizetype blockSize = 256;
constexpr double endless = std::numeric_limits<double>::infinity();

// A comparison with NaN is false: it changes nothing.
CurveEnvelope::Range scanned(const double* from, const double* to) {
    CurveEnvelope::Range range{endless, -endless};
    for (const double* at = from; at != to; ++at) {
        range.low = *at < range.low ? *at : range.low;
        range.high = *at > range.high ? *at : range.high;
    }
    return range;
}

CurveEnvelope::Range both(const CurveEnvelope::Range& a, const CurveEnvelope::Range& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

CurveEnvelope::CurveEnvelope(QVector<double> values) : values_(std::move(values)) {
    blocks_.reserve(values_.size() / blockSize);
    const double* const first = values_.constData();
    for (qsizetype from = 0; from + blockSize <= values_.size(); from += blockSize)
        blocks_ << scanned(first + from, first + from + blockSize);
}

CurveEnvelope::Range CurveEnvelope::of(qsizetype from, qsizetype to) const {
    const double* const first = values_.constData();
    const qsizetype firstBlock = (from + blockSize - 1) / blockSize, lastBlock = to / blockSize;
    if (firstBlock >= lastBlock) return scanned(first + from, first + to);
    Range range = both(scanned(first + from, first + firstBlock * blockSize),
                       scanned(first + lastBlock * blockSize, first + to));
    for (qsizetype block = firstBlock; block < lastBlock; ++block) range = both(range, blocks_[block]);
    return range;
}

}  // namespace ks::ui
