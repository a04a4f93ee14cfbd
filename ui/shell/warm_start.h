#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>

namespace ks::ui {

class FileSession;
class RequestForm;
class RunQueue;
class WorkerClient;

/// Builds the kernels of the visible page in the background, once it has been shown for a while, so that the
/// first run need not wait for them.
class WarmStart : public QObject {
    Q_OBJECT
  public:
    /// All outlive it. Initially off.
    WarmStart(const FileSession& files, RequestForm& request, RunQueue& queue, const WorkerClient& worker,
              QObject* parent = nullptr);

    void setOn(bool on);

  private:
    void build();

    const FileSession& files_;
    RequestForm& request_;
    RunQueue& queue_;
    const WorkerClient& worker_;
    QTimer later_;
    bool on_ = false;
    QSet<QString> asked_;  ///< "xpcs, 0, gram.tiled, u8"
};

}  // namespace ks::ui
