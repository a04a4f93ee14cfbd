#include "ui/base/history_panel.h"

#include <QLabel>
#include <QUndoView>
#include <QVBoxLayout>

#include "ui/base/history.h"

namespace ks::ui {

HistoryPanel::HistoryPanel(History& history, QWidget* parent)
    : QWidget(parent), list_(new QUndoView(&history)) {
    list_->setAccessibleName(tr("Undo history"));
    list_->setToolTip(tr("Click a step to go back to it, or forward"));
    list_->setEmptyLabel(tr("as it was opened"));
    list_->setAlternatingRowColors(true);
    auto* hint = new QLabel(tr("Changes of mask, bins, geometry and parameters; click one to return to it."));
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(8, 8, 8, 8);
    rows->addWidget(list_, 1);
    rows->addWidget(hint);
    connect(&history, &History::heldChanged, list_, [this](bool held) { list_->setEnabled(!held); });
}

}  // namespace ks::ui
