#pragma once

#include <QGridLayout>
#include <QLabel>

namespace ks::ui {

/// Bold, above a group of fields.
inline QLabel* heading(const QString& text) {
    auto* made = new QLabel(text);
    QFont bold = made->font();
    bold.setBold(true);
    made->setFont(bold);
    return made;
}

/// Label, stretched field, and what else; the grid of a form in a dock.
inline QGridLayout* formGrid(QWidget* parent = nullptr) {
    auto* grid = new QGridLayout(parent);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    return grid;
}

}  // namespace ks::ui
