#include "ui/base/history_panel.h"

#include <QLabel>
#include <QUndoView>

#include "ui/base/history.h"
#include "ui/base/layouts.h"

namespace ks::ui {

HistoryPanel::HistoryPanel(History& history, QWidget* parent)
    : QWidget(parent), list_(new QUndoView(&history)) {
    named(list_, tr("Undo history"), tr("Click a step to go back or forward to it"));
    list_->setEmptyLabel(tr("initial state"));
    list_->setAlternatingRowColors(true);
    auto* hint =
        new QLabel(tr("Changes of mask, bins, geometry and parameters; click a change to return to it."));
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    setLayout(inRows({{list_, 1}, hint}, {}, {8, 8, 8, 8}));
    connect(&history, &History::heldChanged, list_, [this](bool held) { list_->setEnabled(!held); });
}

}  // namespace ks::ui
