#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/request.h"
#include "ui/clusters/cluster_plots.h"
#include "ui/clusters/steps/step_trace.h"

namespace ks::ui::clusters {

class DigiSet;

/// Records one module step by step: requests runs that record, and finds the traces of displayed runs. On a
/// device a variant records only its algorithm; then the reference, which records both, is requested for
/// the other one.
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
    /// @param digis of the runs
    /// @param slot of the displayed module; nullopt: none
    void setRuns(const std::vector<ShownRun>& runs, const DigiSet* digis, std::optional<std::size_t> slot);

    /// Null: no displayed run has recorded a module.
    const std::shared_ptr<const StepTrace>& trace() const { return trace_; }
    /// The same if it belongs to this module; otherwise null.
    std::shared_ptr<const StepTrace> traceOf(std::optional<std::size_t> slot) const;
    /// "Module 512, run 7, sparse.sorted".
    const QString& name() const { return name_; }

  signals:
    /// A run is requested; its request must pass through fill() during this signal.
    void wanted();
    void failed(const ks::Error& error);

  private:
    void ask(const std::optional<std::string>& variant);
    void find(const ShownRun& shown, const DigiSet& digis);
    void complete(std::optional<std::size_t> slot);

    std::shared_ptr<const StepTrace> trace_;
    QString name_;
    bool asking_ = false;                 ///< wanted() is being emitted
    std::optional<std::string> variant_;  ///< of the requested run; nullopt: the chosen one
    bool completing_ = false;             ///< a run of the other algorithm follows
};

}  // namespace ks::ui::clusters
