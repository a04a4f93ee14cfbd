#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/tune/tuner.h"

namespace ks::ui::tune {

/// Outcome of a configuration.
enum class Outcome {
    timed,
    failed,  ///< does not build or does not run
    wrong    ///< its result differs from the reference
};

/// A define with the values that are tried.
struct DefineAxis {
    QString name;
    QStringList values;  ///< numbers ascend
};

/// A configuration that was tried.
struct Configuration {
    std::vector<std::size_t> values;  ///< index of the value on each axis
    Outcome outcome = Outcome::timed;
    QString reason;    ///< why it was not timed
    QString messages;  ///< of the compiler, if it did not build
    // NaN if not timed:
    double ratio;       ///< of its time to the default's, in the search
    double tried;       ///< median, nanoseconds
    double usual;       ///< the default's time measured with it
    double compared;    ///< median in the rounds among the best; of the best, in the final comparison
    double finalRatio;  ///< the latter as a ratio to the default's time there; NaN for all but the best
};

/// A report, prepared for drawing.
struct Configurations {
    std::vector<DefineAxis> axes;                   ///< by name
    std::vector<Configuration> rows;                ///< as in the report
    std::vector<std::optional<std::size_t>> usual;  ///< index of the default's value on each axis
    std::optional<std::size_t> best;  ///< of the final comparison, before it the smallest ratio so far

    std::size_t failed() const;  ///< rows without a time
    /// "ITEMS=2 WG=64".
    QString name(std::size_t row) const;
};
using SharedConfigurations = std::shared_ptr<const Configurations>;

Configurations configurationsOf(const TuneReport& report);

/// "ITEMS=2 WG=64"; "no definitions" for none.
QString definesText(const Defines& defines);
/// "0.81": as many digits as distinguish ratios.
QString ratioText(double ratio);
/// "failed", "wrong", "timed".
QString outcomeText(Outcome outcome);

}  // namespace ks::ui::tune
