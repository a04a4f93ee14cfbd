#include "ui/spots/spot_overlay.h"

#include <QObject>
#include <QSpinBox>
#include <QStringList>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/base/count_text.h"
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

using ks::spots::Dropped;
using ks::spots::Spot;

namespace {

constexpr double minBox = 7;        ///< logical pixels: minimum size of a box on screen
constexpr double minForCross = 14;  ///< in smaller boxes the cross would fill the box
constexpr double dimmed = 0.45;
constexpr int maxBoxes =
    20000;  ///< more would hide the image and take longer than a frame of a moving picture

QColor faded(QColor colour, double share) {
    colour.setAlphaF(colour.alphaF() * static_cast<float>(share));
    return colour;
}

/// Signal pixels of all frames in the picture, ascending. @param other a run to compare with: only frames
/// that are compared
std::vector<std::uint32_t> united(const FoundSpots& run, int frame, int count,
                                  const FoundSpots* other = nullptr) {
    std::vector<std::uint32_t> all;
    for (int k = std::max(frame, run.first()); k < std::min(frame + count, run.end()); ++k) {
        if (other != nullptr && !areCompared(run, *other, k)) continue;
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
    boxes_.changed();
    if (other) collect();
}

void SpotLayer::setPicked(std::optional<std::size_t> spot) {
    picked_ = spot;
    boxes_.changed();
}

void SpotLayer::collect() {
    signal_ = {};
    boxes_.changed();
    std::vector<SignalPicture::Set> sets;
    if (showsDifference()) {
        compares_ = false;
        for (int k = frame_; k < frame_ + count_ && !compares_; ++k) compares_ = areCompared(*a_, *b_, k);
        signal_ = difference(united(*a_, frame_, count_, b_.get()), united(*b_, frame_, count_, a_.get()));
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
    if (!compares_) lines << QObject::tr("not compared: not searched by both runs");
    const auto line = [&](const QString& what, std::size_t here, std::size_t all) {
        const QString text = QObject::tr("%1: %2 px").arg(what, grouped(here));
        // Of one frame, the two numbers are the same.
        lines << (counts_ && counts_->frames > 1
                      ? QObject::tr("%1, %2 px in all %3 frames").arg(text, grouped(all)).arg(counts_->frames)
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

void SpotLayer::paintBoxes(QPainter& painter, const QTransform& imageToWidget, const QRectF& area) const {
    struct Drawn {
        QRectF box;
        QPointF centre;
        bool kept, here, picked;
    };
    std::vector<Drawn> drawn;
    for (const std::size_t i : shown()) {
        const Spot& spot = a_->spots()[i];
        QRectF box = imageToWidget.mapRect(
            QRectF(QPointF(spot.x0, spot.y0), QPointF(spot.x1, spot.y1)).adjusted(-0.5, -0.5, 0.5, 0.5));
        const double wider = std::max(0.0, (minBox - box.width()) / 2),
                     higher = std::max(0.0, (minBox - box.height()) / 2);
        box.adjust(-wider, -higher, wider, higher);
        if (!box.intersects(area)) continue;
        drawn.push_back({box, imageToWidget.map(QPointF(spot.x, spot.y)), spot.dropped == Dropped::kept,
                         peaksHere(i), picked_ == i});
        if (static_cast<int>(drawn.size()) >= maxBoxes) break;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, drawn.size() < 2000);
    const QColor light(255, 255, 255), amber(255, 200, 60), dark(0, 0, 0, 150);
    if (style_.boxes)
        for (const Drawn& one : drawn) {
            const double share = one.here ? 1 : dimmed;
            painter.setPen(QPen(faded(dark, share), 3));
            painter.drawRect(one.box);
            painter.setPen(
                QPen(faded(one.kept ? light : amber, share), 1.2, one.kept ? Qt::SolidLine : Qt::DotLine));
            painter.drawRect(one.box);
        }
    if (style_.centroids)
        for (const Drawn& one : drawn) {
            const bool large = std::min(one.box.width(), one.box.height()) >= minForCross;
            if (!large && style_.boxes) continue;
            const double arm = large ? 4 : 2.5, share = one.here ? 1 : dimmed;
            for (const auto& [colour, wide] : {std::pair(faded(dark, share), 3.5),
                                               std::pair(faded(one.kept ? light : amber, share), 1.5)}) {
                painter.setPen(QPen(colour, wide));
                painter.drawLine(one.centre - QPointF(arm, 0), one.centre + QPointF(arm, 0));
                painter.drawLine(one.centre - QPointF(0, arm), one.centre + QPointF(0, arm));
            }
        }
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Drawn& one : drawn) {
        if (!one.picked) continue;
        const QRectF around = one.box.adjusted(-4, -4, 4, 4);
        painter.setPen(QPen(QColor(0, 0, 0, 220), 5));
        painter.drawRect(around);
        painter.setPen(QPen(QColor(0, 229, 255), 2.5));
        painter.drawRect(around);
    }
}

void SpotLayer::paintLegend(QPainter& painter, const QRectF& area) const {
    const QStringList lines = legend();
    if (lines.isEmpty()) return;
    const QFontMetricsF metrics(painter.font());
    constexpr double margin = 8, swatch = 10;
    double widest = 0;
    for (const QString& line : lines) widest = std::max(widest, metrics.horizontalAdvance(line));
    const double indent = showsDifference() ? swatch + margin : 0;
    const QRectF ground(area.left() + margin, area.top() + margin, widest + indent + 2 * margin,
                        static_cast<double>(lines.size()) * metrics.lineSpacing() + margin);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 190));
    painter.drawRoundedRect(ground, 4, 4);
    const QColor colours[] = {onlyAColour(), onlyBColour(), signalColour()};
    const qsizetype notes = note_.isEmpty() ? 0 : 1;
    double y = ground.top() + margin / 2;
    for (qsizetype i = 0; i < lines.size(); ++i, y += metrics.lineSpacing()) {
        const bool coloured = i >= notes;
        if (coloured)
            painter.fillRect(
                QRectF(ground.left() + margin, y + (metrics.height() - swatch) / 2, swatch, swatch),
                colours[i - notes]);
        painter.setPen(Qt::white);
        painter.drawText(QPointF(ground.left() + margin + (coloured ? indent : 0), y + metrics.ascent()),
                         lines[i]);
    }
}

void SpotLayer::paintBoxesOnce(QPainter& painter, const QTransform& imageToWidget, const QRectF& area) const {
    // An export gets lines, not a picture of them.
    if (painter.device()->devType() != QInternal::Widget) return paintBoxes(painter, imageToWidget, area);
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize size = (area.size() * ratio).toSize().expandedTo({1, 1});
    boxes_.paint(painter, imageToWidget, area, size, [&](QImage& picture) {
        QPainter once(&picture);
        once.translate(-area.topLeft());
        paintBoxes(once, imageToWidget, area);
    });
}

void SpotLayer::paint(QPainter& painter, const QTransform& imageToWidget) const {
    const QRectF area = painter.hasClipping() ? painter.clipBoundingRect() : QRectF(painter.viewport());
    if (a_) {
        if (style_.signal) picture_.paint(painter, imageToWidget, area);
        paintBoxesOnce(painter, imageToWidget, area);
    }
    paintLegend(painter, area);
}

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
