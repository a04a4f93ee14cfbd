#include "ui/plots/axis_ticker.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/base/round_number.h"

namespace ks::ui {
namespace {

constexpr double plainFrom = 1e-3,
                 plainTo = 1e6;  ///< range of the largest number that a linear axis writes without a power
constexpr double decadeFrom = 0.999e-3,
                 decadeTo = 1.001e4;  ///< range of the numbers that a logarithmic axis writes without a power
constexpr double linearBelow = 5;  ///< a logarithmic axis whose ends have a smaller ratio gets linear ticks
constexpr int mostDigits = 17;
constexpr qsizetype wantedNumbers = 3;

/// Decimal places needed to tell the values apart.
int digitsOf(const QVector<double>& values, double smallestGap) {
    for (int digits = 0; digits < mostDigits; ++digits) {
        const double unit = std::pow(10.0, digits);
        const bool whole = std::ranges::all_of(values, [&](double value) {
            return std::abs(value * unit - std::round(value * unit)) <= 1e-3 * smallestGap * unit;
        });
        if (whole) return digits;
    }
    return mostDigits;
}

double smallestGap(const QVector<double>& values) {
    double gap = HUGE_VAL;
    for (qsizetype i = 1; i < values.size(); ++i)
        if (values[i] != values[i - 1]) gap = std::min(gap, std::abs(values[i] - values[i - 1]));
    return std::isfinite(gap) ? gap : 1e-3 * (values.isEmpty() ? 1 : std::abs(values.first()));
}

/// `n` of the values, evenly spaced and as far apart as possible.
QVector<double> thinned(const QVector<double>& values, qsizetype n) {
    const qsizetype stride = (values.size() - 1) / (n - 1);
    const qsizetype first = (values.size() - 1 - stride * (n - 1)) / 2;
    QVector<double> chosen;
    for (qsizetype i = 0; i < n; ++i) chosen << values[first + i * stride];
    return chosen;
}

/// `n` numbers of the coarsest level that has that many over half of the axis.
/// @param level numbers on the axis, ascending; higher levels have more; empty: there is no further level
QVector<double> spread(qsizetype n, int levels, const std::function<QVector<double>(int)>& level,
                       const std::function<double(double)>& place) {
    QVector<double> found;
    for (int at = 0; at < levels; ++at) {
        const QVector<double> numbers = level(at);
        if (numbers.size() > found.size()) found = numbers.size() > n ? thinned(numbers, n) : numbers;
        if (numbers.size() < n) continue;
        found = thinned(numbers, n);
        if (place(found.last()) - place(found.first()) >= 0.5) break;
    }
    return found;
}

/// Multiples of a step on the axis.
QVector<double> multiples(double step, const QCPRange& range) {
    QVector<double> all;
    for (double i = std::ceil(range.lower / step); i * step <= range.upper; ++i) all << i * step;
    return all;
}

/// The numbers of each decade times `within`, for every `every`th decade.
QVector<double> inDecades(const QCPRange& range, const QVector<int>& within, int every) {
    QVector<double> all;
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    for (int power = first; std::pow(10.0, power) <= range.upper; ++power) {
        if (power % every != 0) continue;
        for (const int one : within)
            if (const double value = one * std::pow(10.0, power); range.contains(value)) all << value;
    }
    return all;
}

qsizetype inside(const QVector<double>& ticks, const QCPRange& range) {
    return std::ranges::count_if(ticks, [&](double one) { return range.contains(one); });
}

constexpr int mostTicks = 5;

bool labelsStandApart(const QCPAxis& axis, QCPAxisTicker& ticker) {
    QVector<double> ticks;
    QVector<QString> labels;
    const QString format = axis.numberFormat();
    ticker.generate(axis.range(), axis.parentPlot()->locale(),
                    format.isEmpty() ? QLatin1Char('g') : format[0], axis.numberPrecision(), ticks, nullptr,
                    &labels);
    const QFontMetricsF metrics(axis.tickLabelFont());
    const bool across = axis.orientation() == Qt::Horizontal;
    double lastAt = 0, lastHalf = 0;
    bool first = true;
    for (qsizetype i = 0; i < std::min(ticks.size(), labels.size()); ++i) {
        if (!axis.range().contains(ticks[i])) continue;
        const double at = axis.coordToPixel(ticks[i]);
        const double half = (across ? metrics.horizontalAdvance(labels[i]) : metrics.height()) / 2;
        const double gap = across ? metrics.horizontalAdvance(QStringLiteral("00")) : metrics.height() / 4;
        if (!first && std::abs(at - lastAt) < half + lastHalf + gap) return false;
        lastAt = at;
        lastHalf = half;
        first = false;
    }
    return true;
}

}  // namespace

QVector<QString> axisNumbers(const QVector<double>& values, const QLocale& locale) {
    const double gap = smallestGap(values);
    QVector<double> clean = values;
    double largest = 0;
    for (double& value : clean) {
        if (std::abs(value) < 1e-6 * gap) value = 0;
        largest = std::max(largest, std::abs(value));
    }
    int power = 0;
    if (largest > 0 && (largest >= plainTo || largest < plainFrom)) {
        power = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
        const double unit = std::pow(10.0, power);
        QVector<double> scaled = clean;
        for (double& value : scaled) value /= unit;
        // Numbers that differ only in their last digits are written out in full where that is shorter.
        const int scaledDigits = digitsOf(scaled, gap / unit);
        const qsizetype full = std::max(power, 0) + digitsOf(clean, gap),
                        withPower = scaledDigits + QString::number(power).size() + 2;
        if (scaledDigits <= 3 || withPower < full)
            clean = scaled;
        else
            power = 0;
    }
    const int digits = digitsOf(clean, gap / std::pow(10.0, power));
    QVector<QString> texts;
    for (const double value : clean) {
        QString text = locale.toString(value, 'f', digits);
        if (power != 0 && value != 0) text += QStringLiteral("e%1").arg(power);
        // Where doubles have no more digits, no label is better than repeating the same number.
        texts << (texts.contains(text) ? QString() : text);
    }
    return texts;
}

QCPRange paddedRange(double low, double high, bool logarithmic, double share) {
    if (low > high) return logarithmic ? QCPRange(1, 10) : QCPRange(0, 1);
    if (logarithmic) {
        const double factor = std::max(std::pow(high / low, share), 1.05);
        return {low / factor, high * factor};
    }
    const double size = std::max(std::abs(low), std::abs(high));
    // No axis is shorter than 1e-280.
    if (!differ(low, high) || high - low < 1 / largestDrawn) {
        const double pad = size < 1 / largestDrawn ? 0.5 : std::clamp(0.5, 0.05 * size, 0.5 * size);
        return {low - pad, high + pad};
    }
    const double pad = share * (high - low);
    return {low - pad, high + pad};
}

int LinearTicker::getSubTickCount(double tickStep) {
    return QCPAxisTicker::getSubTickCount(step_ > 0 ? step_ : tickStep);
}

QVector<double> LinearTicker::createTickVector(double tickStep, const QCPRange& range) {
    step_ = 0;
    if (tickCount() == 1 || tickCount() > wantedNumbers) {
        const QVector<double> all = QCPAxisTicker::createTickVector(tickStep, range);
        if (tickCount() == 1 || (inside(all, range) >= wantedNumbers && !(whole_ && tickStep < 1)))
            return all;
    }
    const double size = range.size();
    if (!(size > 0) || !std::isfinite(size)) return {};
    const double largest = std::pow(10.0, std::ceil(std::log10(size)));
    const auto steps = [&](int level) {
        static constexpr double parts[] = {1, 0.5, 0.2};
        return multiples(largest * parts[level % 3] * std::pow(0.1, level / 3), range);
    };
    const auto place = [&](double value) { return (value - range.lower) / size; };
    QVector<double> ticks = spread(std::min<qsizetype>(tickCount(), wantedNumbers), 7, steps, place);
    if (whole_ && ticks.size() > 1 && ticks[1] - ticks[0] < 1) ticks = multiples(1, range);
    if (ticks.size() > 1) step_ = ticks[1] - ticks[0];
    return ticks;
}

QVector<QString> LinearTicker::createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar,
                                                 int) {
    return axisNumbers(ticks, locale);
}

