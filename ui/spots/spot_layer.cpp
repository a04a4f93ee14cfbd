#include "ui/spots/spot_layer.h"
#include "ui/base/count_text.h"

#include <QLocale>
#include <QObject>
#include <QStringList>
#include <algorithm>
#include <iterator>

namespace ks::ui::spots {

using ks::spots::Dropped;
using ks::spots::Spot;

namespace {

/// Signal pixels of all frames in the picture, ascending.
std::vector<std::uint32_t> united(const FoundSpots& run, int frame, int count) {
    const auto first = run.signal(frame);
    std::vector<std::uint32_t> all(first.begin(), first.end());
    for (int k = std::max(frame + 1, run.first()); k < std::min(frame + count, run.end()); ++k) {
        const auto more = run.signal(k);
        std::vector<std::uint32_t> merged;
        merged.reserve(all.size() + more.size());
        std::set_union(all.begin(), all.end(), more.begin(), more.end(), std::back_inserter(merged));
        all = std::move(merged);
    }
    return all;
}

}  // namespace

QColor SpotLayer::signalColour() {
    return {255, 64, 190};
}
QColor SpotLayer::onlyAColour() {
    return {255, 122, 0};
}
QColor SpotLayer::onlyBColour() {
    return {86, 180, 233};
}

void SpotLayer::setRuns(std::shared_ptr<const FoundSpots> a, std::shared_ptr<const FoundSpots> b) {
    a_ = std::move(a);
    b_ = std::move(b);
    counts_.reset();
    picked_.reset();
    collect();
}

void SpotLayer::setCounts(std::optional<DifferenceCounts> counts) {
    counts_ = counts;
}

void SpotLayer::setFrames(int frame, int count) {
    if (frame == frame_ && count == count_) return;
    frame_ = frame;
    count_ = count;
    collect();
}

void SpotLayer::setStyle(const SpotStyle& style) {
    const bool other = style.difference != style_.difference;
    style_ = style;
    boxesFresh_ = false;
    if (other) collect();
}

void SpotLayer::setPicked(std::optional<std::size_t> spot) {
    picked_ = spot;
    boxesFresh_ = false;
}

void SpotLayer::collect() {
    signal_ = {};
    boxesFresh_ = false;
    std::vector<SignalPicture::Set> sets;
    if (showsDifference()) {
        signal_ = difference(united(*a_, frame_, count_), united(*b_, frame_, count_));
        sets = {
            {signal_.both, signalColour()}, {signal_.onlyB, onlyBColour()}, {signal_.onlyA, onlyAColour()}};
    } else if (a_) {
        signal_.both = united(*a_, frame_, count_);
        sets = {{signal_.both, signalColour()}};
    }
    picture_.set(a_ ? a_->width() : 0, std::move(sets));
}

std::vector<std::size_t> SpotLayer::shown() const {
    std::vector<std::size_t> all;
    if (!a_) return all;
    for (int k = frame_; k < frame_ + count_; ++k)
        for (const std::uint32_t i : a_->on(k)) {
            const Spot& spot = a_->spots()[i];
            // A spot on several frames of the picture is drawn with the first of them.
            const bool before = k > frame_ && static_cast<int>(spot.z0) + a_->first() < k;
            if (!before && (style_.dropped || spot.dropped == Dropped::kept || picked_ == i))
                all.push_back(i);
        }
    return all;
}

bool SpotLayer::peaksHere(std::size_t spot) const {
    const int peak = a_->peakFrame(spot);
    return peak >= frame_ && peak < frame_ + count_;
}

QStringList SpotLayer::legend() const {
    QStringList lines;
    if (!note_.isEmpty()) lines << note_;
    if (!showsDifference()) return lines;
    const auto line = [&](const QString& what, std::size_t here, std::size_t all) {
        const QString text = QObject::tr("%1: %2 px").arg(what, grouped(here));
        lines << (counts_
                      ? QObject::tr("%1, %2 on all %3 frames").arg(text, grouped(all)).arg(counts_->frames)
                      : text);
    };
    const DifferenceCounts all = counts_.value_or(DifferenceCounts{});
    const auto only = [](const FoundSpots& run) {
        return run.number() > 0 ? QObject::tr("only run %1").arg(run.number())
                                : QObject::tr("only the preview");
    };
    line(only(*a_), signal_.onlyA.size(), all.onlyA);
    line(only(*b_), signal_.onlyB.size(), all.onlyB);
    line(QObject::tr("both"), signal_.both.size(), all.both);
    return lines;
}

}  // namespace ks::ui::spots
