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
    tooLong_.setSingleShot(true);
    tooLong_.setInterval(patience);
    connect(&tooLong_, &QTimer::timeout, this, &LivePreview::askLess);
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
    tooLong_.stop();
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
    tooLong_.stop();
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
        whole_ = wanted->whole;
        share_ = wanted->whole || wanted->most ? 1 : share;
        if (asked_ <= reduced_) tooLong_.start();
    } catch (const Error& error) {
        emit failed(error);
    }
}

// The inputs changed by more than a hand moves them: the share that met the goal is no guide any more.
void LivePreview::askLess() {
    // A first preview may wait for files or compilers, which less work would not shorten.
    if (share_ <= 0 || (!newer_ && asked_ <= firstShare)) return;
    const double less = std::max(minimum, asked_ / 16);
    try {
        const std::optional<Wanted> wanted = less < asked_ ? make_(less) : std::nullopt;
        if (!wanted || wanted->whole) return;
    } catch (const Error&) {
        return;  // the newest change reports it
    }
    reduced_ = less;
    ask(less);
}

void LivePreview::onReady(std::shared_ptr<const Run> run) {
    if (share_ <= 0) return;
    const bool most = share_ >= 1;
    tooLong_.stop();
    const auto spent = static_cast<double>(since_.elapsed());
    // Steps of two, so that the share does not swing with the noise of the clock.
    if (spent > 1.5 * goal)
        reduced_ = std::max(minimum, std::min(reduced_, share_ / 2));
    else if (spent < 0.5 * goal)
        reduced_ = std::min(1.0, std::max(reduced_, share_ * 2));
    share_ = 0;
    const bool newer = std::exchange(newer_, false);
    behind_ = newer;
    emit ready(std::move(run), whole_);
    if (newer)
        ask(reduced_);
    else if (!most && share_ == 0)
        ask(1);
}

void LivePreview::onFailed(const Error& error) {
    if (share_ <= 0) return;
    share_ = 0;
    tooLong_.stop();
    if (std::exchange(newer_, false)) return ask(reduced_);
    if (error.kind() != ErrorKind::cancelled) return emit failed(error);
    if (!behind_) return;
    turnedAway_ = true;
    emit none();
}

}  // namespace ks::ui
