#pragma once

#include <memory>
#include <set>
#include <vector>

#include <QObject>
#include <QString>

#include "core/base/error.h"
#include "core/tune/tuner.h"

namespace ks::ui {
class Jobs;
class UnkeptWork;
}  // namespace ks::ui

namespace ks::ui::tune {

/// Keeps the newest tuning of each analysis and variant in files of the session, so that they are restored
/// after a restart, also after a crash.
class KeptTuning : public QObject {
    Q_OBJECT
  public:
    /// Both outlive it.
    KeptTuning(Jobs& jobs, UnkeptWork& unkept, QObject* parent);

    /// @param folder of the session; created when something is written
    void setFolder(const QString& folder) { folder_ = folder; }
    /// Reads the files, once; ends with found(), if there are any, and failed() for each that cannot be read.
    void want();
    /// Replaces the kept tuning of this analysis and variant, at once if possible. What writePart() wrote of
    /// it is removed.
    void write(const std::shared_ptr<const TuneReport>& report);
    /// Writes a tuning in progress soon, next to the kept one, which stays until this one is complete.
    void writePart(const std::shared_ptr<const TuneReport>& report);

  signals:
    /// In the order in which they were written; not those written since want().
    void found(const std::vector<std::shared_ptr<const ks::TuneReport>>& reports);
    /// A file cannot be read. That one cannot be written is reported by UnkeptWork.
    void failed(const ks::Error& error);

  private:
    void put(const QString& leaf, const std::shared_ptr<const TuneReport>& report, const QString& removed);

    Jobs& jobs_;
    UnkeptWork& unkept_;
    QString folder_;
    bool wanted_ = false;
    std::set<QString> written_;  ///< names of files
};

}  // namespace ks::ui::tune
