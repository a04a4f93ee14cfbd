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
/// @param text of it
/// @param kernelFiles texts of the program's kernel files by path
std::vector<FindingRow> findingRows(const std::vector<Finding>& findings, const std::string& file,
                                    const std::string& text,
                                    const std::map<std::string, std::string>& kernelFiles);

/// `no` if a check failed, otherwise `unknown` if the result of one is not known.
Finding::State worstState(const std::vector<Finding>& findings);

/// "3 of 7 checks failed", "no faults found; 2 unknown".
QString findingsHeadline(const std::vector<Finding>& findings);

/// The check of a kernel's accesses: its progress, and its findings, one per row. It waits while the worker
/// is busy, since each would slow the other.
class AccessPanel : public QWidget {
    Q_OBJECT
  public:
    explicit AccessPanel(QWidget* parent = nullptr);

    /// Begins a check, and cancels one that is waiting or running.
    /// @param file of the kernel
    /// @param text contents of the file
    /// @param kernelFiles texts by path
    void check(const AccessPlan& plan, const std::string& file, const QString& text,
               const std::map<std::string, std::string>& kernelFiles);
    /// A check is waiting or running.
    bool isRunning() const { return waiting_.has_value() || check_.isRunning(); }
    /// Cancels it.
    /// @param why message shown instead; empty: that it was cancelled
    void cancel(const QString& why = {});
    /// Call for another kernel: nothing is running, nothing is shown.
    void clear();
    /// The current text of the editor: findings for another text are marked as such.
    void setText(const QString& text);
    /// Files included by the judged text have changed since.
    void setIncludesChanged(bool changed);
    /// The findings are for the current text, and settle whether there are data races.
    bool looksAtRaces() const { return racesKnown_ && !found_.empty() && !isOutdated(); }
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
    /// A check began or ended.
    void runningChanged();

  private:
    /// What is or was judged.
    struct Subject {
        std::string file;
        QString text;
        std::map<std::string, std::string> kernelFiles;
    };
    void begin();
    void closeFindings();
    void take(const AccessFindings& findings);
    void fail(const Error& error);
    void endWith(std::function<QString()> text);
    void showLine();
    void showRows();
    bool isOutdated() const;
    QHash<int, KernelEditor::Message> marks() const;

    AccessCheck check_;
    std::optional<AccessPlan> waiting_;
    bool workerBusy_ = false;
    Subject subject_;
    QString now_;  ///< text of the editor
    bool includesChanged_ = false;
    QString textHash_;  ///< problems of the judged run; empty: not reported
    std::vector<FindingRow> found_;
    bool racesKnown_ = false;
    std::function<QString()> text_;  ///< of the line, in the colours of the palette; none: it is hidden
    UnderWay* underWay_;
    QLabel* line_;
    QToolButton* close_;
    QListWidget* rows_;
};

}  // namespace ks::ui
