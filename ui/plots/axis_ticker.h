#pragma once

#include <qcustomplot.h>
#include <QLocale>
#include <QString>
#include <QVector>

namespace ks::ui {

/// Numbers of one axis in a common form: all with the same number of decimal places, or all as multiples of
/// the same power of ten.
QVector<QString> axisNumbers(const QVector<double>& values, const QLocale& locale);

/// Largest absolute value that is drawn; on a logarithmic axis, its inverse is the smallest. QCustomPlot has
/// no axis for ranges beyond 1e250, nor for a ratio of both ends that is infinite.
inline constexpr double largestDrawn = 1e150;
/// False for NaN and infinite values as well, and for what a logarithmic axis does not have.
inline bool canBeDrawn(double value, bool logarithmic = false) {
    return value <= largestDrawn && value >= (logarithmic ? 1 / largestDrawn : -largestDrawn);
}

/// Axis range for values from `low` to `high`, widened by the given share of it; a default range if low
/// > high (no values). Values that differ only by rounding count as one value, in the middle of a range
/// of its size.
QCPRange paddedRange(double low, double high, bool logarithmic, double share);

/// Ticks of a linear axis at round numbers, tickCount() of them or about that many. For a count of 2 there
/// are at least two, for 3 and more at least three.
class LinearTicker : public QCPAxisTicker {
  public:
    /// @param whole ticks only at whole numbers: for frames, bins, digis
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
/// decade as on a linear axis.
class LogTicker : public LinearTicker {
  protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                       int precision) override;

  private:
    QCPRange range_;
};

/// Makes an axis logarithmic or linear, with the matching ticker.
/// @param whole a linear axis has ticks only at whole numbers
void setLogarithmic(QCPAxis& axis, bool logarithmic, bool whole = false);

/// Gives an axis as many ticks, up to five, as its current length allows without touching labels. Returns
/// true if the number has changed.
bool fitTicks(QCPAxis& axis);

/// Fits the ticks of all axes of a plot, and of additional ones outside its axis rectangles, whenever the
/// plot is laid out.
void keepTicksApart(QCustomPlot& plot, const QVector<QCPAxis*>& further = {});

/// Lays the plot out at once, so that sizes are known before it is drawn.
void layOut(QCustomPlot& plot);

}  // namespace ks::ui
