#include "ui/files/disk_states.h"

#include <QElapsedTimer>
#include <algorithm>
#include <utility>

#include "ui/base/jobs.h"

namespace ks::ui {
namespace {

constexpr int lookMs = 1500;
/// A slow disk is not kept busy: the time between two looks is at least this many times that of a look.
constexpr int rest = 20;
const QString subject = QStringLiteral("states on disk");

struct Look {
    DiskStates::States states;
    std::map<std::string, std::string> hashes;
    std::map<std::string, FileRecord> read;
    qint64 milliseconds = 0;
};

/// Whether only its time differs from that of a known record: then its ends are compared.
bool isTouched(const std::string& file, const io::FileState& now, const std::vector<FileRecord>& known) {
    return now.regular && std::ranges::any_of(known, [&](const FileRecord& then) {
               return then.file == file && then.bytes == now.bytes && then.modified != now.modified();
           });
}

/// @param read hashes known from earlier looks
Look lookedAt(const std::set<std::string>& files, const std::vector<FileRecord>& known,
              const std::map<std::string, FileRecord>& read) {
    QElapsedTimer since;
    since.start();
    Look made;
    for (const std::string& file : files) {
        std::optional<io::FileState> now = io::state_of(file);
        if (now && isTouched(file, *now, known)) {
            const auto earlier = read.find(file);
            const bool isRead = earlier != read.end() && earlier->second.bytes == now->bytes &&
                                earlier->second.modified == now->modified();
            const FileRecord record = isRead ? earlier->second : io::record_of(file);
            made.read[file] = record;
            made.hashes[file] = record.hash;
        }
        made.states.emplace(file, std::move(now));
    }
    made.milliseconds = since.elapsed();
    return made;
}

}  // namespace

DiskStates::DiskStates(Jobs& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {
    next_.setSingleShot(true);
    connect(&next_, &QTimer::timeout, this, &DiskStates::look);
}

void DiskStates::setFiles(std::set<std::string> files, std::vector<FileRecord> known) {
    next_.stop();
    jobs_.drop(this, subject);
    files_ = std::move(files);
    known_ = std::move(known);
    hashes_.clear();
    const bool any = !std::exchange(states_, {}).empty();
    if (!files_.empty())
        look();
    else if (any)
        emit looked();
}

void DiskStates::look() {
    jobs_.start(
        Jobs::Lane::general, this, subject,
        [files = files_, known = known_, read = read_] { return lookedAt(files, known, read); },
        [this](const Look& made) {
            next_.start(std::max(lookMs, static_cast<int>(made.milliseconds * rest)));
            states_ = made.states;
            hashes_ = made.hashes;
            read_ = made.read;
            emit looked();
        },
        [this](const Error&) { next_.start(lookMs); });
}

}  // namespace ks::ui
