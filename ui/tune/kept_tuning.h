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

/// Keeps the tuning shown on the page in a file of the session, so that it is restored after a restart, also
/// after a crash.
class KeptTuning : public QObject {
    Q_OBJECT
  public:
    KeptTuning(Jobs& jobs, QObject* parent);
    /// Writes any pending tuning.
    ~KeptTuning() override;

    /// @param folder of the session; created when something is written
    void setFolder(const QString& folder) { folder_ = folder; }
    /// Reads the file, once; ends with found() or failed(), or neither if there is no file.
    void want();
    /// Writes it soon; a later one replaces a pending one.
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
