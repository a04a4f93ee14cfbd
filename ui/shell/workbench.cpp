#include "ui/shell/workbench.h"

#include <QFile>
#include <QString>
#include <set>
#include <string>
#include <utility>

#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"

namespace ks::ui {
namespace {

/// QSettings takes invalid lines for keys; but it never writes a zero byte.
bool isText(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return true;
    constexpr qint64 piece = 1 << 16;
    while (!file.atEnd())
        if (file.read(piece).contains('\0')) return false;
    return true;
}

/// Usable settings: a settings file that cannot be read is renamed to NAME.damaged and replaced by empty
/// settings.
/// @param given null: the user's own
/// @param damaged the new name of the file, if that happened
std::unique_ptr<QSettings> soundSettings(std::unique_ptr<QSettings> given, QString& damaged) {
    auto settings = given ? std::move(given) : std::make_unique<QSettings>();
    const QString path = settings->fileName();
    const QSettings::Format format = settings->format();
    (void)settings->allKeys();
    if (settings->status() != QSettings::FormatError && (!QFile::exists(path) || isText(path)))
        return settings;
    const QString aside = path + QStringLiteral(".damaged");
    settings.reset();
    QFile::remove(aside);
    if (QFile::rename(path, aside)) damaged = aside;
    return std::make_unique<QSettings>(path, format);
}

/// The open file, those of the other pages, and the data of all runs: each name once.
SaveGuard::Names namesRead(const FileSession& files, const RunTableModel& runs) {
    SaveGuard::Names read;
    std::set<QString> known;
    const auto add = [&](const std::string& use, const QString& name) {
        if (!name.isEmpty() && known.insert(name).second) read[use] = name.toStdString();
    };
    if (const auto& file = files.file()) add("the open file", file->path);
    for (const Page* page : files.pages())
        if (const auto file = files.given(*page))
            add("the file of the " + page->title().toStdString() + " page", file->path);
    for (const RunRow& row : runs.rows()) add("the data of run " + std::to_string(row.number), row.data);
    return read;
}

}  // namespace

Workbench::Workbench(std::unique_ptr<QSettings> given, std::shared_ptr<const Registry> registryOfPages,
                     QWidget& window)
    : settings(soundSettings(std::move(given), damagedSettings)),
      folders(*new SaveFolders(*settings, &window)),
      saves(*new SaveGuard(&window)),
      queue(worker, runs),
      context(jobs, std::move(registryOfPages)),
      desk(*context.desk),
      files(context, *settings, runs),
      runFiles(*this, &window),
      request(*new RequestForm(*settings, desk, &window)),
      pageRuns(*this),
      warmStart(*this) {
    runs.setRegistry(registry());
    desk.setRuns(runs);
    runs.setTextFaults(desk.textFaults());
    folders.setNamed([this] { return runs.dataFiles(); });
    saves.setRead([this] { return namesRead(files, runs); });
    runs.setFormerText([this](const Run& run) { return request.kernelChanged(run); });
}

}  // namespace ks::ui
