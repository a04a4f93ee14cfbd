#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <cmath>

namespace ks::ui {

/// Estimates the remaining time of a stage that reports its progress from the time elapsed.
class TimeLeft {
  public:
    /// @param fraction of the stage that is done, 0 to 1
    /// @return "correlate", after a second with the remaining time: "correlate, 12 s left"
    QString text(double fraction, const QString& stage) {
        if (stage != stage_ || fraction < fraction_ || !since_.isValid()) {
            stage_ = stage;
            since_.start();
            begun_ = fraction;
        }
        fraction_ = fraction;
        return withRest(static_cast<double>(since_.elapsed()) / 1000);
    }
    /// Name of the stage, with the remaining time if `seconds` have passed since it began.
    QString withRest(double seconds) const {
        const double done = fraction_ - begun_;
        if (seconds < 1 || done < 0.01 || fraction_ >= 1) return stage_;
        const double left = seconds * (1 - fraction_) / done;
        return left < 100 ? QObject::tr("%1, %2 s left").arg(stage_).arg(std::ceil(left))
                          : QObject::tr("%1, %2 min left").arg(stage_).arg(std::ceil(left / 60));
    }

  private:
    QString stage_;
    QElapsedTimer since_;
    double begun_ = 0, fraction_ = 0;
};

}  // namespace ks::ui
