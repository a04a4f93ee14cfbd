#include "ui/shell/data_panel.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/plots/palette.h"

namespace ks::ui {

QString geometryText(const std::optional<Geometry>& geometry) {
    if (!geometry) return DataPanel::tr("The file has no geometry: q is unknown.");
    QString rows;
    const auto add = [&](const QString& name, const QString& value) {
        rows += QStringLiteral("<tr><td style='padding-right:8px'>%1</td><td>%2</td></tr>").arg(name, value);
    };
    const auto known = [](double value, const QString& unit) {
        return value > 0 ? formatNumber(value, 5) + ' ' + unit : DataPanel::tr("unknown");
    };
    const Geometry& g = *geometry;
    add(DataPanel::tr("Wavelength"), known(g.wavelength, QStringLiteral("\u00c5")));
    add(DataPanel::tr("Distance"), known(g.distance, QStringLiteral("mm")));
    add(DataPanel::tr("Beam x, y"),
        formatNumber(g.beam_x, 5) + QStringLiteral(", ") + formatNumber(g.beam_y, 5) + QStringLiteral(" px"));
    const QString size = g.pixel_size_x == g.pixel_size_y
                             ? known(g.pixel_size_x, QStringLiteral("\u00b5m"))
                             : known(g.pixel_size_x, QStringLiteral("\u00d7 ")) +
                                   known(g.pixel_size_y, QStringLiteral("\u00b5m"));
    add(DataPanel::tr("Pixel"), size);
    return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows);
}

DataPanel::DataPanel(QWidget* parent)
    : QWidget(parent),
      view_(new QTreeView),
      geometry_(new QLabel(tr("Drop an HDF5 file here or open the demo."))),
      pages_(new QStackedWidget),
      splitter_(new QSplitter(Qt::Vertical, this)) {
    view_->setModel(&tree_);
    view_->setAccessibleName(tr("Objects of the file"));
    view_->setUniformRowHeights(true);
    view_->setAlternatingRowColors(true);
    view_->setExpandsOnDoubleClick(false);
    view_->setIndentation(12);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setTextElideMode(Qt::ElideRight);
    view_->header()->setStretchLastSection(true);
    geometry_->setWordWrap(true);
    geometry_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    geometry_->setAccessibleName(tr("Geometry of the detector"));
    auto* upper = new QWidget;
    auto* rows = new QVBoxLayout(upper);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(8);
    rows->addWidget(view_, 1);
    rows->addWidget(geometry_);
    splitter_->addWidget(upper);
    splitter_->addWidget(pages_);
    splitter_->setChildrenCollapsible(false);
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 1);
    pages_->hide();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 0, 0, 8);
    all->addWidget(splitter_);
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
    // The file's name spans both columns and must not push the second one out.
    view_->setColumnWidth(FileTreeModel::NameColumn,
                          std::min(view_->columnWidth(FileTreeModel::NameColumn), view_->width() * 11 / 20));
    geometry_->setText(geometryText(file.geometry));
}

void DataPanel::addPageWidget(QWidget* widget) {
    pages_->addWidget(widget);
}

void DataPanel::showPageWidget(QWidget* widget) {
    pages_->setVisible(widget != nullptr);
    if (widget) pages_->setCurrentWidget(widget);
}

}  // namespace ks::ui
