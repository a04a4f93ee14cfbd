#include "ui/kernels/user_kernel_list.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QUrl>
#include <algorithm>
#include <utility>

#include "core/run/user/user_variant_folder.h"
#include "ui/base/layouts.h"

namespace ks::ui {

UserKernelList::UserKernelList(QWidget* parent)
    : QWidget(parent),
      folder_(QString::fromStdString(user_variants_folder().string())),
      list_(named(new QListWidget, tr("Your kernels"))),
      copy_(new QPushButton(tr("Copy variant"))) {
    list_->setFrameShape(QFrame::NoFrame);
    list_->setWhatsThis(
        tr("Your kernels of this analysis, one file each. With the context menu, or with More, the open "
           "kernel can be renamed, deleted, or opened in another editor."));
    const auto tell = [this](QListWidgetItem* item) {
        if (item) emit chosen(item->data(Qt::UserRole).toString());
    };
    connect(list_, &QListWidget::currentItemChanged, this, tell);
    // The selected one may no longer be the variant that is shown.
    connect(list_, &QListWidget::itemClicked, this, tell);
    connect(list_, &QListWidget::itemActivated, this, tell);
    setCopied({});
    connect(copy_, &QPushButton::clicked, this, &UserKernelList::copyWanted);
    auto* more = new QPushButton(tr("More"));
    more->setToolTip(tr("Rename, delete, open elsewhere"));
    more->setAccessibleName(more->toolTip());
    auto* menu = new QMenu(more);
    const QList<QAction*> ofOpen{menu->addAction(tr("Rename..."), this, &UserKernelList::renameWanted),
                                 menu->addAction(tr("Delete..."), this, &UserKernelList::removeWanted),
                                 menu->addSeparator(),
                                 menu->addAction(tr("Save, and open in the system's editor"), this,
                                                 &UserKernelList::openElsewhereWanted)};
    menu->addAction(tr("Show folder"), this, &UserKernelList::showFolder);
    more->setMenu(menu);
    list_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(menu, &QMenu::aboutToShow, this, [this, ofOpen] {
        for (QAction* one : ofOpen) one->setEnabled(list_->currentItem() != nullptr);
    });
    connect(list_, &QWidget::customContextMenuRequested, this,
            [this, menu](const QPoint& at) { menu->popup(list_->viewport()->mapToGlobal(at)); });
    setLayout(inRows({{list_, 1}, inColumns({{copy_, 1}, more}, {}, {6, 4, 6, 6})}, 0));
}

void UserKernelList::setCopied(const QString& variant) {
    copy_->setEnabled(!variant.isEmpty());
    copy_->setToolTip(variant.isEmpty() ? tr("Make an editable copy of the chosen variant")
                                        : tr("Make an editable copy of %1").arg(variant));
}

void UserKernelList::setAnalysis(const QString& analysis, std::vector<Variant> shipped) {
    analysis_ = analysis;
    shipped_ = std::move(shipped);
}

// By name, whether or not they can be run: a kernel stays where it is while it is edited.
std::vector<UserKernelList::Row> UserKernelList::rowsOf(const std::set<QString>& unsaved) const {
    const auto listing = UserVariantFolder(folder_.toStdString(), shipped_).listing();
    const std::string analysis = analysis_.toStdString();
    std::vector<Row> rows;
    for (const GoodUserVariant& one : listing->good)
        if (one.variant.analysis == analysis)
            rows.push_back({QString::fromStdString(one.variant.user_file),
                            QString::fromStdString(one.variant.title + "\n" + one.variant.user_file), true});
    for (const BrokenUserVariant& one : listing->broken)
        if (one.variant.analysis == analysis)
            rows.push_back(
                {QString::fromStdString(one.variant.user_file), QString::fromUtf8(one.error.what()), false});
    for (const QString& file : unsaved)
        if (std::ranges::find(rows, file, &Row::file) == rows.end())
            rows.push_back({file,
                            QFileInfo::exists(file)
                                ? file
                                : tr("%1 no longer exists. The text in the editor was not saved; saving "
                                     "it writes the file again")
                                      .arg(file),
                            false});
    std::ranges::stable_sort(rows, {}, [](const Row& row) { return QFileInfo(row.file).completeBaseName(); });
    return rows;
}

void UserKernelList::fill(const QString& open, const std::set<QString>& unsaved) {
    const std::vector<Row> rows = rowsOf(unsaved);
    const QSignalBlocker quiet(list_);
    list_->clear();
    files_.clear();
    faults_.clear();
    const auto add = [&](const Row& row) {
        const auto& [file, tip, usable] = row;
        const QString name = QFileInfo(file).completeBaseName();
        files_.try_emplace(name, file);
        auto* item = new QListWidgetItem(unsaved.contains(file) ? name + QStringLiteral(" *") : name, list_);
        item->setData(Qt::UserRole, file);
        item->setToolTip(tip);
        if (!usable) {
            item->setForeground(palette().brush(QPalette::Disabled, QPalette::Text));
            faults_[file] = tip;
        }
        if (file == open) list_->setCurrentItem(item);
    };
    for (const Row& row : rows) add(row);
}

QString UserKernelList::fileOf(const QString& name) const {
    const auto found = files_.find(name);
    return found == files_.end() ? QString() : found->second;
}

void UserKernelList::requireFree(const QString& name, const QString& but) const {
    UserVariantFolder(folder_.toStdString(), shipped_)
        .require_free(analysis_.toStdString(), name.toStdString(), but.toStdString());
}

// The file is the one shown: its name is removed, and its lines are referred to by number.
QString UserKernelList::faultOf(const QString& file) const {
    const auto found = faults_.find(file);
    if (found == faults_.end()) return {};
    const QString own = file + QLatin1Char(':');
    if (!found->second.startsWith(own)) return found->second;
    const QString rest = found->second.mid(own.size());
    return rest.startsWith(QLatin1Char(' ')) ? rest.trimmed() : tr("line %1").arg(rest);
}

QString UserKernelList::freeName(const Variant& of) const {
    const QString stem = QString::fromStdString(without_user_prefix(of.id));
    QString free = stem;
    const auto isTaken = [this](const QString& name) {
        return std::ranges::any_of(
            files_, [&name](const auto& one) { return one.first.compare(name, Qt::CaseInsensitive) == 0; });
    };
    for (int i = 2; isTaken(free); ++i) free = QStringLiteral("%1-%2").arg(stem).arg(i);
    return free;
}

void UserKernelList::showFolder() {
    const QString folder = folder_ + QLatin1Char('/') + analysis_;
    QDir().mkpath(folder);
    QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
}

}  // namespace ks::ui
