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

/// Records one module step by step: asks for runs that do, and finds what shown runs have recorded. On a
/// device a variant records its own algorithm alone; then the reference, which records both, is asked for
/// the other one.
class StepRecorder : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Whether a variant of this build records its steps.
    static bool isPossible();
    /// Asks for a run of the chosen variant that records the module.
    void start();
    /// Adds to the request of a run that is asked for what makes it record. @param slot of the module
    void fill(Request& request, std::size_t slot) const;
    /// Takes what the first of them has recorded that has recorded anything.
    /// @param digis of the runs @param slot of the module that is shown; nothing: none is
    void setRuns(const std::vector<ShownRun>& runs, const DigiSet* digis, std::optional<std::size_t> slot);

    /// Null: no shown run has recorded a module.
    const std::shared_ptr<const StepTrace>& trace() const { return trace_; }
    /// The same where it is of this module; else null.
    std::shared_ptr<const StepTrace> traceOf(std::optional<std::size_t> slot) const;
    /// "Module 512, run 7, sparse.sorted".
    const QString& name() const { return name_; }

  signals:
    /// A run is wanted now; its request passes through fill() before this ends.
    void wanted();
    void failed(const ks::Error& error);

  private:
    void ask(const std::optional<std::string>& variant);
    void find(const ShownRun& shown, const DigiSet& digis);
    void complete(std::optional<std::size_t> slot);

    std::shared_ptr<const StepTrace> trace_;
    QString name_;
    bool asking_ = false;                 ///< wanted() is under way
    std::optional<std::string> variant_;  ///< of the run that is asked for; nothing: the chosen one
    bool completing_ = false;             ///< after it one of the other algorithm is wanted
};

}  // namespace ks::ui::clusters
