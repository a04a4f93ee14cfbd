#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/tune/tuner.h"

namespace ks::ui::tune {

/// What became of a configuration.
enum class Outcome {
    timed,
    failed,  ///< it does not build or does not run
    wrong    ///< its result differs from the reference
};

/// A define with the values that are tried.
struct DefineAxis {
    QString name;
    QStringList values;  ///< numbers ascend
};

/// A configuration that was tried.
struct Configuration {
    std::vector<std::size_t> values;  ///< number of the value on each axis
    Outcome outcome = Outcome::timed;
    QString reason;  ///< why it was not timed
    // NaN where not timed:
    double ratio;     ///< of its time to the default's
    double tried;     ///< median, nanoseconds
    double usual;     ///< the default's then
    double compared;  ///< in the last comparison
};

/// A report as it is drawn.
struct Configurations {
    std::vector<DefineAxis> axes;                   ///< by name
    std::vector<Configuration> rows;                ///< as in the report
    std::vector<std::optional<std::size_t>> usual;  ///< number of the default's value on each axis
    std::optional<std::size_t> best;  ///< of the last comparison, else the smallest ratio so far

    std::size_t failed() const;  ///< rows without a time
    /// "ITEMS=2 WG=64".
    QString name(std::size_t row) const;
};
using SharedConfigurations = std::shared_ptr<const Configurations>;

Configurations configurationsOf(const TuneReport& report);

/// "ITEMS=2 WG=64"; "no definitions" for none.
QString definesText(const Defines& defines);
/// "0.81": as many digits as tell ratios apart.
QString ratioText(double ratio);
/// "failed", "wrong", "timed".
QString outcomeText(Outcome outcome);

}  // namespace ks::ui::tune
