#include "ui/runs/run_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/io/files/data_name.h"
#include "core/io/files/distinct_name.h"
#include "core/io/files/file_stamp.h"
#include "core/io/series/name_pattern.h"
#include "core/io/series/series_record.h"
#include "core/run/repeats/repeats.h"
#include "ui/files/data_identity.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {
namespace {

bool names(const Run& run, const std::string& role, const QString& name) {
    const auto input = run.request.inputs.find(role);
    return input != run.request.inputs.end() && isSameData(input->second.name, name.toStdString());
}

/// Whether the run read the file of the record, or the list of files that it stands for.
bool readMain(const Run& run, const FileRecord& record) {
    const auto isOf = [&record](const FileRecord& read) {
        return read.bytes == record.bytes && read.hash == record.hash &&
               (read.modified == record.modified || read.file != record.file);
    };
    if (std::ranges::any_of(run.files, isOf)) return true;
    if (std::ranges::find(run.files, record.file, &FileRecord::file) != run.files.end()) return false;
    const std::filesystem::path name = record.file;
    if (!io::NamePattern::parse(name.filename().string())) return false;
    const std::map<std::filesystem::path, FileRecord> lists = io::recorded_lists(name, run.files);
    if (const auto own = lists.find(name.parent_path()); own != lists.end()) return isOf(own->second);
    return lists.empty() || std::ranges::any_of(lists, [&isOf](const auto& one) { return isOf(one.second); });
}

std::string_view leafOf(std::string_view file) {
    return file.substr(file.rfind('/') + 1);
}

/// Whether the run read the files of the data beside the one of the record as they are in `states`. Where
/// data were copied, a file has the same name in another folder.
bool readParts(const Run& run, const FileRecord& record, const FileStates& states) {
    std::set<std::string_view> missing;
    for (const std::filesystem::path& file : states.missing()) missing.insert(leafOf(file.native()));
    std::size_t found = 0;
    for (const FileRecord& read : run.files) {
        const io::FileState* const now = states.find(read.file);
        if (!now && !read.hash.empty() && missing.contains(leafOf(read.file))) return false;
        if (!now) continue;
        ++found;
        const bool same = now->bytes == read.bytes && now->modified() == read.modified;
        if (!same && read.file != record.file) return false;
    }
    if (found == states.count()) return true;
    std::set<std::string_view> names;
    std::set<std::pair<std::string_view, std::uint64_t>> leaves;
    for (const FileRecord& read : run.files) {
        names.insert(read.file);
        leaves.emplace(leafOf(read.file), read.bytes);
    }
    return std::ranges::all_of(states.files(), [&](const std::filesystem::path& file) {
        const std::string& name = file.native();
        return name == record.file || names.contains(name) ||
               leaves.contains({leafOf(name), states.find(name)->bytes});
    });
}

}  // namespace

bool readContents(const Run& run, const FileRecord& record, const FileStates& states) {
    if (run.files.empty() || record.hash.empty()) return true;
    return readMain(run, record) && readParts(run, record, states);
}

bool isRepeatOf(const Run& run, const std::string& name) {
    return std::ranges::any_of(names_of_repeats(run),
                               [&name](const std::string& one) { return isSameData(one, name); });
}

