#include "ui/xpcs/fit/curve_fits.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/progress.h"
#include "core/io/files/data_name.h"
#include "core/record/made_elsewhere.h"
#include "core/run/repeats/repeats.h"
#include "core/xpcs/g2_fit.h"
#include "ui/base/count_text.h"
#include "ui/files/open_file.h"

namespace ks::ui::xpcs {
namespace {

/// The line has points between delays that are far apart on a logarithmic axis, as the first delays are.
constexpr int pointsBetween = 8;
constexpr double farApart = 1.085;

QVector<double> positions(const ks::xpcs::CurvesToFit& curves) {
    QVector<double> x;
    for (std::size_t delay = 1; delay < curves.delays; ++delay) {
        const double from = curves.time(delay);
        x << from;
        if (delay + 1 == curves.delays) continue;
        const double to = curves.time(delay + 1);
        if (to < farApart * from) continue;
        for (int i = 1; i < pointsBetween; ++i)
            x << from + (to - from) * static_cast<double>(i) / pointsBetween;
    }
    return x;
}

/// Throws ks::Error(input) where the choice is wrong.
ks::xpcs::ChosenFit chosenFit(const Run& run, const FitChoice& choice, const std::string& unit) {
    return {.model = choice.made(unit),
            .seconds = unit == "s",
            .leaves_out = [choice, data = dataOfCurves(run), unit](std::size_t bin, double x) {
                return choice.leavesOut(x, static_cast<int>(bin) + 1, data, unit);
            }};
}

}  // namespace

ErrorSource sourceOf(const ks::xpcs::BinFit& fit) {
    return fit.groups > 0 ? ErrorSource::pixels : ErrorSource::weights;
}

QString weightsText(const FittedRun& run) {
    if (run.elsewhere) return CurveFits::tr("the errors of g\u2082 in the file");
    return run.errorsOfG2 == "published"
               ? CurveFits::tr("the published error of g\u2082")
               : CurveFits::tr("the error of g\u2082 by %1").arg(QString::fromStdString(run.errorsOfG2));
}

bool isMeant(const FittedRun& run, std::size_t bin, BinsMeant bins) {
    return run.table.bins[bin].converged &&
           (bins == BinsMeant::converged || (run.shown[bin] && run.q[bin] > 0));
}

ErrorsText errorsText(const std::vector<FittedRun>& fits, BinsMeant bins, const QString& mark) {
    ErrorsText made;
    QStringList sources;
    for (const FittedRun& run : fits)
        for (std::size_t bin = 0; bin < run.table.bins.size(); ++bin) {
            if (!isMeant(run, bin, bins)) continue;
            const bool ofPixels = sourceOf(run.table.bins[bin]) == ErrorSource::pixels;
            ++(ofPixels ? made.pixels : made.weights);
            if (!ofPixels) sources << weightsText(run);
        }
    sources.removeDuplicates();
    const QString from = sources.join(CurveFits::tr(" or "));
    const auto counts = [](std::size_t n) {
        return counted(n, CurveFits::tr("1 bin"), CurveFits::tr("%1 bins"));
    };
    if (made.pixels > 0 && made.weights == 0)
        made.text = CurveFits::tr("Errors from the spread between groups of pixels.");
    else if (made.pixels > 0)
        made.text = CurveFits::tr(
                        "Errors of %1 from groups of pixels, of %2%3 from %4. The latter are "
                        "several times too small, since delays are correlated.")
                        .arg(counts(made.pixels), counts(made.weights), mark, from);
    else if (made.weights > 0)
        made.text = CurveFits::tr(
                        "Errors from %1. They are several times too small, since delays are "
                        "correlated.")
                        .arg(from);
    return made;
}

std::string dataOfCurves(const Run& run) {
    const std::vector<RepeatRow> repeats = repeats_of(run);
    const auto frames = run.request.inputs.find("frames");
    if (repeats.empty() && frames == run.request.inputs.end()) return {};
    io::DataName data = io::DataName::parse(repeats.empty() ? frames->second.name : repeats.front().name);
    data.file = absolutePath(QString::fromStdString(data.file.string()));
    return data.to_string();
}

FittedRun fitted(const RunRow& row, const std::vector<int>& labelsOff, const FitChoice& choice,
                 const std::string& unit) {
    const Run& run = *row.run;
    const ks::xpcs::ChosenFit chosen = chosenFit(run, choice, unit);
    const fit::Model& model = chosen.model;
    const ks::xpcs::GroupCurves groups = ks::xpcs::kept_groups_of(run);
    if (groups.bins.empty() && !run.variant.computes("g2_err"))
        throw Error(ErrorKind::run,
                    runLabel(row).toStdString() + " has no errors of g2, which a fit needs" +
                        (made_elsewhere(run) ? ""
                         : choice.withRuns   ? ": press Run (F5) for errors from the pixels"
                                             : ": tick \"Errors from the pixels\" and press Run (F5)"));
    ks::xpcs::CurvesToFit curves = chosen.curves_of(run, groups);
    curves.errors = ks::xpcs::WithoutGroups::weights;
    Progress progress;
    const std::vector<fit::Fit> fits = ks::xpcs::fit_curves(model, curves, groups, progress);
    FittedRun made{.number = row.number,
                   .label = runLabel(row),
                   .table = ks::xpcs::fit_table(model, fits, curves.frame_time.has_value()),
                   .q = {},
                   .elsewhere = made_elsewhere(run).has_value(),
                   .errorsOfG2 = "published",
                   .lines = std::vector<FittedRun::Line>(curves.bins),
                   .errors = std::vector<QVector<double>>(curves.bins),
                   .unusedDelays = {},
                   .shown = std::vector<bool>(curves.bins)};
    for (std::size_t delay = 1; delay < curves.delays; ++delay) made.unusedDelays << !curves.has_pairs(delay);
    for (std::size_t bin = 0; bin < curves.bins; ++bin)
        for (std::size_t delay = 1; delay < curves.delays; ++delay)
            made.errors[bin] << curves.g2_err[bin * curves.delays + delay];
    for (std::size_t bin = 0; bin < curves.bins; ++bin)
        made.shown[bin] = std::ranges::find(labelsOff, static_cast<int>(bin) + 1) == labelsOff.end() &&
                          std::ranges::any_of(curves.g2.subspan(bin * curves.delays, curves.delays),
                                              [](double value) { return std::isfinite(value); });
    const auto errors = run.result.facts.find("errors");
    if (errors != run.result.facts.end() && errors->is_string()) made.errorsOfG2 = errors->get<std::string>();
    if (const Dataset* const q = run.result.find("q")) made.q = q->values.to_doubles();
    made.q.resize(curves.bins, std::nan(""));
    const QVector<double> x = positions(curves);
    std::vector<double> gradient(model.parameters.size());
    for (std::size_t bin = 0; bin < curves.bins; ++bin) {
        if (fits[bin].status.state != fit::State::converged) continue;
        FittedRun::Line& line = made.lines[bin];
        line.x = x;
        for (const double at : x) line.y << model.function(at, fits[bin].values, gradient);
    }
    return made;
}

Run withChosenFit(const RunRow& row, const FitChoice& choice, const std::string& unit) {
    Progress progress;
    try {
        return ks::xpcs::with_fit(*row.run, chosenFit(*row.run, choice, unit), progress);
    } catch (const Error&) {
        return *row.run;  // the page says why there is no fit
    }
}

void CurveFits::fit(const std::vector<RunRow>& runs, const BinsOff& off, const FitChoice& choice,
                    const std::string& unit) {
    next_ = Wanted{runs, off, choice, unit};
    if (!busy_) start();
}

void CurveFits::start() {
    Wanted wanted = *std::exchange(next_, std::nullopt);
    if (!wanted.choice.any() || wanted.runs.empty()) {
        const bool changed = !fits_.empty() || !problem_.isEmpty();
        fits_.clear();
        tried_.clear();
        problem_.clear();
        if (changed) emit made();
        return;
    }
    struct Made {
        std::vector<FittedRun> fits;
        QString problem;
    };
    std::set<int> numbers;
    for (const RunRow& row : wanted.runs) numbers.insert(row.number);
    busy_ = true;
    const auto end = [this, numbers](Made result) {
        busy_ = false;
        tried_ = numbers;
        fits_ = std::move(result.fits);
        problem_ = result.problem;
        if (next_) start();
        emit made();
    };
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("fits"),
        [wanted = std::move(wanted)] {
            Made result;
            for (const RunRow& row : wanted.runs) {
                try {
                    result.fits.push_back(fitted(row, wanted.off.of(*row.run), wanted.choice, wanted.unit));
                } catch (const Error& error) {
                    result.problem = QString::fromStdString(error.message());
                }
            }
            return result;
        },
        end,
        [end](const Error& error) {
            end({{}, QString::fromStdString(error.message())});
        });
}

