#include "ui/files/data_panel.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QSplitter>
#include <QTreeView>
#include <algorithm>

#include "ui/base/layouts.h"

namespace ks::ui {

DataPanel::DataPanel(QWidget* parent)
    : QWidget(parent),
      view_(new QTreeView),
      pages_(new QWidget),
      pageRows_(new QVBoxLayout(pages_)),
      splitter_(new QSplitter(Qt::Vertical, this)) {
    view_->setModel(&tree_);
    view_->setAccessibleName(tr("Objects of the file"));
    view_->setWhatsThis(
        tr("Contents of the file. Double-click an image series to open it. Double-click labels, a mask or "
           "another object to use that object on this page."));
    view_->setUniformRowHeights(true);
    view_->setAlternatingRowColors(true);
    view_->setExpandsOnDoubleClick(false);
    view_->setIndentation(12);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setTextElideMode(Qt::ElideRight);
    view_->header()->setStretchLastSection(true);
    splitter_->addWidget(view_);
    splitter_->addWidget(pages_);
    splitter_->setChildrenCollapsible(false);
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 2);
    pageRows_->setContentsMargins(0, 0, 0, 0);
    pages_->hide();
    setLayout(inRows({splitter_}, {}, {8, 8, 8, 8}));
    connect(view_, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const QString path = index.data(FileTreeModel::PathRole).toString();
        if (!index.model()->hasChildren(index.siblingAtColumn(0)))
            emit objectChosen(path, index.data(FileTreeModel::FramesRole).toBool());
        else
            view_->setExpanded(index.siblingAtColumn(0), !view_->isExpanded(index.siblingAtColumn(0)));
    });
}

void DataPanel::setFile(const OpenFile& file) {
    tree_.setTree(file.tree, QFileInfo(file.path).fileName());
    view_->expandToDepth(2);
    view_->setFirstColumnSpanned(0, {}, true);
    view_->resizeColumnToContents(FileTreeModel::NameColumn);
    // The file name spans both columns; it must not push the second one out.
    view_->setColumnWidth(FileTreeModel::NameColumn,
                          std::min(view_->columnWidth(FileTreeModel::NameColumn), view_->width() * 11 / 20));
}

void DataPanel::clear() {
    tree_.clear();
}

void DataPanel::addHeader(QWidget* widget) {
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, widget);
}

void DataPanel::addPageWidget(QWidget* widget) {
    // Not a stack, which would take the height of its tallest page for all pages.
    pageRows_->addWidget(widget);
    widget->hide();
}

void DataPanel::showPageWidget(QWidget* widget) {
    pages_->setVisible(widget != nullptr);
    for (int i = 0; i < pageRows_->count(); ++i) {
        QWidget* const one = pageRows_->itemAt(i)->widget();
        one->setVisible(one == widget);
    }
}

}  // namespace ks::ui
