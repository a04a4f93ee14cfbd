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
#include "core/kernels/resolved_source.h"
#include "ui/kernels/access/access_check.h"
#include "ui/kernels/access/finding_rows.h"
#include "ui/kernels/kernel_editor.h"

class QLabel;
class QListWidget;
class QToolButton;

namespace ks::ui {

class UnderWay;

/// The check of a kernel's accesses: what is under way, and what was found, a row a finding. It waits while
/// the worker is busy, since both would slow each other.
class AccessPanel : public QWidget {
    Q_OBJECT
  public:
    explicit AccessPanel(QWidget* parent = nullptr);

    /// Begins a check; one that waits or is under way is given up.
    /// @param file of the kernel @param text that it has @param kernelFiles texts by path
    void check(const AccessPlan& plan, const std::string& file, const QString& text,
               const std::map<std::string, std::string>& kernelFiles);
    /// Waits or is under way.
    bool isRunning() const { return waiting_.has_value() || check_.isRunning(); }
    /// Gives it up. @param why said in its place; empty: that it was cancelled
    void cancel(const QString& why = {});
    /// Of another kernel: nothing is under way, nothing is shown.
    void clear();
    /// What the editor has now: findings of another text say so.
    void setText(const QString& text);
    /// Files that the judged text includes were changed since.
    void setIncludesChanged(bool changed);
    /// The findings are of the present text, and say whether there are data races.
    bool looksAtRaces() const { return racesKnown_ && !found_.empty() && !isOutdated(); }
    void setWorkerBusy(bool busy);

    UnderWay& underWay() { return *underWay_; }
    QLabel& line() { return *line_; }
    QListWidget& rows() { return *rows_; }
    QToolButton& closeButton() { return *close_; }

  signals:
    /// A finding was clicked: of a line of the text, from 0, or of a file of the program.
    void lineWanted(int line);
    void placeWanted(const ks::SourcePlace& place);
    /// Lines of the kernel's own text, from 0, with what is wrong there.
    void marked(const QHash<int, ks::ui::KernelEditor::Message>& lines);
    /// It began, or ended.
    void runningChanged();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    /// What is judged, or was.
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
    QString textHash_;  ///< of what was judged; empty: not told
    std::vector<FindingRow> found_;
    bool racesKnown_ = false;
    std::function<QString()> text_;  ///< of the line, in the colours of the palette; none: it is hidden
    UnderWay* underWay_;
    QLabel* line_;
    QToolButton* close_;
    QListWidget* rows_;
};

}  // namespace ks::ui
