#include "ui/spots/found_spots.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/error.h"
#include "core/spots/results/frame_columns.h"
#include "core/spots/results/spot_columns.h"

namespace ks::ui::spots {

using ks::spots::Dropped;
using ks::spots::Spot;

FoundSpots::FoundSpots(std::shared_ptr<const Run> run, int number) : run_(std::move(run)), number_(number) {
    const Result& result = run_->result;
    first_ = result.facts.value("first_frame", 0);
    height_ = result.facts.value("height", std::size_t{0});
    width_ = result.facts.value("width", std::size_t{0});
    const std::size_t offsets = result.at("signal_offset").values.size();
    if (offsets == 0)
        throw Error(ErrorKind::run, "expected one offset per frame, found none", "signal_offset");
    frames_ = offsets - 1;
    for (std::size_t frame = 0; frame < frames_; ++frame) ks::spots::signal_of(result, frame);
    spots_ = ks::spots::spots_of(result);

    offsets_.assign(frames_ + 1, 0);
    const auto eachFrame = [this](const Spot& spot, auto&& use) {
        for (std::size_t z = spot.z0; z < std::min<std::size_t>(spot.z1, frames_); ++z) use(z);
    };
    for (const Spot& spot : spots_) eachFrame(spot, [this](std::size_t z) { ++offsets_[z + 1]; });
    for (std::size_t z = 0; z < frames_; ++z) offsets_[z + 1] += offsets_[z];
    onFrame_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::size_t i = 0; i < spots_.size(); ++i)
        eachFrame(spots_[i], [&](std::size_t z) { onFrame_[next[z]++] = static_cast<std::uint32_t>(i); });
}

QString FoundSpots::whyNotSearched(int frame) const {
    const Dataset* const states = run_->result.find("frame_missing");
    if (!covers(frame) || !states || states->values.size() != frames_) return {};
    const auto state = states->values.as<std::uint8_t>()[static_cast<std::size_t>(frame - first_)];
    return QString::fromLatin1(ks::spots::name_of(static_cast<ks::spots::FrameState>(state)));
}

std::span<const std::uint32_t> FoundSpots::signal(int frame) const {
    if (!covers(frame)) return {};
    return ks::spots::signal_of(run_->result, static_cast<std::size_t>(frame - first_));
}

std::span<const std::uint32_t> FoundSpots::on(int frame) const {
    if (!covers(frame)) return {};
    const auto z = static_cast<std::size_t>(frame - first_);
    return std::span(onFrame_).subspan(offsets_[z], offsets_[z + 1] - offsets_[z]);
}

std::size_t FoundSpots::keptOn(int frame) const {
    const auto there = on(frame);
    return static_cast<std::size_t>(std::count_if(
        there.begin(), there.end(), [this](std::uint32_t i) { return spots_[i].dropped == Dropped::kept; }));
}

std::optional<std::size_t> FoundSpots::at(int frame, const QPointF& image, double reach,
                                          bool droppedToo) const {
    std::optional<std::size_t> inside, near;
    double smallest = 0, nearest = reach;
    for (const std::uint32_t i : on(frame)) {
        const Spot& spot = spots_[i];
        if (spot.dropped != Dropped::kept && !droppedToo) continue;
        const double area = double(spot.x1 - spot.x0) * double(spot.y1 - spot.y0);
        const bool holds =
            image.x() >= spot.x0 && image.x() < spot.x1 && image.y() >= spot.y0 && image.y() < spot.y1;
        if (holds && (!inside || area < smallest)) {
            inside = i;
            smallest = area;
        }
        const double away = std::hypot(image.x() - spot.x, image.y() - spot.y);
        if (away <= nearest) {
            near = i;
            nearest = away;
        }
    }
    return inside ? inside : near;
}

SignalDifference difference(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    SignalDifference found;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(found.onlyA));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(found.onlyB));
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(found.both));
    return found;
}

bool areCompared(const FoundSpots& a, const FoundSpots& b, int frame) {
    const auto searched = [frame](const FoundSpots& run) {
        return run.covers(frame) && run.whyNotSearched(frame).isEmpty();
    };
    return searched(a) && searched(b);
}

DifferenceCounts countDifference(const FoundSpots& a, const FoundSpots& b) {
    DifferenceCounts counts;
    for (int frame = std::max(a.first(), b.first()); frame < std::min(a.end(), b.end()); ++frame) {
        if (!areCompared(a, b, frame)) continue;
        const SignalDifference here = difference(a.signal(frame), b.signal(frame));
        counts.onlyA += here.onlyA.size();
        counts.onlyB += here.onlyB.size();
        counts.both += here.both.size();
        ++counts.frames;
    }
    return counts;
}

}  // namespace ks::ui::spots
