#pragma once

#include <QDateTime>
#include <QPair>
#include <QString>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/kernels/trial/kernel_trial.h"

class QLabel;
class QListWidget;

namespace ks::ui {

/// The latest trials of each kernel since the program started, newest first: result, kernel time and
/// comparison with its base; below, the time of day and the mark of the text. Hidden until a kernel has one.
class TrialHistory : public QWidget {
    Q_OBJECT
  public:
    explicit TrialHistory(QWidget* parent = nullptr);

    /// Takes a result: first the verdict of a trial, then its times. A cancelled trial is not listed.
    void take(const KernelTrial& trial, const TrialResult& result);
    void take(const KernelTrial& trial, const Error& error);
    /// Takes what an access check found in a text of a kernel: it also applies to the runs of this text.
    /// @param textMark as in KernelTrial
    void take(const QString& analysis, const QString& id, const QString& textMark, const AccessResult& found);
    /// Tells the faults of a text, those of earlier starts as well: they are also known of its runs.
    void setKnownFaults(std::function<QStringList(const QString& analysis, const QString& textMark)> known);
    /// More faults are known.
    void faultsChanged() { fill(); }
    /// What is known of this text: what its newest access check found, and faults that earlier ones found.
    AccessResult accessesOf(const QString& analysis, const QString& id, const QString& textMark) const;
    /// Of this kernel.
    void showOf(const QString& analysis, const QString& id);
    void rename(const QString& analysis, const QString& from, const QString& to);
    void drop(const QString& analysis, const QString& id);

    QListWidget& list() { return *list_; }

  private:
    struct Entry {
        quint64 number;  ///< of the trial
        QDateTime when;
        QString textMark;
        TrialResult result;
        std::optional<Error> error;
    };
    struct Known {
        std::vector<Entry> entries;              ///< newest first
        std::map<QString, AccessResult> checks;  ///< by the mark of the text
    };
    using Kernel = QPair<QString, QString>;  ///< analysis, id
    /// The entry of a trial; a new one if it has none.
    Entry& entryOf(const KernelTrial& trial);
    void fill();

    std::map<Kernel, Known> known_;
    std::function<QStringList(const QString&, const QString&)> knownFaults_;  ///< null: only its own checks
    Kernel shown_;
    QLabel* title_;
    QListWidget* list_;
};

/// "✓ 58.2 ms 1.24 ×", "✓ 91.1 s 1/1565 ×", "✗ wrong 58.2 ms": a trial in one short line. It is also wrong if
/// an access check of its text found faults. A ratio that may be due to chance has a "≈" before it.
QString trialRow(const TrialResult& result);

}  // namespace ks::ui
