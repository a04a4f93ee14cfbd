#pragma once

#include <QHash>
#include <QString>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/judge/judgement.h"
#include "core/kernels/resolved_source.h"
#include "ui/kernels/access/access_check.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/trial/kernel_trial.h"

class QLabel;
class QListWidget;
class QToolButton;

namespace ks::ui {

class UnderWay;

/// A row of the findings list.
struct FindingRow {
    Finding::State state = Finding::State::unknown;
    QString text;                      ///< "Data races: found, line 56 and line 55: ..."
    std::optional<SourcePlace> place;  ///< where a click leads
    bool further = false;              ///< another place, or a message, of the previous row
};

/// One row per finding, followed by rows for further lines that it names: the second access of a data race,
/// the messages of a compiler.
/// @param file of the kernel, whose name is omitted in its lines
/// @param text of it, with the user's included files inserted
/// @param kernelFiles texts of the program's kernel files by path
std::vector<FindingRow> findingRows(const std::vector<Finding>& findings, const std::string& file,
                                    const std::string& text,
                                    const std::map<std::string, std::string>& kernelFiles);

/// `no` if a check failed, otherwise `unknown` if the result of one is not known.
Finding::State worstState(const std::vector<Finding>& findings);

/// What a trial of the same text is to say.
AccessResult accessResult(const std::vector<Finding>& findings);

/// "3 of 7 checks failed", "no faults found; 2 unknown"; all findings of one check count as one.
QString findingsHeadline(const std::vector<Finding>& findings);

/// The check of a kernel's accesses: its progress, and the findings for the kernel that is shown, one per
/// row. Findings for other kernels are kept. A check waits while the worker is busy, since each would slow
/// the other; it continues while another kernel is shown.
class AccessPanel : public QWidget {
    Q_OBJECT
  public:
    explicit AccessPanel(QWidget* parent = nullptr);

    /// Shows this kernel and begins a check of it; cancels one that is waiting or running.
    /// @param file of the kernel
    /// @param text contents of the file
    /// @param whole the same with the user's included files inserted
    /// @param kernelFiles texts by path
    void check(const AccessPlan& plan, const std::string& file, const std::string& text,
               const std::string& whole, const std::map<std::string, std::string>& kernelFiles);
    /// A check is waiting or running.
    bool isRunning() const { return waiting_.has_value() || check_.isRunning(); }
    /// Cancels it.
    /// @param why message shown instead; empty: that it was cancelled
    void cancel(const QString& why = {});
    /// Shows the findings for another kernel, if there are any. Empty: none is shown.
    /// @param text as in setText()
    void showFor(const std::string& file, const std::string& text);
    /// Findings for a kernel whose file has another name now; a check of it is cancelled.
    void rename(const std::string& from, const std::string& to);
    /// Drops the findings for a kernel, and cancels a check of it.
    void forget(const std::string& file);
    /// The current text of the editor as it would be saved: findings for another text are marked as such.
    void setText(const std::string& text);
    /// Files included by the judged text have changed since.
    void setIncludesChanged(bool changed);
    void setWorkerBusy(bool busy);

    UnderWay& underWay() { return *underWay_; }
    QLabel& line() { return *line_; }
    QListWidget& rows() { return *rows_; }
    QToolButton& closeButton() { return *close_; }

  signals:
    /// A finding was clicked: it refers to a line of the text, counted from 0, or to a kernel file of the
    /// program.
    void lineWanted(int line);
    void placeWanted(const ks::SourcePlace& place);
    /// Lines of the kernel's own text, counted from 0, with the faults found there.
    void marked(const QHash<int, ks::ui::KernelEditor::Message>& lines);
    /// A check judged the text that it was started for.
    /// @param whole the text with the user's included files inserted
    void judged(const ks::ui::AccessPlan& plan, const std::string& whole, const ks::ui::AccessResult& result);
    /// A check began or ended.
    void runningChanged();

  private:
    /// What is or was judged, and the result.
    struct Judged {
        std::string file, text;
        std::string whole;  ///< the text with the user's included files
        std::map<std::string, std::string> kernelFiles;
        bool includesChanged = false;
        QString textHash = {};  ///< of the judged run; empty: not reported
        std::vector<FindingRow> found = {};
        std::function<QString()> line = nullptr;  ///< in the colours of the palette; none: it is hidden
    };
    /// Of the kernel that is shown; null: there is none.
    const Judged* shown() const;
    void begin();
    QString runningName() const;  ///< of the kernel
    QString checking() const;
    void closeFindings();
    void take(const AccessFindings& findings);
    void fail(const Error& error);
    /// The check ended with this line for its kernel.
    void endWith(std::function<QString()> line);
    void showAll();
    void showLine();
    void showRows();
    bool isOutdated() const;
    QHash<int, KernelEditor::Message> marks() const;

    AccessCheck check_;
    std::optional<AccessPlan> waiting_;
    AccessPlan plan_;  ///< of the newest check that was started
    bool workerBusy_ = false;
    std::string shown_, running_;           ///< files of the kernel that is shown, and of the newest check
    std::string now_;                       ///< text of the editor
    std::map<std::string, Judged> judged_;  ///< by file
    UnderWay* underWay_;
    QLabel* line_;
    QToolButton* close_;
    QListWidget* rows_;
};

}  // namespace ks::ui
