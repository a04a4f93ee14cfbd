#pragma once

#include <QDateTime>
#include <QPair>
#include <QString>
#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/kernels/trial/kernel_trial.h"

class QListWidget;

namespace ks::ui {

/// The last trials of each kernel since the program began, newest first: when, what came of it, the time of
/// its kernels, and how that compares with its base. Hidden where the kernel has none.
class TrialHistory : public QWidget {
    Q_OBJECT
  public:
    explicit TrialHistory(QWidget* parent = nullptr);

    /// Of one trial may come first the verdict, then the times. A trial that was cancelled is none.
    void take(const KernelTrial& trial, const TrialResult& result);
    void take(const KernelTrial& trial, const Error& error);
    /// Of this kernel.
    void showOf(const QString& analysis, const QString& id);
    void rename(const QString& analysis, const QString& from, const QString& to);
    void drop(const QString& analysis, const QString& id);

    QListWidget& list() { return *list_; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    struct Entry {
        quint64 number;  ///< of the trial
        QDateTime when;
        TrialResult result;
        std::optional<Error> error;
    };
    using Kernel = QPair<QString, QString>;  ///< analysis, id
    /// The entry of a trial; a new one where it has none.
    Entry& entryOf(const KernelTrial& trial);
    void fill();

    std::map<Kernel, std::vector<Entry>> entries_;  ///< newest first
    Kernel shown_;
    QListWidget* list_;
};

/// "✓ 58.2 ms  1.24 ×", "✓ 91.1 s  1/1565 ×", "✗ wrong  58.2 ms": a trial in a short line. A ratio that
/// chance alone may make has a "≈" before it.
QString trialRow(const TrialResult& result);

}  // namespace ks::ui
