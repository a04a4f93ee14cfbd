#include "ui/shell/session/kept_runs.h"

#include <algorithm>

#include "core/record/saved_run.h"
#include "ui/base/jobs.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {
namespace {

/// Opens no other file than that of the run.
std::shared_ptr<const Run> readKeptRun(const Registry& registry, const std::string& file,
                                       const std::vector<std::string>& from, const std::string& to) {
    auto run = std::make_shared<Run>(open_run(registry, file));
    if (to.empty()) return run;
    for (auto& [role, input] : run->request.inputs) {
        if (input.values) continue;
        const auto named = std::ranges::find_if(from, [&name = input.name](const std::string& one) {
            return !one.empty() && (name == one || name.starts_with(one + "::"));
        });
        if (named != from.end()) input.name = to + input.name.substr(named->size());
    }
    return run;
}

void saveRunTo(const Registry& registry, const Run& run, const QString& file) {
    Progress quiet;
    registry.analysis(run.request.analysis).keep(run, file.toStdString(), quiet);
}

constexpr int longestPassed = 3;

}  // namespace

KeptRuns::KeptRuns(Jobs& jobs, std::shared_ptr<const Registry> registry, RunTableModel& runs, QObject* parent)
    : QObject(parent), jobs_(jobs), registry_(std::move(registry)), runs_(runs) {}

void KeptRuns::read(std::vector<KeptRun> runs, const std::vector<std::string>& from, const std::string& to) {
    std::ranges::stable_sort(runs, std::greater<>(), &KeptRun::number);
    lost_ = 0;
    whyLost_.clear();
    from_ = from;
    to_ = to;
    const std::size_t count = std::min(runs.size(), mostRead);
    waiting_.assign(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(count));
    unread_.assign(runs.begin() + static_cast<std::ptrdiff_t>(count), runs.end());
    readNext();
}

void KeptRuns::readNext() {
    if (readingOne_) return;
    if (waiting_.empty()) {
        emit allRead();
        return;
    }
    readingOne_ = true;
    const auto next = [this] {
        readingOne_ = false;
        if (!waiting_.empty()) waiting_.pop_front();
        readNext();
    };
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("run that was kept"),
        [registry = registry_, file = waiting_.front().file, from = from_, to = to_] {
            return readKeptRun(*registry, file, from, to);
        },
        [this, next, turn = turn_](const std::shared_ptr<const Run>& run) {
            if (turn == turn_ && !waiting_.empty()) {
                const KeptRun& kept = waiting_.front();
                const int number = runs_.bringBack(run, kept.number, kept.ticked);
                if (own_ && own_(QString::fromStdString(kept.file))) written_[number] = {run, kept.file};
            }
            next();
        },
        [this, next, turn = turn_](const Error& error) {
            if (turn == turn_ && lost_++ == 0) whyLost_ = QString::fromUtf8(error.what());
            next();
        });
}

bool KeptRuns::isWritten(int number, const std::shared_ptr<const Run>& run) const {
    const auto at = written_.find(number);
    return at != written_.end() && at->second.run == run;
}

void KeptRuns::write(const std::function<QString(int number)>& newFile) {
    if (writingOne_) return;
    for (const RunRow& row : runs_.rows()) {
        if (isWritten(row.number, row.run)) continue;
        if (const auto failed = failed_.find(row.number);
            failed != failed_.end() && failed->second == row.run)
            continue;
        // Its verdict is about to come.
        if (row.checking && passed_[row.number]++ < longestPassed) continue;
        writingOne_ = true;
        const QString file = newFile(row.number);
        jobs_.start(
            Jobs::Lane::general, this, QStringLiteral("keep a run"),
            [registry = registry_, run = row.run, file] {
                saveRunTo(*registry, *run, file);
                return file;
            },
            [this, number = row.number, run = row.run, newFile, turn = turn_](const QString& written) {
                writingOne_ = false;
                if (turn == turn_) written_[number] = {run, written.toStdString()};
                write(newFile);
            },
            [this, number = row.number, run = row.run, newFile](const Error&) {
                writingOne_ = false;
                failed_[number] = run;
                write(newFile);
            });
        return;
    }
}

void KeptRuns::writeNow(const std::function<QString(int number)>& newFile) {
    for (const RunRow& row : runs_.rows()) {
        if (isWritten(row.number, row.run)) continue;
        const QString file = newFile(row.number);
        saveRunTo(*registry_, *row.run, file);
        written_[row.number] = {row.run, file.toStdString()};
    }
}

std::vector<KeptRun> KeptRuns::kept() const {
    std::vector<KeptRun> all;
    for (const RunRow& row : runs_.rows())
        // One whose verdict is newer than its file is better than none.
        if (const auto at = written_.find(row.number); at != written_.end())
            all.push_back({row.number, row.ticked, at->second.file});
    all.insert(all.end(), waiting_.begin(), waiting_.end());
    all.insert(all.end(), unread_.begin(), unread_.end());
    std::ranges::stable_sort(all, std::greater<>(), &KeptRun::number);
    return all;
}

void KeptRuns::forget() {
    ++turn_;
    waiting_.clear();
    unread_.clear();
    written_.clear();
    failed_.clear();
    passed_.clear();
}

}  // namespace ks::ui
