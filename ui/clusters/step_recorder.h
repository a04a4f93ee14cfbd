#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/run/request.h"
#include "ui/clusters/cluster_plots.h"
#include "ui/clusters/steps/step_trace.h"

namespace ks::ui::clusters {

class DigiSet;

/// Records one module step by step: requests a run that records, and finds the trace of displayed runs. A
/// trace is of one run; many variants record only rounds, or only trees.
class StepRecorder : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Whether a variant of this build records its steps.
    static bool isPossible();
    /// Requests a run of the chosen variant that records the module.
    void start();
    /// Adds to a request the parameters that make the run record. @param slot of the module
    void fill(Request& request, std::size_t slot) const;
    /// Uses the trace of the first run that recorded one.
    /// @param digis of the runs; null: there are none
    void setRuns(const std::vector<ShownRun>& runs, const DigiSet* digis);

    /// Null: no displayed run has recorded a module.
    const std::shared_ptr<const StepTrace>& trace() const { return trace_; }
    /// The same if it belongs to this module; otherwise null.
    std::shared_ptr<const StepTrace> traceOf(std::optional<std::size_t> slot) const;
    /// The run of trace(); its `run` is null without a trace.
    const ShownRun& recorded() const { return recorded_; }
    /// "Module 512, run 7, sparse.sorted".
    const QString& name() const { return name_; }

  signals:
    /// A run is requested; its request must pass through fill() during this signal.
    void wanted();
    void failed(const ks::Error& error);

  private:
    void forget();
    void find(const ShownRun& shown, const DigiSet& digis);

    std::shared_ptr<const StepTrace> trace_;
    ShownRun recorded_;
    QString name_;
    bool asking_ = false;  ///< wanted() is being emitted
};

}  // namespace ks::ui::clusters
