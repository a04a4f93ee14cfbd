#include "ui/runs/live_preview.h"

#include <algorithm>
#include <utility>

#include "ui/runs/run_queue.h"

namespace ks::ui {
namespace {

constexpr double minimum = 1.0 / 256;

}  // namespace

LivePreview::LivePreview(RunQueue& queue, MakeRequest make, AtOnce atOnce, QObject* parent)
    : QObject(parent), queue_(queue), make_(std::move(make)), atOnce_(std::move(atOnce)) {
    connect(&queue_, &RunQueue::previewReady, this, &LivePreview::onReady);
    connect(&queue_, &RunQueue::previewFailed, this, &LivePreview::onFailed);
}

void LivePreview::changed() {
    behind_ = true;
    if (showAtOnce()) return;
    // What meets the goal is short: stopping it for every step of the mouse would never show anything.
    // So is the whole where the page has nothing to leave out.
    if (share_ > 0 && asked_ <= reduced_) {
        newer_ = true;
        return;
    }
    ask(reduced_);
}

void LivePreview::stop() {
    newer_ = behind_ = turnedAway_ = false;
    share_ = 0;
}

void LivePreview::reset() {
    stop();
    reduced_ = firstShare;
}

bool LivePreview::showAtOnce() {
    std::shared_ptr<const Run> run;
    try {
        run = atOnce_();
    } catch (const Error&) {
        return false;  // ask() reports it
    }
    if (!run) return false;
    stop();  // a result that is under way is of older inputs
    emit ready(std::move(run), true);
    return true;
}

void LivePreview::ask(double share) {
    newer_ = turnedAway_ = false;
    share_ = 0;
    try {
        const std::optional<Wanted> wanted = make_(share);
        if (!wanted) return emit none();
        since_.start();
        queue_.add(QueuedPreview{wanted->request});
        asked_ = share;
        // While a run is under way there are no previews.
        if (!queue_.previewing()) {
            turnedAway_ = true;
            return emit none();
        }
        share_ = wanted->whole ? 1 : share;
    } catch (const Error& error) {
        emit failed(error);
    }
}

void LivePreview::onReady(std::shared_ptr<const Run> run) {
    if (share_ <= 0) return;
    const bool whole = share_ >= 1;
    const auto spent = static_cast<double>(since_.elapsed());
    // Steps of two, so that the share does not swing with the noise of the clock.
    if (spent > 1.5 * goal)
        reduced_ = std::max(minimum, std::min(reduced_, share_ / 2));
    else if (spent < 0.5 * goal)
        reduced_ = std::min(1.0, std::max(reduced_, share_ * 2));
    share_ = 0;
    const bool newer = std::exchange(newer_, false);
    behind_ = newer;
    emit ready(std::move(run), whole);
    if (newer)
        ask(reduced_);
    else if (!whole && share_ == 0)
        ask(1);
}

void LivePreview::onFailed(const Error& error) {
    if (share_ <= 0) return;
    share_ = 0;
    if (std::exchange(newer_, false)) return ask(reduced_);
    if (error.kind() != ErrorKind::cancelled) return emit failed(error);
    if (!behind_) return;
    turnedAway_ = true;
    emit none();
}

}  // namespace ks::ui
