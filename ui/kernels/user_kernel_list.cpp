#include "ui/kernels/user_kernel_list.h"

#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QListWidget>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QUrl>
#include <algorithm>
#include <utility>

#include "core/run/user/user_variant_folder.h"
#include "ui/base/layouts.h"

namespace ks::ui {
namespace {

QString fileAt(const QListWidget& list, int row) {
    return list.item(row)->data(Qt::UserRole).toString();
}

}  // namespace

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
    // A press also marks the row of a kernel that could not be opened. A key selects a row before that
    // becomes the current one.
    connect(list_, &QListWidget::itemSelectionChanged, this, [this] {
        if (const QListWidgetItem* const current = list_->currentItem();
            current && current->data(Qt::UserRole).toString() == open_)
            markOpen();
    });
    list_->viewport()->installEventFilter(this);
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
    open_ = open;
    files_.clear();
    faults_.clear();
    for (const Row& row : rows) {
        files_.try_emplace(QFileInfo(row.file).completeBaseName(), row.file);
        if (!row.usable) faults_[row.file] = row.tip;
    }
    bool moves = list_->count() != static_cast<int>(rows.size());
    for (int i = 0; !moves && i < list_->count(); ++i)
        moves = fileAt(*list_, i) != rows[static_cast<std::size_t>(i)].file;
    if (pressed_ && moves)
        waiting_ = unsaved;
    else
        takeRows(rows, unsaved);
    markOpen();
}

void UserKernelList::takeRows(const std::vector<Row>& rows, const std::set<QString>& unsaved) {
    waiting_.reset();
    const QSignalBlocker quiet(list_);
    std::set<QString> all;
    for (const Row& row : rows) all.insert(row.file);
    for (int i = list_->count() - 1; i >= 0; --i)
        if (!all.contains(fileAt(*list_, i))) delete list_->takeItem(i);
    int at = 0;
    for (const Row& row : rows) {
        QListWidgetItem* item =
            at < list_->count() && fileAt(*list_, at) == row.file ? list_->item(at) : nullptr;
        if (!item) {
            item = new QListWidgetItem;
            item->setData(Qt::UserRole, row.file);
            list_->insertItem(at, item);
        }
        ++at;
        const QString name = QFileInfo(row.file).completeBaseName();
        item->setText(unsaved.contains(row.file) ? name + QStringLiteral(" *") : name);
        item->setToolTip(row.tip);
        item->setData(Qt::ForegroundRole,
                      row.usable ? QVariant() : palette().brush(QPalette::Disabled, QPalette::Text));
    }
    while (list_->count() > at) delete list_->takeItem(at);
}

void UserKernelList::markOpen() {
    const QSignalBlocker quiet(list_);
    QListWidgetItem* marked = nullptr;
    for (int i = 0; !open_.isEmpty() && i < list_->count(); ++i)
        if (fileAt(*list_, i) == open_) marked = list_->item(i);
    if (list_->currentItem() == marked &&
        list_->selectedItems() == QList<QListWidgetItem*>(marked != nullptr, marked))
        return;
    list_->setCurrentItem(marked);
    if (!marked) list_->clearSelection();
}

bool UserKernelList::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
        // The right one opens a menu, which takes its release.
        pressed_ = static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton;
    } else if (event->type() == QEvent::MouseButtonRelease || event->type() == QEvent::Hide) {
        pressed_ = false;
        // After the list itself has taken the release.
        if (waiting_)
            QMetaObject::invokeMethod(
                this,
                [this] {
                    if (waiting_) fill(open_, std::set<QString>(*waiting_));
                },
                Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
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
