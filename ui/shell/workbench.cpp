#include "ui/shell/workbench.h"

#include <QFile>
#include <QString>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/record/names_read.h"
#include "core/run/user/user_variant_folder.h"
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

/// The user's kernels.
SaveGuard::Names kernelNames() {
    namespace fs = std::filesystem;
    SaveGuard::Names names;
    std::error_code failure;
    for (fs::recursive_directory_iterator one(user_variants_folder(), failure), end; !failure && one != end;
         one.increment(failure)) {
        std::error_code ignored;
        if (one->is_regular_file(ignored))
            names["your kernel " + one->path().filename().string()] = one->path().string();
    }
    return names;
}

/// All that the window reads, each name once: the open file and those of the other pages, with their repeats
/// and the files of their other inputs; all that was read for the runs, or is to be read for those that wait;
/// and the user's kernels.
SaveGuard::Names namesRead(const FileSession& files, const RunTableModel& runs, const RunQueue& queue) {
    SaveGuard::Names read;
    std::set<QString> known;
    const auto add = [&](const std::string& use, const QString& name) {
        if (!name.isEmpty() && known.insert(name).second) read[use] = name.toStdString();
    };
    if (const auto& file = files.file()) add("the open file", file->path);
    for (const Page* page : files.pages())
        if (const auto file = files.given(*page))
            add("the file of the " + page->title().toStdString() + " page", file->path);
    const auto addAll = [&add](const SaveGuard::Names& names) {
        for (const auto& [use, name] : names)
            add(use.starts_with("the ") ? use : "the " + use, QString::fromStdString(name));
    };
    const auto addRepeats = [&add](const std::vector<std::string>& names, const std::string& of) {
        for (std::size_t i = 0; i < names.size(); ++i)
            add("repeat " + std::to_string(i + 1) + of, QString::fromStdString(names[i]));
    };
    for (const AnalysisPage* page : files.analysisPages()) {
        const std::string of = " of the " + page->title().toStdString() + " page";
        addRepeats(page->repeats(), of);
        for (const auto& [role, input] : page->inputState().files) {
            add(role + of, QString::fromStdString(input.record.file));
            for (const std::filesystem::path& file : input.states.files())
                add(role + of + ": " + file.string(), QString::fromStdString(file.string()));
        }
    }
    for (const RunRow& row : runs.rows()) {
        const std::string number = std::to_string(row.number);
        add("the data of run " + number, row.data);
        addAll(names_read(*row.run, " of run " + number));
    }
    for (int row = 0; row < queue.rowCount(); ++row) {
        const QueuedRun& waiting = queue.entry(row);
        const std::string of = " of run " + std::to_string(waiting.number);
        addAll(names_read(waiting.request, of));
        addRepeats(waiting.set.names, of);
    }
    addAll(kernelNames());
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
    saves.setRead([this] { return namesRead(files, runs, queue); });
    runs.setFormerText([this](const Run& run) { return request.kernelChanged(run); });
}

}  // namespace ks::ui
