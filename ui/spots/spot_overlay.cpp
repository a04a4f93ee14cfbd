#include "ui/spots/spot_overlay.h"

#include <QSpinBox>
#include <algorithm>
#include <utility>

#include "ui/base/jobs.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui::spots {
namespace {

constexpr double reach = 8;        ///< logical pixels around a centroid
constexpr double minLook = 48;     ///< minimum number of image pixels visible around a spot
constexpr double boxesInLook = 8;  ///< visible size, in multiples of the spot's box

}  // namespace

SpotOverlay::SpotOverlay(ImagePanel& image, Jobs& jobs, QObject* parent)
    : QObject(parent), image_(image), jobs_(jobs) {
    image_.view().addLayer(
        [this](QPainter& painter, const QTransform& imageToWidget) { layer_.paint(painter, imageToWidget); });
    connect(&image_.view(), &DetectorView::clicked, this, [this](const QPointF& at, Qt::MouseButton button) {
        if (button == Qt::LeftButton && a_) click(at);
    });
}

std::shared_ptr<const FoundSpots> SpotOverlay::decoded(const RunRow& row) {
    // A check makes another Run with the same number and result.
    if (const auto known = decoded_.value(row.number); known && row.number > 0) return known;
    try {
        auto made = std::make_shared<const FoundSpots>(row.run, row.number);
        if (row.number > 0) decoded_.insert(row.number, made);
        return made;
    } catch (const Error& error) {
        emit failed(error);
        return nullptr;
    }
}

void SpotOverlay::setRuns(const std::vector<RunRow>& rows) {
    std::vector<std::shared_ptr<const FoundSpots>> two;
    for (const RunRow& row : rows)
        if (two.size() < 2)
            if (auto one = decoded(row)) two.push_back(std::move(one));
    for (const int number : decoded_.keys())
        if (std::ranges::find(rows, number, &RunRow::number) == rows.end()) decoded_.remove(number);
    two.resize(2);
    if (two[0] == a_ && two[1] == b_) return;
    const bool another = two[0] != a_;
    if (another) picked_.reset();
    a_ = two[0];
    b_ = two[1];
    layer_.setRuns(a_, b_);
    layer_.setPicked(picked_);
    followFrames();
    countDifferences();
    emit shown(another);
}

void SpotOverlay::setStyle(const SpotStyle& style) {
    layer_.setStyle(style);
    countDifferences();
    image_.view().update();
}

void SpotOverlay::followFrames() {
    layer_.setFrames(image_.shownFrame(), framesShown());
    image_.view().update();
}

int SpotOverlay::framesShown() const {
    const int left = std::max(image_.slider().frameCount() - image_.slider().frame(), 1);
    return std::clamp(image_.combinedFrames().value(), 1, left);
}

// Both runs may have millions of pixels, so they are counted in the background.
void SpotOverlay::countDifferences() {
    jobs_.drop(this, QStringLiteral("difference of runs"));
    if (!layer_.showsDifference()) return;
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("difference of runs"),
        [a = a_, b = b_] { return countDifference(*a, *b); },
        [this](const DifferenceCounts& counts) {
            layer_.setCounts(counts);
            image_.view().update();
        });
}

void SpotOverlay::click(const QPointF& at) {
    const double pixels = reach / image_.view().zoom();
    const int frame = image_.shownFrame();
    for (int k = frame; k < frame + framesShown(); ++k)
        if (const auto spot = a_->at(k, at, pixels, layer_.style().dropped)) return emit clicked(spot);
    emit clicked(std::nullopt);
}

void SpotOverlay::pick(std::optional<std::size_t> spot) {
    if (spot && (!a_ || *spot >= a_->spots().size())) spot.reset();
    picked_ = spot;
    layer_.setPicked(picked_);
    image_.view().update();
}

void SpotOverlay::look() {
    if (!picked_) return;
    image_.slider().setFrame(a_->peakFrame(*picked_));
    const ks::spots::Spot& spot = a_->spots()[*picked_];
    DetectorView& view = image_.view();
    const double side =
        std::max({minLook, boxesInLook * double(spot.x1 - spot.x0), boxesInLook * double(spot.y1 - spot.y0)});
    const QRectF seen = view.seenPart();
    const double now = std::min(seen.width(), seen.height());
    QRectF part(0, 0, side, side);
    if (!view.fitted() && now > side / 2 && now < 4 * side) part = QRectF(0, 0, seen.width(), seen.height());
    part.moveCenter(QPointF(spot.x, spot.y));
    view.showPart(part);
}

std::size_t SpotOverlay::stepped(const std::vector<int>& order, int by) const {
    const auto current = picked_ ? std::ranges::find(order, static_cast<int>(*picked_)) : order.end();
    if (current != order.end()) {
        const auto n = static_cast<std::ptrdiff_t>(order.size());
        const std::ptrdiff_t place = ((current - order.begin() + by) % n + n) % n;
        return static_cast<std::size_t>(order[static_cast<std::size_t>(place)]);
    }
    // Starts from the displayed frame.
    const auto here = std::ranges::find_if(order, [this, frame = image_.shownFrame()](int spot) {
        return a_->peakFrame(static_cast<std::size_t>(spot)) == frame;
    });
    return static_cast<std::size_t>(here != order.end() ? *here : order.front());
}

}  // namespace ks::ui::spots