QVector<double> LogTicker::createTickVector(double, const QCPRange& range) {
    range_ = range;
    if (!(range.lower > 0)) return {};
    if (range.upper / range.lower < linearBelow)
        return LinearTicker::createTickVector(QCPAxisTicker::getTickStep(range), range);
    static const QVector<int> one{1}, two{1, 3}, three{1, 2, 5}, five{1, 2, 3, 5, 7};
    const double decades = std::log10(range.upper / range.lower);
    const int widest = std::max(static_cast<int>(decades), 1);
    const auto level = [&](int at) {
        if (at < widest) return inDecades(range, one, widest - at);
        return inDecades(range, at == widest ? two : at == widest + 1 ? three : five, 1);
    };
    const auto count = static_cast<qsizetype>(std::max(tickCount(), 1));
    if (count > wantedNumbers) {
        // At most about that many, whole decades first.
        for (int at = widest + 2; at >= 0; --at)
            if (const QVector<double> all = level(at); all.size() <= count + 1 && all.size() >= wantedNumbers)
                return all;
    }
    if (count == 1) {
        const QVector<double> all = level(widest - 1);
        return all.isEmpty() ? level(widest + 2).mid(0, 1) : all.mid(all.size() / 2, 1);
    }
    const auto place = [&](double value) { return std::log10(value / range.lower) / decades; };
    return spread(std::min(count, wantedNumbers), widest + 3, level, place);
}

