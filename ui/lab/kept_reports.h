#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/run/registry.h"
#include "ui/lab/comparison.h"

namespace ks::ui {
class Jobs;
class UnkeptWork;
}  // namespace ks::ui

namespace ks::ui::lab {

/// Keeps the newest finished measurement of each analysis from one start to the next, in one file per device:
/// "lab-matmul-1.json", written as by `bench --json`. All work is done by jobs in the order of the calls; a
/// file appears only when it is complete.
class KeptReports : public QObject {
    Q_OBJECT
  public:
    /// @param jobs outlives it, as does `unkept`
    KeptReports(Jobs& jobs, UnkeptWork& unkept, std::shared_ptr<const Registry> registry,
                QObject* parent = nullptr);

    /// Folder of the files. Until it is set, nothing is kept.
    void setFolder(const QString& folder);
    /// Reads the files of an analysis, once: found() or failed() for each file.
    void want(const std::string& analysis);
    /// @param device position among the devices of the measurement; the first one replaces all earlier files
    void write(const std::shared_ptr<const Compared>& measured, std::size_t device);
    /// Removes the files of an analysis.
    void clear(const std::string& analysis);

  signals:
    /// A report requested by want(), with Compared::kept; those of one analysis come in the order of devices.
    void found(const std::shared_ptr<ks::ui::lab::Compared>& report);
    /// A file cannot be read, and is ignored. That one cannot be written is reported by UnkeptWork.
    void failed(const ks::Error& error);

  private:
    Jobs& jobs_;
    UnkeptWork& unkept_;
    std::shared_ptr<const Registry> registry_;
    QString folder_;                ///< empty: nothing is kept
    std::set<std::string> wanted_;  ///< analyses that were read, or whose files were replaced
    /// Names of the files that belong to the newest measurement of each analysis.
    std::map<std::string, std::shared_ptr<std::set<QString>>> own_;
    int job_ = 0;  ///< number of the newest job: unique subjects, so that no job makes another one stale
};

/// Reads a file written by `bench --json` or the page Lab. Sizes unknown to the version that wrote it have
/// their defaults. Throws ks::Error(input) if it is not such a file, is damaged, or is of an unknown
/// analysis.
std::shared_ptr<Compared> readReport(const std::string& path, const Registry& registry);

}  // namespace ks::ui::lab
