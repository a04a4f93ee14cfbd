#pragma once

#include <QList>
#include <QObject>
#include <QPointF>
#include <QString>
#include <functional>
#include <optional>

#include "ui/plots/export_plot.h"

class QAction;
class QCustomPlot;
class QMenu;
class QMouseEvent;
class QToolButton;

namespace ks::ui {

/// A widget around plots that can ask for export settings and export one of them: the window.
class PlotExporter {
  public:
    virtual ~PlotExporter() = default;
    virtual void exportFigure(const ExportablePlot& plot) = 0;
    /// An export that names no plot means this one, as if the user had clicked it.
    virtual void usePlot(const ExportablePlot& plot) = 0;
};

/// What is under the cursor over a plot, as a tooltip next to it and for a status bar. It follows the cursor,
/// and under a resting cursor new data, ranges and sizes. Belongs to the plot.
class HoverText : public QObject {
  public:
    /// @param describe text for a point in widget pixels; empty: there is nothing
    /// @param said gets each new text, and an empty one when the cursor leaves; null: tooltip alone
    HoverText(QCustomPlot& plot, std::function<QString(const QPointF&)> describe,
              std::function<void(const QString&)> said);

  private:
    bool eventFilter(QObject* object, QEvent* event) override;
    void move(const QMouseEvent& event);
    /// @return whether the text is another one
    bool tell(const QString& text);

    QCustomPlot& plot_;
    std::function<QString(const QPointF&)> describe_;
    std::function<void(const QString&)> said_;
    std::optional<QPointF> at_;  ///< the cursor; none: not over the plot
    QPoint onScreen_;            ///< the cursor in global coordinates
    bool pressed_ = false;
    QString text_;
};

/// Ranges of the two axes of a plot, lower before upper.
struct PlotRanges {
    double xLower = 0, xUpper = 0, yLower = 0, yUpper = 0;
    bool operator==(const PlotRanges&) const = default;
};

/// What all plots have in common apart from their drawing. They show all data until the user zooms or pans;
/// then a button appears that shows all again (as a double click and Home do). They share one context menu:
/// copy, export, view, axes. Every change of a range counts as the user's, except within fit() and change().
class PlotView : public QObject {
    Q_OBJECT
  public:
    /// @param figure what is copied and exported
    /// @param showAll sets the axes to the ranges of all data
    PlotView(QCustomPlot& plot, const ExportablePlot& figure, std::function<void()> showAll);

    bool byHand() const { return byHand_; }
    /// The ranges set by the user; nullopt if everything is shown.
    std::optional<PlotRanges> ranges() const;
    /// Restores ranges that the user had set, and keeps them for all new data until release() or until the
    /// user changes them.
    void hold(const PlotRanges& ranges);
    /// New data are again shown in full.
    void release() { held_.reset(); }
    /// Shows everything, now and after later changes of the data.
    void fit();
    /// Makes a change that does not count as the user's.
    void change(const std::function<void()>& how);
    /// A checkable entry below those of the view: "Logarithmic x axis". The owner saves its state.
    QAction* addSwitch(const QString& name, const QString& text, const QString& tip,
                       const std::function<void(bool)>& set);
    /// The same action as a small button below the right end of the x axis.
    QToolButton* addCorner(QAction* action, const QString& text);
    /// An export that names no plot means this one from now on.
    void use();
    /// Copy picture, Copy data, Export; Reset view, Autoscale, switches in the order of their addition.
    void fillMenu(QMenu& menu);

  private:
    bool eventFilter(QObject* object, QEvent* event) override;
    void setByHand(bool byHand);
    /// The user wants to see all data.
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
    int ours_ = 0;  ///< nesting depth of changes that are not the user's
};

}  // namespace ks::ui
