#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/judge/judgement.h"

namespace ks::ui {

/// A kernel of the user's own that is to be judged, as it lies in its file.
struct AccessPlan {
    QString analysis, variant;  ///< ids
    QString device;             ///< its index
    QString folder;             ///< of the user's kernels
};

/// What `judge` found.
struct AccessFindings {
    std::vector<Finding> findings;
    QString textHash;  ///< XXH3 of the file's text as it was judged, 16 hexadecimal digits
    /// Those on which it ran, and those on which it was simulated: "size 512; simulated: size 19";
    /// with what they have in common: "with operation sum: size 512 ...". Empty: it does not build.
    QString problems;
};

/// `kernelscope-cli judge` as a process of its own beside the worker, so that a kernel that crashes or hangs
/// ends neither of them. One at a time; a newer one ends the older one.
class AccessCheck : public QObject {
    Q_OBJECT
  public:
    /// @param program path of kernelscope-cli; empty: WorkerClient::standardProgram()
    explicit AccessCheck(QString program = {}, QObject* parent = nullptr);
    ~AccessCheck() override;

    void start(const AccessPlan& plan);
    bool isRunning() const { return process_ != nullptr; }
    /// Asks the process to end, and ends it where it does not. Neither found() nor failed() comes any more.
    void cancel();

  signals:
    /// @param step "between guard zones"; empty: not told yet @param stage of it: "kernel correlate"
    void progress(const QString& step, const QString& stage);
    void found(const ks::ui::AccessFindings& findings);
    /// It cannot be judged, or not be started.
    void failed(const ks::Error& error);

  private:
    void readProgress();
    void takeLine(const QString& line);
    void onEnded(const QString& how);
    /// Throws ks::Error(run) where the file is none of judge's.
    AccessFindings readFindings() const;
    QString findingsFile() const;

    QString program_;
    std::unique_ptr<QTemporaryDir> folder_;  ///< of the file with the findings
    QProcess* process_ = nullptr;            ///< null: none runs
    QByteArray begun_;                       ///< a line of it that has not ended
    QString step_, complaint_;               ///< what it told last, and why it failed
};

}  // namespace ks::ui