QStringList addFits(QVector<CurveSeries>& series, const std::vector<int>& numbers,
                    const std::vector<FittedRun>& fits, const FitChoice& choice, const std::string& unit,
                    bool byContrast, const std::map<int, std::string>& data) {
    if (!choice.any()) return {};
    QVector<CurveSeries> points, lines;
    QStringList removed;
    for (qsizetype i = 0; i < series.size(); ++i) {
        CurveSeries curve = series[i];
        curve.style = CurveStyle::scatter;
        QVector<bool> out(curve.x.size(), false);
        const auto of = data.find(numbers[static_cast<std::size_t>(i)]);
        const auto fit = std::ranges::find(fits, numbers[static_cast<std::size_t>(i)], &FittedRun::number);
        const bool pairsKnown = fit != fits.end() && fit->unusedDelays.size() == curve.x.size();
        for (qsizetype k = 0; k < curve.x.size(); ++k)
            out[k] =
                (pairsKnown && fit->unusedDelays[k]) ||
                choice.leavesOut(curve.x[k], curve.bin, of == data.end() ? std::string() : of->second, unit);
        if (out.contains(true)) curve.leftOut = out;
        const auto bin = static_cast<std::size_t>(curve.bin) - 1;
        const bool fitted = fit != fits.end() && bin < fit->lines.size() && !fit->lines[bin].x.isEmpty();
        const double contrast = fitted && byContrast ? fit->table.of(contrastName, bin).first : 0;
        if (byContrast && !(std::isfinite(contrast) && contrast != 0)) {
            const QString number = QString::number(curve.bin);
            removed << (curve.run.isEmpty() ? number : CurveFits::tr("%1 of %2").arg(number, curve.run));
            continue;
        }
        if (fitted && fit->errors[bin].size() == curve.x.size()) curve.fitErrors = fit->errors[bin];
        const auto scale = [contrast](QVector<double>& values, double offset) {
            for (double& value : values) value = (value - offset) / contrast;
        };
        if (byContrast) {
            scale(curve.y, 1);
            for (QVector<double>* const errors : {&curve.yerr, &curve.fitErrors}) {
                scale(*errors, 0);
                for (double& error : *errors) error = std::abs(error);
            }
        }
        points << curve;
        if (!fitted) continue;
        CurveSeries line{curve.label + QStringLiteral(" fit"),
                         curve.bin,
                         curve.run,
                         fit->lines[bin].x,
                         fit->lines[bin].y,
                         {},
                         CurveStyle::line};
        if (byContrast) scale(line.y, 1);
        line.foreign = curve.foreign;
        line.basis = curve.basis;
        if (!curve.labelInFull.isEmpty()) line.labelInFull = curve.labelInFull + QStringLiteral(", fit");
        line.runInFull = curve.runInFull;
        lines << line;
    }
    series = points + lines;
    return removed;
}

}  // namespace ks::ui::xpcs
