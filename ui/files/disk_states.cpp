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
    qint64 milliseconds = 0;
};

Look lookedAt(const std::set<std::string>& files) {
    QElapsedTimer since;
    since.start();
    Look made;
    for (const std::string& file : files) made.states.emplace(file, io::state_of(file));
    made.milliseconds = since.elapsed();
    return made;
}

}  // namespace

DiskStates::DiskStates(Jobs& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {
    next_.setSingleShot(true);
    connect(&next_, &QTimer::timeout, this, &DiskStates::look);
}

void DiskStates::setFiles(std::set<std::string> files) {
    next_.stop();
    jobs_.drop(this, subject);
    files_ = std::move(files);
    const bool any = !std::exchange(states_, {}).empty();
    if (!files_.empty())
        look();
    else if (any)
        emit looked();
}

void DiskStates::look() {
    jobs_.start(
        Jobs::Lane::general, this, subject, [files = files_] { return lookedAt(files); },
        [this](const Look& made) {
            next_.start(std::max(lookMs, static_cast<int>(made.milliseconds * rest)));
            states_ = made.states;
            emit looked();
        },
        [this](const Error&) { next_.start(lookMs); });
}

}  // namespace ks::ui
