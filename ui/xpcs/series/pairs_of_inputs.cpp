#include "ui/xpcs/series/pairs_of_inputs.h"

#include <algorithm>
#include <utility>

#include "core/data/frame_ranges.h"
#include "core/wire/jobs.h"
#include "core/xpcs/pairs/reduced_frames.h"
#include "ui/runs/worker_job.h"

namespace ks::ui::xpcs {
namespace {

bool areSame(const PairsOfInputs::Files& one, const PairsOfInputs::Files& other) {
    return std::ranges::equal(one, other, [](const auto& a, const auto& b) {
        return a.first == b.first && a.second.record == b.second.record && a.second.states == b.second.states;
    });
}

}  // namespace

PairsOfInputs::PairsOfInputs(Desk& desk, Jobs& jobs, QObject* parent)
    : QObject(parent), desk_(desk), jobs_(jobs) {
    constexpr int restMs = 250;
    rests_.setSingleShot(true);
    rests_.setInterval(restMs);
    connect(&rests_, &QTimer::timeout, this, &PairsOfInputs::ask);
}

void PairsOfInputs::want(const Request& next, const Sizes& sizes, const Files& files) {
    // What failed is tried again with other parameters only: frames that are left out may be the reason.
    const bool tries = problem_.isEmpty() || next.parameters == asked_->next.parameters;
    if (tries && areOf(next, files)) return;
    pairs_.reset();
    problem_.clear();
    files_ = files;
    asked_ = Asked{next, sizes, false};
    rests_.start();
    emit changed();
}

bool PairsOfInputs::areOf(const Request& next, const Files& files) const {
    if (!areSame(files, files_)) return false;
    if (pairs_) return pairs_->is_of(next);
    return asked_ && ks::xpcs::need_same_pairs(asked_->next, next);
}

void PairsOfInputs::drop() {
    rests_.stop();
    asked_.reset();
    problem_.clear();
    if (std::exchange(pairs_, nullptr)) emit changed();
}

void PairsOfInputs::ask() {
    if (!asked_) return;
    const Sizes& sizes = asked_->sizes;
    const std::size_t delays = ks::xpcs::delays_within({}, sizes.frames, sizes.bins, sizes.pixels);
    const Request request =
        ks::xpcs::LivePairs::request_of(asked_->next, delays, asked_->keepsLeftOut, sizes.frames);
    const int question = ++question_;
    desk_.ask<wire::RunJob>(
        this, {request},
        {.answer = [this, question](std::shared_ptr<const Run> run) { take(question, std::move(run)); },
         .failed = [this, question](const Error& error) { fail(question, error); }});
}

void PairsOfInputs::take(int question, std::shared_ptr<const Run> made) {
    if (!isNewest(question)) return;
    if (made->result.facts.value("invalid_in_some_frames", 0) > 0 && askWithoutLeftOut()) return;
    using ks::xpcs::LivePairs;
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("pairs of frames"),
        [made = std::move(made), next = asked_->next, inFile = asked_->sizes.frames_in_file] {
            auto pairs = std::make_shared<LivePairs>(next, *made, inFile);
            pairs->preview(next);  // its first sums take longest
            return pairs;
        },
        [this, question](const std::shared_ptr<LivePairs>& pairs) {
            if (!isNewest(question) || !pairs->is_of(asked_->next)) return;
            asked_.reset();
            pairs_ = pairs;
            emit changed();
        },
        [this, question](const Error& error) { fail(question, error); });
}

void PairsOfInputs::fail(int question, const Error& error) {
    if (!isNewest(question) || error.kind() == ErrorKind::cancelled) return;
    if (error.kind() == ErrorKind::input && askWithoutLeftOut()) return;
    problem_ = QString::fromStdString(error.message());
    emit changed();
}

bool PairsOfInputs::askWithoutLeftOut() {
    const ParameterSet& parameters = asked_->next.parameters;
    const auto named = parameters.find("leave_out");
    const bool usesAll = (named == parameters.end() || text(parameters, "leave_out") == no_frames) &&
                         ks::xpcs::reduction_of(parameters).none();
    if (asked_->keepsLeftOut || usesAll) return false;
    asked_->keepsLeftOut = true;
    ask();
    return true;
}

}  // namespace ks::ui::xpcs
