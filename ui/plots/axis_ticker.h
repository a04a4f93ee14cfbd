#pragma once

#include <qcustomplot.h>
#include <QLocale>
#include <QString>
#include <QVector>

namespace ks::ui {

/// Numbers of one axis in one form: all with the same digits behind the point, or all as multiples of the
/// same power of ten.
QVector<QString> axisNumbers(const QVector<double>& values, const QLocale& locale);

/// The range of an axis for values from `low` to `high`, with a border of so large a share of it; nothing is
/// there where low > high. Values that differ by rounding alone are one value, in the middle of a range of
/// its own size.
QCPRange paddedRange(double low, double high, bool logarithmic, double share);

/// Ticks of a linear axis at round numbers. So many as tickCount() says or about so many; of a count of 2 or
/// more there are at least as many, of 3 and more at least three.
class LinearTicker : public QCPAxisTicker {
  public:
    /// @param whole at whole numbers alone: of frames, bins, digis
    explicit LinearTicker(bool whole = false) : whole_(whole) {}

  protected:
    int getSubTickCount(double tickStep) override;
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                       int precision) override;

  private:
    double step_ = 0;
    bool whole_;
};

/// Ticks of a logarithmic axis: decades, or as many numbers within them as tickCount() needs; within half a
/// decade those of a linear axis.
class LogTicker : public LinearTicker {
  protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                       int precision) override;

  private:
    QCPRange range_;
};

/// Makes an axis logarithmic or linear, with the ticker of its kind.
/// @param whole a linear one has ticks at whole numbers alone
void setLogarithmic(QCPAxis& axis, bool logarithmic, bool whole = false);

}  // namespace ks::ui
