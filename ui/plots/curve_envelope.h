#pragma once

#include <QVector>

namespace ks::ui {

/// Minimum and maximum of a curve over any range of its points, without visiting each of them.
/// Shares the values.
class CurveEnvelope {
  public:
    struct Range {
        double low, high;  ///< low > high: there is no finite value
    };

    explicit CurveEnvelope(QVector<double> values);
    /// Of the points [from, to); NaN is ignored.
    Range of(qsizetype from, qsizetype to) const;

  private:
    QVector<double> values_;
    QVector<Range> blocks_;
};

}  // namespace ks::ui
