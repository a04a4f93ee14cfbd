#include "ui/shell/session/kept_runs.h"

#include <algorithm>
#include <filesystem>

#include "core/record/saved_run.h"
#include "ui/base/jobs.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {
namespace {

/// Opens only the file of the run, and looks for its inputs in folders that have moved.
std::shared_ptr<const Run> readKeptRun(const Registry& registry, const std::string& file,
                                       const MovedFiles& moved) {
    return with_moved_inputs(std::make_shared<const Run>(open_run(registry, file)), moved);
}

void saveRunTo(const Registry& registry, const Run& run, const QString& file) {
    Progress quiet;
    registry.analysis(run.request.analysis).keep(run, file.toStdString(), quiet);
}

constexpr int longestPassed = 3;

}  // namespace

KeptRuns::KeptRuns(Jobs& jobs, std::shared_ptr<const Registry> registry, RunTableModel& runs, QObject* parent)
    : QObject(parent), jobs_(jobs), registry_(std::move(registry)), runs_(runs) {}

void KeptRuns::read(std::vector<KeptRun> runs, const MovedFiles& moved) {
    lost_ = 0;
    whyLost_.clear();
    lostFrom_.clear();
    unreadable_.clear();
    waiting_.clear();
    unread_.clear();
    readAlso(std::move(runs), moved);
}

void KeptRuns::readAlso(std::vector<KeptRun> runs, const MovedFiles& moved) {
    std::ranges::stable_sort(runs, std::greater<>(), &KeptRun::number);
    moved_ = moved;
    for (KeptRun& run : runs) {
        if (waiting_.size() < mostRead)
            waiting_.push_back(std::move(run));
        else
            unread_.push_back(std::move(run));
    }
    readNext();
}

void KeptRuns::readNext() {
    if (readingOne_ || waiting_.empty()) return;
    readingOne_ = true;
    const auto next = [this] {
        readingOne_ = false;
        if (!waiting_.empty()) waiting_.pop_front();
        readNext();
    };
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("run that was kept"),
        [registry = registry_, file = waiting_.front().file, moved = moved_] {
            return readKeptRun(*registry, file, moved);
        },
        [this, next, turn = turn_](const std::shared_ptr<const Run>& run) {
            if (turn == turn_ && !waiting_.empty()) {
                const KeptRun& kept = waiting_.front();
                const int number = runs_.bringBack(run, kept.number, kept.ticked);
                written_[number] = {run, kept.file, own_ && own_(QString::fromStdString(kept.file))};
            }
            next();
        },
        [this, next, turn = turn_](const Error& error) {
            if (turn == turn_ && lost_++ == 0) whyLost_ = QString::fromUtf8(error.what());
            if (turn == turn_ && !waiting_.empty()) {
                lostFrom_.insert(std::filesystem::path(waiting_.front().file).parent_path().string());
                unreadable_.push_back(waiting_.front());
            }
            next();
        });
}

bool KeptRuns::isWritten(int number, const std::shared_ptr<const Run>& run) const {
    const auto at = written_.find(number);
    return at != written_.end() && at->second.run == run && at->second.own;
}

void KeptRuns::write(const std::function<QString(int number)>& newFile) {
    // Runs that have left the table, or have another verdict by now, must no longer be written.
    const std::size_t before = failed_.size();
    std::erase_if(failed_, [this](const auto& one) {
        const RunRow* const row = runs_.find(one.first);
        return !row || row->run != one.second.run;
    });
    if (failed_.size() != before) emit failingChanged();
    writeNext(newFile);
}

void KeptRuns::writeNext(const std::function<QString(int number)>& newFile) {
    if (writingOne_) return;
    for (const RunRow& row : runs_.rows()) {
        if (isWritten(row.number, row.run)) continue;
        if (const auto failed = failed_.find(row.number); failed != failed_.end() &&
                                                          failed->second.run == row.run &&
                                                          failed->second.since.elapsed() < tryAgainMs)
            continue;
        // Its verdict is about to arrive.
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
                if (turn == turn_) setWritten(number, run, written);
                writeNext(newFile);
                if (turn == turn_) emit runWritten();
            },
            [this, number = row.number, run = row.run, newFile, turn = turn_](const Error& error) {
                writingOne_ = false;
                if (turn == turn_) setFailing(number, run, QString::fromUtf8(error.what()));
                writeNext(newFile);
            });
        return;
    }
}

void KeptRuns::setWritten(int number, const std::shared_ptr<const Run>& run, const QString& file) {
    written_[number] = {run, file.toStdString(), true};
    if (failed_.erase(number) > 0) emit failingChanged();
}

void KeptRuns::setFailing(int number, const std::shared_ptr<const Run>& run, const QString& why) {
    Failed& failed = failed_[number];
    failed.run = run;
    failed.since.start();
    whyFailing_ = why;
    emit failingChanged();
}

std::optional<Error> KeptRuns::writeNow(const std::function<QString(int number)>& newFile) {
    std::optional<Error> why;
    for (const RunRow& row : runs_.rows()) {
        if (isWritten(row.number, row.run)) continue;
        const QString file = newFile(row.number);
        try {
            saveRunTo(*registry_, *row.run, file);
            setWritten(row.number, row.run, file);
        } catch (const Error& error) {
            setFailing(row.number, row.run, QString::fromUtf8(error.what()));
            if (!why) why = error;
        }
    }
    return why;
}

std::vector<KeptRun> KeptRuns::kept() const {
    std::vector<KeptRun> all;
    for (const RunRow& row : runs_.rows())
        // A run file that is older than its verdict is better than none.
        if (const auto at = written_.find(row.number); at != written_.end())
            all.push_back({row.number, row.ticked, at->second.file});
    all.insert(all.end(), waiting_.begin(), waiting_.end());
    for (const std::vector<KeptRun>* more : {&unread_, &unreadable_})
        all.insert(all.end(), more->begin(), more->end());
    std::ranges::stable_sort(all, std::greater<>(), &KeptRun::number);
    return all;
}

void KeptRuns::forget() {
    ++turn_;
    waiting_.clear();
    unread_.clear();
    unreadable_.clear();
    written_.clear();
    passed_.clear();
    if (failed_.empty()) return;
    failed_.clear();
    emit failingChanged();
}

}  // namespace ks::ui
