#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/data/missing_value.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/plot_text.h"

namespace ks::ui {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Value of a curve at x, interpolated between two points; NaN outside the curve or next to a gap.
double at(const CurveSeries& curve, double x) {
    const auto next = std::lower_bound(curve.x.begin(), curve.x.end(), x);
    if (next == curve.x.end()) return nan;
    const qsizetype i = next - curve.x.begin();
    if (*next == x) return curve.y[i];
    if (i == 0) return nan;
    const double share = (x - curve.x[i - 1]) / (curve.x[i] - curve.x[i - 1]);
    return curve.y[i - 1] + share * (curve.y[i] - curve.y[i - 1]);
}

/// The point of a curve at x, apart from rounding.
std::optional<qsizetype> pointAt(const CurveSeries& curve, double x) {
    const double rounding = 1e-9 * std::abs(x);
    const auto next = std::lower_bound(curve.x.begin(), curve.x.end(), x - rounding);
    if (next == curve.x.end() || *next > x + rounding) return std::nullopt;
    return next - curve.x.begin();
}

/// The curves of the first run on each set of bins, with which those of the later runs are compared.
class References {
  public:
    explicit References(const QVector<CurveSeries>& series) {
        for (const CurveSeries& curve : series) {
            if (curve.foreign) continue;
            if (!runs_.contains(curve.basis)) runs_.insert(curve.basis, curve.run);
            if (curve.style != CurveStyle::line && runs_[curve.basis] == curve.run &&
                !curves_.contains({curve.basis, curve.bin}))
                curves_.insert({curve.basis, curve.bin}, &curve);
        }
    }
    /// Null: nothing.
    const CurveSeries* of(const CurveSeries& curve) const {
        if (curve.foreign || runs_.value(curve.basis) == curve.run) return nullptr;
        return curves_.value({curve.basis, curve.bin}, nullptr);
    }

  private:
    QHash<int, QString> runs_;  ///< by basis
    QHash<std::pair<int, int>, const CurveSeries*> curves_;
};

/// A run without errors may have them as NaN.
bool isKnown(const QVector<double>& errors) {
    return std::ranges::any_of(errors, [](double error) { return std::isfinite(error); });
}

/// Value and error of a curve at x. A fitted line has a value between its points, too, and no error.
std::optional<std::pair<double, double>> referenceAt(const CurveSeries& curve, double x) {
    if (curve.style == CurveStyle::line) return std::pair(at(curve, x), 0.0);
    const std::optional<qsizetype> point = pointAt(curve, x);
    if (!point) return std::nullopt;
    return std::pair(curve.y[*point], isKnown(curve.yerr) ? curve.yerr[*point] : 0.0);
}

}  // namespace

std::pair<qsizetype, qsizetype> drawnPlaces(const CurveSeries& curve) {
    return {std::lower_bound(curve.x.begin(), curve.x.end(), -largestDrawn) - curve.x.begin(),
            std::upper_bound(curve.x.begin(), curve.x.end(), largestDrawn) - curve.x.begin()};
}

QStringList CurveContent::runs() const {
    QStringList runs;
    for (const CurveSeries& curve : series) {
        if (!runs.contains(curve.run)) runs << curve.run;
    }
    return runs;
}

bool CurveContent::namesRuns() const {
    return runs().size() > 1 || std::ranges::any_of(series, &CurveSeries::foreign);
}

QString CurveContent::inFull(const QString& run) const {
    const auto of = std::ranges::find(series, run, &CurveSeries::run);
    return of == series.end() || of->runInFull.isEmpty() ? run : of->runInFull;
}

std::optional<qsizetype> CurveContent::hueOf(const QString& run) const {
    const auto of = std::ranges::find(series, run, &CurveSeries::run);
    return of == series.end() ? std::nullopt : of->hue;
}

CurveFits::CurveFits(const QVector<CurveSeries>& series) {
    for (const CurveSeries& curve : series) {
        if (curve.style != CurveStyle::line)
            points_.insert(keyOf(curve));
        else if (!lines_.contains(keyOf(curve)))
            lines_.insert(keyOf(curve), &curve);
    }
}

bool CurveFits::any() const {
    return std::ranges::any_of(lines_.keyBegin(), lines_.keyEnd(),
                               [this](const Key& key) { return points_.contains(key); });
}

bool CurveFits::has(const CurveSeries& curve) const {
    return curve.style == CurveStyle::line && points_.contains(keyOf(curve));
}

const CurveSeries* CurveFits::lineOf(const CurveSeries& curve) const {
    return lines_.value(keyOf(curve), nullptr);
}

bool CurveContent::isForeign(const QString& run) const {
    return std::ranges::any_of(series, [&](const CurveSeries& c) { return c.foreign && c.run == run; });
}

QVector<double> CurveContent::edges() const {
    QVector<double> all;
    for (const CurveBand& band : bands) {
        if (all.isEmpty() || all.last() != band.from) all << band.from;
        all << band.to;
    }
    return all;
}

bool CurveContent::hasErrors() const {
    return std::ranges::any_of(series, [fits = fits().any()](const CurveSeries& one) {
        return isKnown(one.yerr) || (fits && isKnown(one.fitErrors));
    });
}

