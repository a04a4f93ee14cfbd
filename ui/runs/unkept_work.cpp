#include "ui/runs/unkept_work.h"

#include <utility>
#include <vector>

namespace ks::ui {

UnkeptWork::UnkeptWork(QObject* parent) : QObject(parent) {
    timer_.setInterval(tryAgainMs);
    connect(&timer_, &QTimer::timeout, this, &UnkeptWork::writeNow);
}

UnkeptWork::~UnkeptWork() {
    blockSignals(true);  // nobody is left to be told
    writeNow();
}

void UnkeptWork::put(const QString& key, const QString& title, std::function<void()> write,
                     const std::optional<Error>& why) {
    const auto before = all_.find(key);
    const bool isKnown = before != all_.end() && before->second.why.has_value();
    // What has been told is not told again.
    const std::optional<Error> told = isKnown ? before->second.why : why;
    all_.insert_or_assign(key, One{title, std::move(write), told});
    if (!timer_.isActive()) timer_.start();
    if (why && !isKnown) emit failed(*why);
}

void UnkeptWork::remove(const QString& key) {
    const auto gone = all_.find(key);
    if (gone == all_.end()) return;
    const std::optional<Error> why = gone->second.why;
    all_.erase(gone);
    if (all_.empty()) timer_.stop();
    if (why) emit mended(*why);
}

void UnkeptWork::removeAll(const QString& begin) {
    std::vector<QString> keys;
    for (auto at = all_.lower_bound(begin); at != all_.end() && at->first.startsWith(begin); ++at)
        keys.push_back(at->first);
    for (const QString& key : keys) remove(key);
}

QStringList UnkeptWork::writeNow() {
    std::vector<QString> written;
    std::vector<Error> news;
    QStringList left;
    for (auto& [key, one] : all_) try {
            one.write();
            written.push_back(key);
        } catch (const Error& error) {
            left << one.title;
            if (one.why) continue;
            one.why = error;
            news.push_back(error);
        }
    for (const QString& key : written) remove(key);
    for (const Error& error : news) emit failed(error);
    return left;
}

std::optional<Error> UnkeptWork::why() const {
    for (const auto& [key, one] : all_)
        if (one.why) return one.why;
    return std::nullopt;
}

}  // namespace ks::ui
