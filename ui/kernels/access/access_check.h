#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/judge/judgement.h"

namespace ks::ui {

/// A user's kernel to be judged, as saved in its file.
struct AccessPlan {
    QString analysis, variant;  ///< ids
    QString device;             ///< its index
    QString folder;             ///< of the user's kernels
    /// The choices of the page whose launch is judged, as judge_arguments(): "--local-size=64".
    QStringList choices = {};
};

/// Results of `judge`.
struct AccessFindings {
    std::vector<Finding> findings;  ///< what the simulator's compiler said is among the details of "races"
    QString textHash;               ///< XXH3 of the judged file text, 16 hexadecimal digits
    /// The problems it ran on, and those it was simulated on: "size 512; simulated: size 19"; with what they
    /// have in common: "with operation sum: size 512 ...". Empty: it does not build.
    QString problems;
};

/// Runs `kernelscope-cli judge` as a process separate from the worker, so that a kernel that crashes or hangs
/// ends neither this program nor the worker. One at a time; a new check replaces a running one.
class AccessCheck : public QObject {
    Q_OBJECT
  public:
    /// @param program path of kernelscope-cli; empty: WorkerClient::standardProgram()
    explicit AccessCheck(QString program = {}, QObject* parent = nullptr);
    ~AccessCheck() override;

    void start(const AccessPlan& plan);
    bool isRunning() const { return process_ != nullptr; }
    /// Asks the process to end, and kills it if it does not. found() and failed() are no longer emitted.
    void cancel();

  signals:
    /// @param step "between guard zones"; empty: not known yet
    /// @param stage within it: "kernel correlate"
    void progress(const QString& step, const QString& stage);
    void found(const ks::ui::AccessFindings& findings);
    /// It cannot be judged, or the process cannot be started.
    void failed(const ks::Error& error);

  private:
    void readProgress();
    void takeLine(const QString& line);
    void onEnded(const QString& how);
    /// Throws ks::Error(run) if the file was not written by judge.
    AccessFindings readFindings() const;
    QString findingsFile() const;

    QString program_;
    std::unique_ptr<QTemporaryDir> folder_;  ///< of the file with the findings
    QProcess* process_ = nullptr;            ///< null: none is running
    QByteArray begun_;                       ///< an incomplete line of its output
    QString step_, complaint_;               ///< its last message, and the reason of a failure
};

}  // namespace ks::ui
