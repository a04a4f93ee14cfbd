#pragma once

#include <QWidget>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "ui/plots/export_plot.h"
#include "ui/shell/general/exhibits.h"

class QLabel;
class QPlainTextEdit;
class QTabWidget;

namespace ks::ui {

class ElidedLabel;

/// Results of the ticked runs of any analysis: curves, pictures, tables and texts in tabs, the facts above.
class ResultView : public QWidget {
    Q_OBJECT
  public:
    explicit ResultView(QWidget* parent = nullptr);
    ~ResultView() override;

    /// Rebuilds its tabs if the runs have changed.
    /// @param runs ticked ones of one analysis, newest first
    /// @param analysis of these runs, outlives this view; null: pixels are not described
    void setRuns(const std::vector<RunRow>& runs, const Analysis* analysis = nullptr);
    /// The verdict of one of them has arrived.
    void setChecked(const RunRow& row);
    /// Shown beside the variant of the newest run and in each plot of curves: "Run 3 computed with other
    /// settings (Size)"; empty: nothing.
    /// @param ofNewest the same for the newest run alone, of which the pictures are
    /// @param brief shown instead if there are many runs, with the note as tooltip; empty: the note itself
    void setNote(const QString& note, const QString& ofNewest, const QString& brief = {});
    /// "outdated (Size)" of each run that is, by its number: behind the lines of single values.
    void setMarks(const std::map<int, QString>& marks);
    /// Text shown if there is no run.
    void setEmptyText(const QString& text);
    /// Visible plots, with the titles of their tabs.
    struct Plot {
        QString title;
        const ExportablePlot* plot;
    };
    std::vector<Plot> plots() const;
    QTabWidget& tabs() { return *tabs_; }
    /// The note, and the facts about the newest run.
    QString facts() const;
    /// Variant, device and verdict of the newest run; empty: there is none.
    QString made() const;

  signals:
    void pointHovered(const QString& text);
    void failed(const ks::Error& error);

  private:
    QWidget* viewOf(const Exhibit& exhibit);
    void showFacts();
    void showMade();
    void showReason();
    void showNoteInPlots();
    void showMarks();

    bool eventFilter(QObject* watched, QEvent* event) override;

    ElidedLabel *made_, *noteLine_;
    QLabel *facts_, *empty_, *reason_;
    QString note_, noteOfNewest_, briefNote_;
    QTabWidget* tabs_;
    std::map<int, QString> marks_;
    std::vector<std::pair<QPlainTextEdit*, TextExhibit>> numbers_;   ///< texts with a line per run
    std::vector<std::pair<int, std::shared_ptr<const Run>>> shown_;  ///< numbers and runs
};

}  // namespace ks::ui