QString CurveContent::differenceTitle() const {
    const bool errors = hasErrors();
    if (fits().any()) return errors ? QObject::tr("residual / \u03c3") : QObject::tr("residual");
    return errors ? QObject::tr("\u0394 / error") : titleWithUnit(QObject::tr("\u0394"), yUnit);
}

QString CurveContent::briefDifferenceTitle() const {
    const bool errors = hasErrors();
    if (fits().any()) return errors ? QObject::tr("res. / \u03c3") : QObject::tr("res.");
    return errors ? QObject::tr("\u0394 / \u03c3") : QObject::tr("\u0394");
}

QVector<CurveSeries> CurveContent::differences() const {
    QVector<CurveSeries> result;
    const CurveFits ofThese = this->fits();
    const bool fits = ofThese.any(), errors = hasErrors();
    const References references(series);
    for (const CurveSeries& curve : series) {
        if (curve.style == CurveStyle::line) continue;
        const CurveSeries* const reference = fits ? ofThese.lineOf(curve) : references.of(curve);
        if (!reference) continue;
        CurveSeries compared{curve.label, curve.bin, curve.run, {}, {}, {}, curve.style};
        compared.foreign = curve.foreign;
        const QVector<double>& own = fits && !curve.fitErrors.isEmpty() ? curve.fitErrors : curve.yerr;
        const bool isOwn = isKnown(own), scaled = isOwn || isKnown(reference->yerr);
        // One axis cannot show values in units of the error and others.
        if (errors && !scaled) continue;
        for (qsizetype i = 0; i < curve.x.size(); ++i) {
            const auto other = referenceAt(*reference, curve.x[i]);
            if (!other) continue;
            compared.x << curve.x[i];
            const double d = curve.y[i] - other->first;
            const double e = std::hypot(isOwn ? own[i] : 0, other->second);
            // An error of 0 gives no scale, but equal values still differ by 0.
            compared.y << (curve.isLeftOut(i) ? nan : !scaled ? d : e > 0 ? d / e : d == 0 ? 0 : nan);
        }
        result << compared;
    }
    return result;
}

QString CurveContent::undrawn() const {
    QStringList lines;
    const bool names = namesRuns();
    const CurveFits fits = this->fits();
    for (const QString& run : runs()) {
        Undrawn counted;
        for (const CurveSeries& curve : series) {
            if (curve.run != run || !shows(curve) || fits.has(curve)) continue;
            const auto [from, to] = drawnPlaces(curve);
            for (qsizetype i = 0; i < curve.y.size(); ++i) {
                if (is_missing(curve.y[i])) continue;
                if (std::isnan(curve.y[i]) || (i >= from && i < to))
                    counted.add(curve.y[i]);
                else
                    counted.addOutside();
            }
        }
        const QString said = counted.text();
        if (said.isEmpty()) continue;
        lines << (names && !run.isEmpty() ? QStringLiteral("%1: %2").arg(run, said) : said);
    }
    return lines.join(QLatin1Char('\n'));
}

DrawnCurves drawnCurves(const QVector<CurveSeries>& all, std::optional<int> picked, qsizetype most) {
    DrawnCurves drawn{all, std::vector<qsizetype>(static_cast<std::size_t>(all.size())), 0, 0};
    std::iota(drawn.positions.begin(), drawn.positions.end(), qsizetype{0});
    QSet<int> every, withValues;
    std::vector<int> bins;  // that have values, in their order
    qsizetype curves = 0, filled = 0;
    for (const CurveSeries& curve : all) {
        if (curve.style == CurveStyle::line) continue;
        ++curves;
        every.insert(curve.bin);
        if (std::ranges::none_of(curve.y, [](double value) { return std::isfinite(value); })) continue;
        ++filled;
        if (withValues.contains(curve.bin)) continue;
        withValues.insert(curve.bin);
        bins.push_back(curve.bin);
    }
    if (curves <= most) return drawn;
    const auto count = std::min(
        bins.size(), std::max<std::size_t>(static_cast<std::size_t>(most) * bins.size() /
                                               static_cast<std::size_t>(std::max<qsizetype>(filled, 1)),
                                           1));
    QSet<int> chosen;
    for (std::size_t i = 0; i < count; ++i) chosen.insert(bins[i * bins.size() / count]);
    if (picked && every.contains(*picked)) chosen.insert(*picked);
    drawn.series.clear();
    drawn.positions.clear();
    for (qsizetype i = 0; i < all.size(); ++i)
        if (chosen.contains(all[i].bin)) {
            drawn.series << all[i];
            drawn.positions.push_back(i);
        }
    drawn.bins = static_cast<std::size_t>(chosen.size());
    drawn.of = static_cast<std::size_t>(every.size());
    return drawn;
}

Qt::PenStyle runPattern(qsizetype run) {
    static const Qt::PenStyle patterns[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine,
                                            Qt::DashDotDotLine};
    return patterns[run % 5];
}

QString numberWithUnit(const QString& number, const QString& unit) {
    if (unit.isEmpty()) return number;
    const bool isWord = unit.size() > 2 && unit.endsWith(QLatin1Char('s')) &&
                        std::ranges::all_of(unit, [](QChar one) { return one.isLetter(); });
    const bool single = isWord && number == QStringLiteral("1");
    return number + QLatin1Char(' ') + (single ? unit.chopped(1) : unit);
}

QString titleWithUnit(const QString& title, const QString& unit) {
    return unit.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit);
}

}  // namespace ks::ui
