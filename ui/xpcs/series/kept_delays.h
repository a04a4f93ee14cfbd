#pragma once

#include <QCoreApplication>
#include <QString>

#include "core/xpcs/live/live_pairs.h"

namespace ks::ui::xpcs {

/// "delays up to 4450 of 5999 frames only, since the sums of all pairs would take too much memory or time";
/// empty if the pairs have all of these delays.
/// @param what "delays", "lags" @param longest delay that is needed, in frames
inline QString keptDelaysText(const ks::xpcs::LivePairs& pairs, const QString& what, std::size_t longest) {
    if (pairs.delays() > longest) return {};
    return QCoreApplication::translate(
               "KeptDelays",
               "%1 up to %2 of %3 frames only, since the sums of all pairs would take "
               "too much memory or time")
        .arg(what)
        .arg(pairs.delays() - 1)
        .arg(longest);
}

}  // namespace ks::ui::xpcs
