#pragma once

#include <QList>
#include <QObject>
#include <functional>
#include <optional>

#include "ui/plots/export_plot.h"

class QAction;
class QCustomPlot;
class QMenu;
class QMouseEvent;
class QToolButton;

namespace ks::ui {

/// A widget around plots that asks how one is exported, and does it: the window.
class PlotExporter {
  public:
    virtual ~PlotExporter() = default;
    virtual void exportFigure(const ExportablePlot& plot) = 0;
    /// A hand is in this one: what exports without a name means it.
    virtual void usePlot(const ExportablePlot& plot) = 0;
};

/// Shows the text beside the cursor over a plot; hides it where it is empty, or a button is down.
void showAtCursor(const QString& text, const QMouseEvent& event, QCustomPlot& plot);

/// Ranges of the two axes of a plot, lower below upper.
struct PlotRanges {
    double xLower = 0, xUpper = 0, yLower = 0, yUpper = 0;
    bool operator==(const PlotRanges&) const = default;
};

/// What all plots have in common beside their drawing: they show all until a hand zooms or pans, say so by a
/// button that shows all again (as a double click and Home do), and have one context menu: copy, export,
/// view, axes. Every change of a range counts as one by hand, except within fit() and change().
class PlotView : public QObject {
    Q_OBJECT
  public:
    /// @param figure what is copied and exported
    /// @param showAll sets the ranges of the axes to all of the data
    PlotView(QCustomPlot& plot, const ExportablePlot& figure, std::function<void()> showAll);

    bool byHand() const { return byHand_; }
    /// Where a hand has put the axes; nothing where all is shown.
    std::optional<PlotRanges> ranges() const;
    /// Puts the axes where a hand had put them before, and keeps them there whatever data come, until
    /// release(), or until a hand moves them.
    void hold(const PlotRanges& ranges);
    /// Data that come from now on are shown as they always are.
    void release() { held_.reset(); }
    /// Shows all, now and after later changes of the data.
    void fit();
    /// Makes a change of the program's.
    void change(const std::function<void()>& how);
    /// An entry below those of the view that is on or off: "Logarithmic x axis". The owner keeps its state.
    QAction* addSwitch(const QString& name, const QString& text, const QString& tip,
                       const std::function<void(bool)>& set);
    /// The same action as a small button below the right end of the x axis.
    QToolButton* addCorner(QAction* action, const QString& text);
    /// Copy picture, Copy data, Export; Reset view, Autoscale, switches in the order in which they were
    /// added.
    void fillMenu(QMenu& menu);

  signals:
    void byHandChanged(bool byHand);

  private:
    bool eventFilter(QObject* object, QEvent* event) override;
    void setByHand(bool byHand);
    /// The user asks for all of the data.
    void reset();
    void placeButtons();
    PlotExporter* exporter() const;
    void copyPicture() const;
    void copyData() const;

    QCustomPlot& plot_;
    const ExportablePlot& figure_;
    std::function<void()> showAll_;
    QToolButton* reset_;
    QToolButton* corner_ = nullptr;
    QList<QAction*> fixed_, switches_;
    QAction *export_ = nullptr, *autoscale_ = nullptr, *resetAction_ = nullptr;
    bool byHand_ = false;
    std::optional<PlotRanges> held_;
    int ours_ = 0;  ///< depth of changes that are not a hand's
};

}  // namespace ks::ui
