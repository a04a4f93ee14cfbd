#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/run/bench.h"
#include "ui/kernels/user_kernels.h"
#include "ui/runs/generated_problem.h"
#include "ui/shell/page_runs.h"
#include "ui/shell/variant_timer.h"

namespace ks::ui {

struct Workbench;

/// Runs kernels that are being edited, on the data of the analysis' page or on a generated problem, between
/// guard zones and with a check of a sample. If that passes, the kernel and its base are timed in turn.
class KernelTrials : public QObject {
    Q_OBJECT
  public:
    /// @param bench outlives it
    KernelTrials(Workbench& bench, QObject* parent);

    /// Runs what it requests, and passes the results to it.
    void follow(UserKernels& kernels);
    /// Data that trials of an analysis can use, the page's data first.
    std::vector<TrialDataChoice> dataChoices(const QString& analysis) const;
    /// The choices of the analysis' page that decide which launch of a kernel is judged, as in AccessPlan;
    /// nothing if the page cannot run.
    QStringList pageChoices(const QString& analysis) const;

    /// The same variants on the same data, to be timed elsewhere; a generated problem of the usual size is
    /// that of the page which times them.
    Measurement measurement(const QString& analysis, const QStringList& variants,
                            std::optional<TrialData> data) const;

  signals:
    /// @param shown the kernel is still open, and was notified
    void failed(const ks::Error& error, bool shown);
    /// A trial ran to its end, whatever its verdict.
    void passed();
    void placeWanted(const QString& analysis, const ks::VerdictPlace& place);

  private:
    struct Trial {
        QPointer<UserKernels> kernels;
        KernelTrial what;
        QString problem = {};            ///< of a generated problem, as in TrialResult; empty: the page's
        Request request = {};            ///< of its run
        std::optional<int> number = {};  ///< of its run
        std::shared_ptr<const io::TemporaryFolder> folder = {};  ///< of a generated problem's files
        TrialResult result = {};
        bool ended = false;  ///< its run has ended, or it failed before
    };
    void start(UserKernels& kernels, const KernelTrial& what);
    /// Ends the newest one: its results so far stay.
    void cancel();
    void showStep(double fraction, const QString& stage);
    void generate();
    /// See VariantTimer.
    TimedSizes timedSizes(const QString& analysis) const;
    void run(Request request, bool ticked);
    /// Another trial replaces the newest one, whose results so far stay; its current run continues.
    void retire();
    /// The variant that the newest kernel was copied from; null: not known.
    const Variant* base() const;
    void take(int number, const std::shared_ptr<const Run>& run);
    void takeEarlier(int number, const std::shared_ptr<const Run>& run);
    void putVerdict(Trial& trial, const Run& run) const;
    /// Description of the page's data used by a run, with the sizes for which the page has fields.
    QString pageProblem(const Run& run) const;
    void time(const Run& run);
    void takeTimes(const BenchReport& report);
    /// After a kernel that did not end: runs its base once on the same problem, and adds its time to the
    /// error.
    void timeBase(const Error& error);
    /// Why there are no times.
    void noTimes(const QString& why);
    void fail(int number, const Error& error);
    void tell(const Error& error) { tell(*trial_, error); }
    void tell(const Trial& of, const Error& error);
    void show() { show(*trial_); }
    void show(const Trial& of) const;
    bool isNewest(const Trial& trial) const;
    /// Whether the kernel of a trial is open and has not been tried again since.
    bool isShown(const Trial& of) const;

    Workbench& bench_;
    std::optional<Trial> trial_;  ///< the newest one requested
    std::vector<Trial> earlier_;  ///< whose runs are still awaited
    quint64 started_ = 0;         ///< trials so far; later results of an older one are ignored
    struct Generated {
        ParameterSet given;  ///< sizes
        GeneratedProblem problem;
    };
    std::map<std::pair<QString, GeneratedSize>, Generated> generated_;  ///< the newest ones, by analysis
};

}  // namespace ks::ui
