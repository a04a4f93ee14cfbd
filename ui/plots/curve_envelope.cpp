#include "ui/plots/curve_envelope.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace ks::ui {
namespace {

constexpr qsizetype blockSize = 256;
constexpr double endless = std::numeric_limits<double>::infinity();

CurveEnvelope::Range both(const CurveEnvelope::Range& a, const CurveEnvelope::Range& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// A comparison with NaN is false and so changes nothing. Several lanes, since each comparison would otherwise
// wait for the previous one.
CurveEnvelope::Range scanned(const double* from, const double* to) {
    constexpr int lanes = 8;
    std::array<double, lanes> low, high;
    low.fill(endless);
    high.fill(-endless);
    const auto add = [&](int lane, double value) {
        low[lane] = value < low[lane] ? value : low[lane];
        high[lane] = value > high[lane] ? value : high[lane];
    };
    const double* at = from;
    for (; to - at >= lanes; at += lanes)
        for (int lane = 0; lane < lanes; ++lane) add(lane, at[lane]);
    for (; at != to; ++at) add(0, *at);
    CurveEnvelope::Range range{low[0], high[0]};
    for (int lane = 1; lane < lanes; ++lane) range = both(range, {low[lane], high[lane]});
    return range;
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
