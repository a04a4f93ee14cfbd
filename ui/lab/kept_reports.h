#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/run/registry.h"
#include "ui/lab/comparison.h"

namespace ks::ui {
class Jobs;
}

namespace ks::ui::lab {

/// The newest finished measurement of each analysis as files, one a device, from one start to the next:
/// "lab-matmul-1.json" as `bench --json` writes it. All is done by jobs, in the order in which it is asked
/// for; a file appears when it is whole.
class KeptReports : public QObject {
    Q_OBJECT
  public:
    /// @param jobs outlives it
    KeptReports(Jobs& jobs, std::shared_ptr<const Registry> registry, QObject* parent = nullptr);

    /// Where they lie. Before that, nothing is kept.
    void setFolder(const QString& folder);
    /// Reads those of an analysis, once: found() or failed() for each file.
    void want(const std::string& analysis);
    /// @param device position among those of the measurement; the first one takes the place of all before
    void write(const BenchReport& report, std::size_t device);
    /// Removes those of an analysis.
    void clear(const std::string& analysis);

  signals:
    /// One of those that want() reads, with Compared::kept; of one analysis in the order of devices.
    void found(const std::shared_ptr<ks::ui::lab::Compared>& report);
    /// A file cannot be read, and is left out, or written.
    void failed(const ks::Error& error);

  private:
    Jobs& jobs_;
    std::shared_ptr<const Registry> registry_;
    QString folder_;                ///< empty: nothing is kept
    std::set<std::string> wanted_;  ///< analyses that were read, or took place of what was there
    int job_ = 0;                   ///< number of the newest, so that none makes another one stale
};

}  // namespace ks::ui::lab
