#include "ui/base/save_folders.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QWidget>
#include <algorithm>

#include "core/io/files/distinct_name.h"

namespace ks::ui {
namespace {

const QString lastKind = QStringLiteral("last");  ///< the last save of any kind

QString key(const QString& kind) {
    return QStringLiteral("saveFolders/") + kind;
}

bool isWithin(const QString& folder, const QString& parent) {
    return !parent.isEmpty() &&
           (folder == parent || folder.startsWith(QDir::cleanPath(parent) + QLatin1Char('/')));
}

bool isCache(const QString& folder) {
    const QString path = QDir::cleanPath(folder);
    for (const auto place : {QStandardPaths::GenericCacheLocation, QStandardPaths::CacheLocation})
        if (isWithin(path, QStandardPaths::writableLocation(place))) return true;
    return false;
}

QString homeFolder() {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

}  // namespace

SaveFolders::SaveFolders(QSettings& settings, QObject* parent) : QObject(parent), settings_(settings) {}

SaveFolders* SaveFolders::of(const QWidget* widget) {
    for (; widget; widget = widget->parentWidget())
        if (auto* found = widget->findChild<SaveFolders*>({}, Qt::FindDirectChildrenOnly)) return found;
    return nullptr;
}

QString SaveFolders::folder(const QString& kind, const QString& data) const {
    const QString kept = settings_.value(key(kind)).toString();
    if (!kept.isEmpty() && QFileInfo(kept).isDir()) return kept;
    const QFileInfo file(data);
    if (!data.isEmpty() && !isCache(file.absolutePath())) return file.absolutePath();
    const QString last = settings_.value(key(lastKind)).toString();
    return !last.isEmpty() && QFileInfo(last).isDir() ? last : homeFolder();
}

QString SaveFolders::proposal(const QString& kind, const QString& leaf, const QString& data) const {
    if (data.isEmpty()) return QDir(folder(kind, data)).filePath(leaf);
    std::vector<std::string> others{data_.toStdString()};
    if (named_) others = named_();
    const QString path = QString::fromStdString(io::distinct_name(data.toStdString(), others));
    QString name = path.section(QLatin1Char('/'), 0, -2, QString::SectionSkipEmpty) + QLatin1Char('/') +
                   QFileInfo(path).completeBaseName();
    if (name.startsWith(QLatin1Char('/'))) name.remove(0, 1);
    name.replace(QLatin1Char('/'), QLatin1Char('_'));
    return QDir(folder(kind, data)).filePath(name + QLatin1Char('_') + leaf);
}

void SaveFolders::remember(const QString& kind, const QString& path) {
    for (const QString& one : {kind, lastKind}) settings_.setValue(key(one), QFileInfo(path).absolutePath());
}

QString savePath(const QWidget* widget, const QString& kind, const QString& leaf) {
    const SaveFolders* folders = SaveFolders::of(widget);
    return folders ? folders->proposal(kind, leaf) : leaf;
}

QString savePathOfNone(const QWidget* widget, const QString& kind, const QString& leaf) {
    const SaveFolders* folders = SaveFolders::of(widget);
    return folders ? folders->proposal(kind, leaf, {}) : leaf;
}

QString askSavePath(QWidget* parent, const QString& title, const QString& proposal, const QString& filters) {
    return askSavePath(parent, title, proposal, filters.split(QStringLiteral(";;"))).path;
}

ChosenPath askSavePath(QWidget* parent, const QString& title, const QString& proposal,
                       const QStringList& filters) {
    QFileDialog dialog(parent, title, QFileInfo(proposal).path());
    dialog.setNameFilters(filters);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    // "Masks (*.h5 *.png)": the first one.
    const auto suffix = [](const QString& filter) {
        static const QRegularExpression pattern(QStringLiteral("\\*\\.(\\w+)"));
        return pattern.match(filter).captured(1);
    };
    dialog.setDefaultSuffix(suffix(dialog.selectedNameFilter()));
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog,
                     [&](const QString& filter) { dialog.setDefaultSuffix(suffix(filter)); });
    dialog.selectFile(proposal);
    const bool accepted = dialog.exec() == QDialog::Accepted;
    return {accepted ? dialog.selectedFiles().constFirst() : QString(),
            std::max<qsizetype>(filters.indexOf(dialog.selectedNameFilter()), 0)};
}

void rememberSaved(const QWidget* widget, const QString& kind, const QString& path) {
    SaveFolders* folders = SaveFolders::of(widget);
    if (folders && !path.isEmpty()) folders->remember(kind, path);
}

void reportSaved(const QWidget* widget, const QString& sentence) {
    if (SaveFolders* folders = SaveFolders::of(widget)) emit folders->reported(sentence);
}

}  // namespace ks::ui
