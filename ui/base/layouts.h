#pragma once

#include <QHBoxLayout>
#include <QMargins>
#include <QVBoxLayout>
#include <QWidget>
#include <initializer_list>
#include <optional>

namespace ks::ui {

/// A part of inRows() or inColumns(): a widget, a layout or free space.
struct Cell {
    Cell(QWidget* one, int factor = 0, Qt::Alignment where = {})
        : widget(one), stretch(factor), alignment(where) {}
    Cell(QLayout* one, int factor = 0) : layout(one), stretch(factor) {}
    /// Takes the remaining space.
    static Cell space(int factor = 1) { return {static_cast<QWidget*>(nullptr), factor}; }

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretch = 0;
    Qt::Alignment alignment = {};
};

/// Adds cells to a layout.
/// @param gap between them in pixels; none: the gap of the layout around it, otherwise of the style
template <class Layout>
Layout* filled(Layout* made, std::initializer_list<Cell> cells, std::optional<int> gap,
               const QMargins& margins) {
    made->setContentsMargins(margins);
    if (gap) made->setSpacing(*gap);
    for (const Cell& cell : cells) {
        if (cell.widget)
            made->addWidget(cell.widget, cell.stretch, cell.alignment);
        else if (cell.layout)
            made->addLayout(cell.layout, cell.stretch);
        else
            made->addStretch(cell.stretch);
    }
    return made;
}

/// Cells from top to bottom, or from left to right, for setLayout(), boxed() or as a cell of another layout:
/// `setLayout(inRows({inColumns({label, {field, 1}}, 8), {table, 1}}, 4));`
inline QVBoxLayout* inRows(std::initializer_list<Cell> cells, std::optional<int> gap = {},
                           const QMargins& margins = {}) {
    return filled(new QVBoxLayout, cells, gap, margins);
}
inline QHBoxLayout* inColumns(std::initializer_list<Cell> cells, std::optional<int> gap = {},
                              const QMargins& margins = {}) {
    return filled(new QHBoxLayout, cells, gap, margins);
}

/// A widget with this layout.
inline QWidget* boxed(QLayout* layout) {
    auto* box = new QWidget;
    box->setLayout(layout);
    return box;
}

/// Sets the name for screen readers and the tool tip.
template <class Widget>
Widget* named(Widget* widget, const QString& name, const QString& tip = {}) {
    widget->setAccessibleName(name);
    if (!tip.isEmpty()) widget->setToolTip(tip);
    return widget;
}

}  // namespace ks::ui
