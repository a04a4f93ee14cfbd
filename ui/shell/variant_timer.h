#pragma once

#include <QString>
#include <QStringList>

#include "core/run/parameter_spec.h"

namespace ks::ui {

/// Variants of an analysis to be timed together, and their data.
struct Measurement {
    QString analysis;
    QStringList variants;     ///< ids
    bool onPageData = false;  ///< on the data open on the analysis' page; otherwise on a generated problem
    ParameterSet sizes = {};  ///< of the generated problem, where the page has no typed ones
};

/// A generated problem that a page would time.
struct TimedSizes {
    ParameterSet sizes = {};  ///< those that are not the defaults
    bool largest = false;     ///< others, smaller ones, would be timed as well
};

/// The part of a page that times variants.
class VariantTimer {
  public:
    virtual ~VariantTimer() = default;
    /// Chooses the variants and their data, and starts nothing. False: it does not know the analysis.
    virtual bool propose(const Measurement& wanted) = 0;
    /// The largest generated problem that it would time. Throws ks::Error(input) for invalid fields.
    virtual TimedSizes timedSizes(const QString& analysis) const = 0;
};

}  // namespace ks::ui
