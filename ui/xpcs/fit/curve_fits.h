#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QVector>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/xpcs/fit_table.h"
#include "ui/base/jobs.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/run_table_model.h"
#include "ui/xpcs/fit/fit_choice.h"
#include "ui/xpcs/run_curves.h"

namespace ks::ui::xpcs {

/// The fit of all bins of one run.
struct FittedRun {
    int number = 0;  ///< of the run; 0: of a preview
    QString label;   ///< "run 3", "preview"
    ks::xpcs::FitTable table;
    std::vector<double> q;   ///< of each bin in 1/angstrom; NaN if unknown
    bool elsewhere = false;  ///< another program computed the curves
    std::string errorsOfG2;  ///< how the run computed them, which give the weights: "published", "jackknife"
    struct Line {
        QVector<double> x, y;
    };
    std::vector<Line> lines;              ///< fitted curve of each bin; empty where the fit gives none
    std::vector<QVector<double>> errors;  ///< of g2 that the fit used, [bin][delay from 1 frame on]
    /// Delays from 1 frame on that no fit uses, since too few pairs of frames have them.
    QVector<bool> unusedDelays;
    std::vector<bool> shown;  ///< of each bin; false: it is turned off, or has no pixels
};

/// What the errors of fits are computed from.
enum class ErrorSource {
    pixels,   ///< spread between groups of pixels
    weights,  ///< error of g2: too small, since delays are correlated
};
ErrorSource sourceOf(const ks::xpcs::BinFit& fit);
/// "the published error of g2", "the error of g2 by jackknife".
QString weightsText(const FittedRun& run);

/// Of which bins a text speaks.
enum class BinsMeant {
    converged,  ///< all whose fit has converged
    overQ,      ///< those of them that are shown and have a q
};
bool isMeant(const FittedRun& run, std::size_t bin, BinsMeant bins);
/// What the errors of the bins come from, and which of them are too small.
struct ErrorsText {
    /// "Errors of 11 bins from groups of pixels, of 1 bin from the published error of g2. The latter are
    /// ...". Empty: no bin is meant.
    QString text;
    std::size_t pixels = 0;   ///< bins whose errors come from groups of pixels
    std::size_t weights = 0;  ///< bins whose errors are too small
};
/// @param mark what marks the bins whose errors are too small: " (italic)"; empty: nothing does
ErrorsText errorsText(const std::vector<FittedRun>& fits, BinsMeant bins, const QString& mark = {});

/// Fits all bins of a run. Throws ks::Error(run) if its curves cannot be fitted.
/// @param labelsOff bins that are not shown
/// @param unit of the delays: "s", or "frames" also for a run whose frame time is known
FittedRun fitted(const RunRow& row, const std::vector<int>& labelsOff, const FitChoice& choice,
                 const std::string& unit);

/// The run with the fit that fitted() makes, for a file; the run itself where there is none.
Run withChosenFit(const RunRow& row, const FitChoice& choice, const std::string& unit);

/// Fits of the shown curves, which follow curves and choice. They are made on another thread, one set after
/// another; sets that are outdated before they begin are left out.
class CurveFits : public QObject {
    Q_OBJECT
  public:
    /// @param jobs outlives it
    explicit CurveFits(Jobs& jobs, QObject* parent = nullptr) : QObject(parent), jobs_(jobs) {}

    /// @param off bins that are not shown @param unit of the curves' delays
    void fit(const std::vector<RunRow>& runs, const BinsOff& off, const FitChoice& choice,
             const std::string& unit);
    /// Those made last, of any of the runs; empty: no model is chosen, or none has been made.
    const std::vector<FittedRun>& fits() const { return fits_; }
    /// Whether the fit of this run has ended since a model is chosen, perhaps without success.
    bool tried(int number) const { return tried_.contains(number); }
    /// Fits of newer curves or of another choice are being made.
    bool busy() const { return busy_; }
    /// Why a run has no fit, or the choice is wrong; empty: nothing is.
    const QString& problem() const { return problem_; }

  signals:
    /// fits() are other ones.
    void made();

  private:
    struct Wanted {
        std::vector<RunRow> runs;
        BinsOff off;
        FitChoice choice;
        std::string unit;
    };
    void start();

    Jobs& jobs_;
    std::optional<Wanted> next_;
    std::vector<FittedRun> fits_;
    std::set<int> tried_;  ///< numbers of the runs
    QString problem_;
    bool busy_ = false;
};

/// The curves of these runs with their fits: points that are left out are marked, and a line follows for each
/// fit.
/// @param series as of g2Curves()
/// @param numbers of the run of each series
/// @param byContrast curves and fits become (g2 - 1) / beta, with the beta of their fit; curves without one
/// are removed
/// @param data dataOfCurves() by number
/// Returns the bins whose curves were removed: "3", "3 of run 2".
QStringList addFits(QVector<CurveSeries>& series, const std::vector<int>& numbers,
                    const std::vector<FittedRun>& fits, const FitChoice& choice, const std::string& unit,
                    bool byContrast = false, const std::map<int, std::string>& data = {});
/// "FILE::/path", by an absolute path: the frames of a run, or the first of the averaged repeats. Points are
/// left out of the curves of these data.
std::string dataOfCurves(const Run& run);
/// The name of the parameter of models that is the contrast.
inline constexpr const char* contrastName = "beta";

}  // namespace ks::ui::xpcs