QVector<double> LogTicker::createSubTickVector(int count, const QVector<double>& ticks) {
    const double ratio = range_.upper / range_.lower;
    if (ratio < linearBelow) return LinearTicker::createSubTickVector(count, ticks);
    if (!(range_.lower > 0)) return {};
    QVector<double> all =
        inDecades(range_, ratio < 1e8 ? QVector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9} : QVector<int>{1}, 1);
    all.removeIf([&](double one) { return ticks.contains(one); });
    return all;
}

QVector<QString> LogTicker::createLabelVector(const QVector<double>& ticks, const QLocale& locale,
                                              QChar format, int precision) {
    if (range_.upper / range_.lower < linearBelow)
        return LinearTicker::createLabelVector(ticks, locale, format, precision);
    const bool plain =
        std::ranges::all_of(ticks, [](double one) { return one >= decadeFrom && one <= decadeTo; });
    QVector<QString> texts;
    for (const double tick : ticks) {
        const int power = static_cast<int>(std::floor(std::log10(tick) + 1e-9));
        texts << (plain ? locale.toString(tick, 'g', 6)
                        : QStringLiteral("%1e%2").arg(std::lround(tick / std::pow(10.0, power))).arg(power));
    }
    return texts;
}

void setLogarithmic(QCPAxis& axis, bool logarithmic, bool whole) {
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(logarithmic ? QSharedPointer<QCPAxisTicker>(new LogTicker)
                               : QSharedPointer<QCPAxisTicker>(new LinearTicker(whole)));
    axis.setNumberFormat(QStringLiteral("gb"));  // exponents are typeset
    axis.grid()->setSubGridVisible(logarithmic);
}

bool fitTicks(QCPAxis& axis) {
    QCPAxisTicker& ticker = *axis.ticker();
    const int before = ticker.tickCount();
    for (int count = mostTicks; count >= 1; --count) {
        ticker.setTickCount(count);
        if (labelsStandApart(axis, ticker)) break;
    }
    return ticker.tickCount() != before;
}

void layOut(QCustomPlot& plot) {
    for (const auto phase :
         {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        plot.plotLayout()->update(phase);
}

void keepTicksApart(QCustomPlot& plot, const QVector<QCPAxis*>& further) {
    QObject::connect(&plot, &QCustomPlot::afterLayout, &plot, [&plot, further] {
        QVector<QCPAxis*> all = further;
        for (const QCPAxisRect* rect : plot.axisRects()) all << rect->axes();
        bool changed = false;
        for (QCPAxis* axis : all)
            if (axis->visible() && axis->ticks()) changed = fitTicks(*axis) || changed;
        if (changed) layOut(plot);
    });
}

}  // namespace ks::ui
