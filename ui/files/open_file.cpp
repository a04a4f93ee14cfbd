#include "ui/files/open_file.h"

#include <QFileInfo>
#include <QObject>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "core/data/frame_combination.h"
#include "core/io/csv/csv.h"
#include "core/io/files/regular_file.h"
#include "core/io/series/series.h"
#include "core/io/series/series_record.h"
#include "ui/base/count_text.h"
#include "ui/files/closable_frames.h"
#include "ui/files/data_identity.h"

namespace ks::ui {
namespace {

/// A name under which the file or series can be found again and be shown: a folder has no file name.
QString shownName(const QString& name) {
    const std::filesystem::path file = io::DataName::parse(name.toStdString()).file;
    if (!io::is_series(file) || !std::filesystem::is_directory(file)) return name;
    std::vector<std::string> files;
    for (const std::filesystem::path& one : io::files_named(file)) files.push_back(one.string());
    return QString::fromStdString(io::series_name(files));
}

/// Sets the identity, and remembers that these names refer to the same data.
void identify(OpenFile& file) {
    const io::DataName given = io::DataName::parse(file.name.toStdString());
    io::DataName meant{resolveFile(given.file), given.object};
    std::vector<std::string> names{file.name.toStdString()};
    if (file.frames && !file.isSeries) {
        const io::DataName opened = io::DataName::parse(file.frames->name());
        if (opened.file == given.file && !opened.object.empty()) {
            names.push_back(opened.to_string());
            if (given.object.empty()) names.push_back(meant.file.string());
            meant.object = opened.object;
        }
    }
    file.identity = meant.to_string();
    for (const std::string& name : names) rememberIdentity(name, *file.identity);
}

}  // namespace

OpenFile filesOf(const QString& name) {
    const io::DataName data = io::DataName::parse(name.toStdString());
    OpenFile file;
    file.name = name;
    file.path = QString::fromStdString(data.file.string());
    file.title = QFileInfo(file.path).fileName();
    file.isSeries = io::is_series(data.file);
    if (file.isSeries) {
        const io::Series series = io::find_series(data.file);
        io::require_utf8_name(series.folder / series.pattern);
        file.states.add(series);
        file.record = io::record_of_list(series);
        file.title = QStringLiteral("%1, %2").arg(
            QString::fromStdString(series.pattern),
            counted(series.files.size(), QObject::tr("1 file"), QObject::tr("%1 files")));
    } else {
        file.record = io::record_of(data.file);
        file.states.add_unusable(data.file);
    }
    return file;
}

std::string absolutePath(const QString& file) {
    const std::filesystem::path given = file.toStdString();
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::absolute(given, ignored);
    return (ignored ? given : whole.lexically_normal()).string();
}

std::string absoluteName(const OpenFile& file) {
    return io::DataName{absolutePath(file.path), file.name.mid(file.path.size() + 2).toStdString()}
        .to_string();
}

std::string identityOf(const OpenFile& file) {
    return file.identity.value_or(absoluteName(file));
}

bool isSameData(const OpenFile& before, const OpenFile& now) {
    return before.name == now.name || identityOf(before) == identityOf(now);
}

OpenFile openFile(const QString& given) {
    const QString name = shownName(given);
    OpenFile file = filesOf(name);
    const std::shared_ptr<FrameSource> frames = io::open_frames(name.toStdString());
    require_showable(*frames);
    if (const auto* from = dynamic_cast<const FromFiles*>(frames.get())) file.states.add(from->files());
    file.frames = std::make_shared<ClosableFrames>(frames);
    file.tree = io::read_tree(file.path.toStdString());
    file.geometry = io::read_geometry(name.toStdString(), file.faults);
    identify(file);
    return file;
}

OpenFile openAnyFile(const QString& name) {
    try {
        return openFile(name);
    } catch (const Error& error) {
        OpenFile file = filesOf(name);
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(file.path.toStdString(), ignored)) throw;
        file.noFrames = error;
        try {
            file.tree = io::read_tree(file.path.toStdString());
        } catch (const Error&) {
            // Not a known frame format: the page that takes the file knows what it is.
            if (io::suffix_of(file.path.toStdString()) == ".csv") {
                file.columns = io::csv_columns(file.path.toStdString());
                file.endWarning = io::csv_end_warning(file.path.toStdString());
                if (file.columns.empty())
                    file.noFrames = Error(ErrorKind::input,
                                          std::string("expected a line with the names of columns, found ") +
                                              (file.record.bytes == 0 ? "an empty file" : "none"),
                                          file.path.toStdString());
            }
        }
        identify(file);
        return file;
    }
}

}  // namespace ks::ui
