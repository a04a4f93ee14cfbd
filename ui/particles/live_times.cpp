#include "ui/particles/live_times.h"

#include <QObject>
#include <utility>

#include "ui/base/palette.h"

namespace ks::ui::particles {

void LiveTimes::setPreview(std::shared_ptr<const Run> run) {
    timing_ = false;
    since_ = asked_;
    if (!run) times_.clear();
    timed_ = asked_.isValid() ? std::move(run) : nullptr;
}

void LiveTimes::pictured(const std::shared_ptr<const Run>& run) {
    if (!timed_ || timed_ != run) return;
    timed_.reset();
    timing_ = true;
}

bool LiveTimes::painted(std::size_t side) {
    if (!std::exchange(timing_, false)) return false;
    latency_ = static_cast<double>(since_.nsecsElapsed()) * 1e-6;
    if (told_ != since_) times_.clear();
    told_ = since_;
    if (times_.size() > 1) times_.removeLast();
    times_ << QObject::tr("%1 at %2 \u00d7 %2").arg(formatDuration(latency_ * 1e6)).arg(side);
    return true;
}

}  // namespace ks::ui::particles
