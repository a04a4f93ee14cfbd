#pragma once

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "core/base/error.h"
#include "core/tune/tuner.h"

class QTimer;

namespace ks::ui {
class Jobs;
}

namespace ks::ui::tune {

/// Keeps the newest tuning of each analysis and variant in files of the session, so that they are restored
/// after a restart, also after a crash.
class KeptTuning : public QObject {
    Q_OBJECT
  public:
    KeptTuning(Jobs& jobs, QObject* parent);
    /// Writes any pending tunings.
    ~KeptTuning() override;

    /// @param folder of the session; created when something is written
    void setFolder(const QString& folder) { folder_ = folder; }
    /// Reads the files, once; ends with found(), if there are any, and failed() for each that cannot be read.
    void want();
    /// Writes it soon; a later one of the same analysis and variant replaces a pending one.
    void write(std::shared_ptr<const TuneReport> report);

  signals:
    /// In the order in which they were written; not those written since want().
    void found(const std::vector<std::shared_ptr<const ks::TuneReport>>& reports);
    void failed(const ks::Error& error);

  private:
    void writeNow();

    Jobs& jobs_;
    QString folder_;
    bool wanted_ = false;
    /// With the names of their files, in the order of the calls.
    std::vector<std::pair<QString, std::shared_ptr<const TuneReport>>> waiting_;
    std::set<QString> written_;  ///< names of files
    QTimer* later_;
};

}  // namespace ks::ui::tune