std::vector<std::string> changedRepeats(const Run& run,
                                        const std::map<std::string, std::optional<io::FileState>>& now,
                                        const std::map<std::string, std::string>& hashes) {
    const std::vector<std::string> repeats = names_of_repeats(run);
    if (repeats.empty()) return {};
    const auto isChanged = [&now, &hashes](const FileRecord& then, const std::string& file) {
        const std::optional<io::FileState>& is = now.at(file);
        if (!is || is->bytes != then.bytes) return true;
        if (file != then.file || is->modified() == then.modified) return false;
        const auto hash = hashes.find(file);
        return hash == hashes.end() || hash->second != then.hash;
    };
    // Data that have moved since are known by their names without folders, and are copies, whose times say
    // nothing.
    std::map<std::string_view, const FileRecord*> read, leaves;
    for (const FileRecord& file : run.files) {
        read[file.file] = &file;
        leaves[leafOf(file.file)] = &file;
    }
    // Of which the fraction of a second is not recorded.
    const qint64 start = startOf(run).isValid() ? startOf(run).toSecsSinceEpoch() + 1 : 0;
    std::set<std::string> changed;
    bool moved = false;
    for (const std::string& name : repeats) {
        const std::string file = io::DataName::parse(name).file.string();
        const auto own = read.find(file), copied = leaves.find(leafOf(file));
        moved = moved || (own == read.end() && copied != leaves.end());
        const auto found = now.find(file);
        if (found == now.end()) continue;
        const std::optional<io::FileState>& is = found->second;
        const bool other = own != read.end()        ? isChanged(*own->second, file)
                           : copied != leaves.end() ? isChanged(*copied->second, file)
                                                    : is && is->regular && start > 0 && is->seconds > start;
        if (other) changed.insert(file);
    }
    // Files to which they link.
    for (const FileRecord& file : run.files)
        if (!moved && now.contains(file.file) && isChanged(file, file.file)) changed.insert(file.file);
    return {changed.begin(), changed.end()};
}

bool sameContents(const Run& one, const Run& other) {
    if (one.files == other.files) return true;
    std::map<std::string, const FileRecord*> known;
    for (const FileRecord& file : one.files) known[file.file] = &file;
    return std::ranges::all_of(other.files, [&known](const FileRecord& file) {
        const auto same = known.find(file.file);
        return same == known.end() || io::is_same_content(*same->second, file);
    });
}

bool readFrom(const Run& run, const std::string& role, const OpenFile& file) {
    return names(run, role, file.name) && readContents(run, file.record, file.states);
}

bool readFrom(const Run& run, const std::string& role, const OpenFile& file,
              const std::map<std::string, std::size_t>& counts) {
    return readFrom(run, role, file) && std::ranges::all_of(counts, [&run](const auto& count) {
               return run.result.facts.value(count.first, std::size_t{0}) == count.second;
           });
}

QDateTime startOf(const Run& run) {
    return QDateTime::fromString(QString::fromStdString(run.started), Qt::ISODate).toLocalTime();
}

QString madeAt(const Run& run) {
    const QDateTime start = startOf(run);
    if (!start.isValid()) return {};
    const bool today = start.date() == QDate::currentDate();
    return start.toString(today ? QStringLiteral("HH:mm") : QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString sourceText(const Run& run, const std::string& role, const OpenFile& beside,
                   const std::vector<RunRow>& shown) {
    const auto input = run.request.inputs.find(role);
    if (input == run.request.inputs.end()) return QObject::tr("other data");
    const io::DataName name = io::DataName::parse(input->second.name);
    const std::string own = resolvedFile(name.file.string());
    const bool isBeside = resolvedFile(beside.path.toStdString()) == own;
    bool otherObject = isBeside && !isSameData(input->second.name, beside.name.toStdString());
    std::vector<std::string> others{beside.path.toStdString()};
    for (const RunRow& row : shown) {
        const auto theirs = row.run->request.inputs.find(role);
        if (theirs == row.run->request.inputs.end()) continue;
        const std::string file = io::DataName::parse(theirs->second.name).file.string();
        others.push_back(file);
        otherObject = otherObject ||
                      (resolvedFile(file) == own && !isSameData(theirs->second.name, input->second.name));
    }
    QString text = QString::fromStdString(io::distinct_name(name.file.string(), others));
    if (otherObject && !name.object.empty())
        text += QStringLiteral("::") + QString::fromStdString(name.object);
    if (isBeside && !readContents(run, beside.record, beside.states))
        text = QObject::tr("%1 as it was at %2").arg(text, madeAt(run));
    return text;
}

}  // namespace ks::ui
