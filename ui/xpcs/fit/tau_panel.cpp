#include "ui/xpcs/fit/tau_panel.h"

#include <QComboBox>
#include <QLabel>
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/xpcs/diffusion.h"
#include "ui/base/count_text.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/plots/curve_plot.h"
#include "ui/xpcs/fit/optional_number.h"

namespace ks::ui::xpcs {
namespace {

constexpr double angstrom = 1e-10;          // m
constexpr double squareMicrometres = 1e-8;  // of a square angstrom
constexpr int linePoints = 60;

struct Quantity {
    const char* key;
    QString item, x, xUnit, y;
    bool logarithmic;
};

Quantity quantityOf(TauPanel::Shown shown) {
    const QString perAngstrom = QStringLiteral("1/\u00c5");
    switch (shown) {
        case TauPanel::Tau:
            return {"tau",       TauPanel::tr("\u03c4 against q"), QStringLiteral("q"),
                    perAngstrom, QStringLiteral("\u03c4"),         true};
        case TauPanel::Gamma:
            return {"gamma",     TauPanel::tr("\u03b3 against q"), QStringLiteral("q"),
                    perAngstrom, QStringLiteral("\u03b3"),         true};
        case TauPanel::GammaOfSquare:
            return {"gamma_of_square",         TauPanel::tr("\u03b3 against q\u00b2"),
                    QStringLiteral("q\u00b2"), QStringLiteral("1/\u00c5\u00b2"),
                    QStringLiteral("\u03b3"),  false};
        case TauPanel::Beta:
            return {"beta",      TauPanel::tr("\u03b2 against q"), QStringLiteral("q"),
                    perAngstrom, QStringLiteral("\u03b2"),         false};
    }
    return {};
}

constexpr TauPanel::Shown allShown[] = {TauPanel::Tau, TauPanel::Gamma, TauPanel::GammaOfSquare,
                                        TauPanel::Beta};

QVector<double> spaced(double from, double to, bool logarithmic) {
    QVector<double> x;
    for (int i = 0; i <= linePoints; ++i) {
        const double share = static_cast<double>(i) / linePoints;
        x << (logarithmic ? from * std::pow(to / from, share) : from + share * (to - from));
    }
    return x;
}

CurveSeries pointsOf(const FittedRun& run, TauPanel::Shown shown) {
    CurveSeries points;
    points.style = CurveStyle::scatter;
    if (shown != TauPanel::Beta && !run.table.has_rate) return points;
    std::vector<std::size_t> order;
    for (std::size_t bin = 0; bin < run.table.bins.size(); ++bin)
        if (isMeant(run, bin, BinsMeant::overQ)) order.push_back(bin);
    std::ranges::sort(order, {}, [&run](std::size_t bin) { return run.q[bin]; });
    for (const std::size_t bin : order) {
        const ks::xpcs::BinFit& one = run.table.bins[bin];
        const auto [value, error] = shown == TauPanel::Tau
                                        ? std::pair(one.tau, one.tau_error)
                                        : run.table.of(shown == TauPanel::Beta ? "beta" : "gamma", bin);
        if (!std::isfinite(value)) continue;
        points.x << (shown == TauPanel::GammaOfSquare ? run.q[bin] * run.q[bin] : run.q[bin]);
        points.y << value;
        points.yerr << error;
    }
    return points;
}

/// The law that belongs to what is shown; without points if there is none.
CurveSeries lineOf(const ks::xpcs::Dispersion& found, TauPanel::Shown shown, const CurveSeries& points) {
    CurveSeries line;
    line.style = CurveStyle::line;
    if (points.x.isEmpty()) return line;
    const double first = points.x.first(), last = points.x.last();
    const auto& law = shown == TauPanel::Tau ? found.tau : found.gamma;
    if (shown == TauPanel::GammaOfSquare && found.diffusion) {
        line.x = spaced(0, last, false);
        for (const double square : line.x) line.y << found.diffusion->value * square;
    } else if ((shown == TauPanel::Tau || shown == TauPanel::Gamma) && law) {
        line.x = spaced(first, last, true);
        for (const double q : line.x) line.y << law->amplitude * std::pow(q / law->pivot, law->exponent);
    }
    return line;
}

/// Very large and very small values as "2.51(3) x 10^6".
QString scientific(double value, double error) {
    if (!std::isfinite(value) || value == 0) return formatWithError(value, error);
    const double exponent = std::floor(std::log10(std::abs(value)));
    if (exponent >= -3 && exponent < 5) return formatWithError(value, error);
    const double scale = std::pow(10.0, exponent);
    return QStringLiteral("%1 \u00d7 10^%2")
        .arg(formatWithError(value / scale, error / scale))
        .arg(static_cast<int>(exponent));
}

}  // namespace

TauPanel::TauPanel(QWidget* parent)
    : QWidget(parent),
      shown_(new QComboBox),
      temperature_(new OptionalNumber(tr("unknown"))),
      viscosity_(new OptionalNumber(tr("unknown"))),
      plot_(new CurvePlot),
      result_(new QLabel) {
    for (const Shown one : allShown) shown_->addItem(quantityOf(one).item, static_cast<int>(one));
    named(shown_, tr("Plot of the fitted parameters"), tr("What is drawn against q"));
    shown_->setObjectName(QStringLiteral("tauShown"));
    temperature_->setSuffix(QStringLiteral(" K"));
    temperature_->setSuggested(298.15);
    named(temperature_, tr("Temperature"), tr("Temperature of the sample, for the hydrodynamic radius"));
    temperature_->setObjectName(QStringLiteral("tauTemperature"));
    viscosity_->setSuffix(QStringLiteral(" mPa s"));
    viscosity_->setSuggested(0.89);
    named(viscosity_, tr("Viscosity"),
          tr("Viscosity of the solvent, for the hydrodynamic radius; 0.89 mPa s is that of water at 25 "
             "\u00b0C"));
    viscosity_->setObjectName(QStringLiteral("tauViscosity"));
    plot_->setAccessibleName(tr("Fitted parameters against q"));
    result_->setObjectName(QStringLiteral("tauResult"));
    named(result_, tr("Power law and diffusion coefficient"));
    result_->setWordWrap(true);
    result_->setTextFormat(Qt::PlainText);
    result_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    result_->setContentsMargins(6, 0, 6, 2);
    auto* row = inColumns({shown_,
                           new QLabel(QStringLiteral("T")),
                           {temperature_, 1},
                           new QLabel(QStringLiteral("\u03b7")),
                           {viscosity_, 1}},
                          6, {6, 4, 6, 0});
    setLayout(inRows({row, {plot_, 1}, result_}, 2));
    connect(shown_, &QComboBox::currentIndexChanged, this, [this] {
        show();
        plot_->resetZoom();
        emit changed();
    });
    for (OptionalNumber* one : {temperature_, viscosity_})
        connect(one, &QDoubleSpinBox::valueChanged, this, [this] {
            show();
            emit changed();
        });
    show();
}

TauPanel::Shown TauPanel::shown() const {
    return static_cast<Shown>(shown_->currentData().toInt());
}

void TauPanel::setShown(Shown shown) {
    shown_->setCurrentIndex(shown_->findData(static_cast<int>(shown)));
}

void TauPanel::setFits(const std::vector<FittedRun>& fits, const QString& hint, const QString& standing) {
    fits_ = fits;
    hint_ = hint;
    standing_ = standing;
    show();
}

QString TauPanel::resultText() const {
    return result_->text();
}

void TauPanel::show() {
    const Quantity what = quantityOf(shown());
    QVector<CurveSeries> series;
    QStringList results;
    QString time = QStringLiteral("s"), note;
    bool knownQ = false, rate = false, other = false;
    for (std::size_t i = 0; i < fits_.size(); ++i) {
        const FittedRun& run = fits_[i];
        time = QString::fromStdString(run.table.unit_of_t);
        knownQ = knownQ || std::ranges::any_of(run.q, [](double q) { return q > 0; });
        rate = rate || run.table.has_rate;
        other = other || run.table.lacks_rate();
        CurveSeries points = pointsOf(run, shown());
        if (points.x.isEmpty()) continue;
        points.bin = static_cast<int>(i) + 1;
        points.label = run.label;
        const ks::xpcs::Dispersion found = ks::xpcs::dispersion(run.table, run.q, run.shown);
        CurveSeries line = lineOf(found, shown(), points);
        line.bin = points.bin;
        line.label =
            shown() == GammaOfSquare ? tr("%1 D q\u00b2").arg(run.label) : tr("%1 power law").arg(run.label);
        series << points;
        if (!line.x.isEmpty()) series << line;
        if (const QString result = resultOf(run); !result.isEmpty())
            results << (fits_.size() > 1 ? run.label + QStringLiteral(": ") + result : result);
    }
    const QString rateUnit = time == QLatin1String("s") ? QStringLiteral("1/s") : QStringLiteral("1/frame");
    plot_->setEmptyText(
        fits_.empty()              ? hint_
        : !rate && shown() != Beta ? (other ? tr("gamma is no rate in this formula, which is no function of "
                                                 "gamma t:\nit gives neither \u03c4 nor D")
                                            : tr("The formula has no parameter gamma, so it gives no \u03c4"))
        : !knownQ ? tr("q of the bins is unknown: complete the geometry in the tab Set-up, and "
                       "press Run (F5)")
                  : tr("No fit has converged"));
    plot_->setXAxis(what.x, what.xUnit);
    plot_->setYAxis(what.y, shown() == Tau ? time : shown() == Beta ? QString() : rateUnit);
    plot_->setLogX(what.logarithmic);
    plot_->setLogY(what.logarithmic);
    plot_->setLegendVisible(fits_.size() > 1);
    plot_->setSeries(series);
    QStringList notes{standing_};
    if (shown() != Beta && results.size() == 1) notes << results.first().section(QLatin1Char('\n'), 0, 0);
    plot_->setNote(series.isEmpty() ? QString() : joinedTexts(notes, QStringLiteral("\n")));
    if (!results.isEmpty() && !standing_.isEmpty()) results.prepend(standing_);
    result_->setText(results.join(QLatin1Char('\n')));
    result_->setVisible(!results.isEmpty());
}

QString TauPanel::resultOf(const FittedRun& run) const {
    const ks::xpcs::Dispersion found = ks::xpcs::dispersion(run.table, run.q, run.shown);
    QStringList parts;
    const auto law = [&parts](const QString& name, const std::optional<fit::PowerLaw>& of) {
        if (!of || of->points < 2) return;
        parts << tr("%1 \u221d %2 from %3 bins")
                     .arg(name, QStringLiteral("q^") + formatWithError(of->exponent, of->exponent_error))
                     .arg(of->points);
    };
    if (shown() == Tau) law(QStringLiteral("\u03c4"), found.tau);
    if (shown() != Tau) law(QStringLiteral("\u03b3"), found.gamma);
    // The first line is that of the drawn line.
    const QString powers = parts.join(QStringLiteral("; "));
    const bool drawsDiffusion = shown() == GammaOfSquare && found.diffusion;
    QString text = drawsDiffusion ? QString() : powers;
    if (found.diffusion) {
        const ks::xpcs::WithError& d = *found.diffusion;
        const QString unit = found.per_second ? QStringLiteral("s") : QStringLiteral("frame");
        QString line = tr("\u03b3 = D q\u00b2 gives D = %1 \u00c5\u00b2/%2 = %3 \u00b5m\u00b2/%2")
                           .arg(scientific(d.value, d.error), unit,
                                scientific(d.value * squareMicrometres, d.error * squareMicrometres));
        if (std::isfinite(found.diffusion_chi2_reduced))
            line += tr(", \u03c7\u00b2 per degree of freedom %1")
                        .arg(formatNumber(found.diffusion_chi2_reduced, 3));
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + line;
        const std::optional<double> temperature = temperature_->number(), viscosity = viscosity_->number();
        if (found.per_second && temperature && viscosity && *temperature > 0 && *viscosity > 0 &&
            d.value > 0) {
            const ks::xpcs::WithError radius =
                ks::xpcs::hydrodynamic_radius({d.value * angstrom * angstrom, d.error * angstrom * angstrom},
                                              *temperature, *viscosity * 1e-3);
            text += QLatin1Char('\n') +
                    tr("Hydrodynamic radius %1 nm").arg(scientific(radius.value * 1e9, radius.error * 1e9));
        }
    }
    if (drawsDiffusion && !powers.isEmpty()) text += QLatin1Char('\n') + powers;
    const ErrorsText errors = errorsText({run}, BinsMeant::overQ);
    if (!text.isEmpty() && errors.weights > 0) text += QLatin1Char('\n') + errors.text;
    return text;
}

nlohmann::json TauPanel::keep() const {
    nlohmann::json kept{{"shown", quantityOf(shown()).key}};
    if (const auto value = temperature_->number()) kept["temperature"] = *value;
    if (const auto value = viscosity_->number()) kept["viscosity"] = *value;
    return kept;
}

void TauPanel::bringBack(const nlohmann::json& kept) {
    const QString wanted = jsonText(kept, "shown", QStringLiteral("tau"));
    for (const Shown one : allShown)
        if (wanted == QLatin1String(quantityOf(one).key)) setShown(one);
    const auto positive = [&kept](const char* key) {
        const double value = jsonNumber(kept, key);
        return value > 0 ? std::optional(value) : std::nullopt;
    };
    temperature_->setNumber(positive("temperature"));
    viscosity_->setNumber(positive("viscosity"));
    show();
}

}  // namespace ks::ui::xpcs
