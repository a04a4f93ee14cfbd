#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "core/base/error.h"
#include "core/tune/tuner.h"

class QTimer;

namespace ks::ui {
class Jobs;
}

namespace ks::ui::tune {

/// The tuning that the page shows, in a file of the session: it is there again after a restart, also after a
/// crash.
class KeptTuning : public QObject {
    Q_OBJECT
  public:
    KeptTuning(Jobs& jobs, QObject* parent);
    /// Writes what is not yet written.
    ~KeptTuning() override;

    /// @param folder of the session; is made where something is written
    void setFolder(const QString& folder) { folder_ = folder; }
    /// Reads the file, once; found() or failed() tells of its end, neither where there is none.
    void want();
    /// Writes it soon; a later one takes the place of one that waits.
    void write(std::shared_ptr<const TuneReport> report);

  signals:
    void found(const std::shared_ptr<const ks::TuneReport>& report);
    void failed(const ks::Error& error);

  private:
    std::string file() const;
    void writeNow();

    Jobs& jobs_;
    QString folder_;
    bool wanted_ = false;
    std::shared_ptr<const TuneReport> waiting_;
    QTimer* later_;
};

}  // namespace ks::ui::tune
