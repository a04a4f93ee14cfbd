#include "ui/image/mask/region_editor.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/data/frame_check.h"
#include "core/data/regions/region_fill.h"
#include "core/data/valid_pixels.h"
#include "ui/base/jobs.h"

namespace ks::ui {
namespace {

/// Frames up to this many pixels are processed without a job.
constexpr std::size_t atOnce = 1 << 18;

}  // namespace

RegionEditor::RegionEditor(Jobs* jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}

void RegionEditor::setFrame(std::shared_ptr<const Array> frame) {
    if (frame && frame->rank() != 2) {
        throw Error(ErrorKind::run,
                    "a frame must have 2 dimensions, but this array has " + std::to_string(frame->rank()));
    }
    const std::size_t rows = frame ? frame->shape()[0] : 0, columns = frame ? frame->shape()[1] : 0;
    frame_ = std::move(frame);
    if (rows == height() && columns == width()) {
        emit frameChanged();
        return;
    }
    mask_ = EditableImage<std::uint8_t>(rows, columns);
    bins_ = EditableImage<std::int32_t>(rows, columns);
    undo_.clear();
    redo_.clear();
    stroke_.reset();
    ++edits_;
    binCount_ = 0;
    setTarget(maskTarget);
    emit reset();
    emit frameChanged();
    emit historyChanged();
}

void RegionEditor::beginAnew() {
    bringBack(std::vector<std::uint8_t>(height() * width()), {}, 0);
}

void RegionEditor::bringBack(std::vector<std::uint8_t> ignore, std::vector<std::int32_t> labels,
                             int binCount) {
    EditableImage<std::uint8_t> mask(height(), width(), std::move(ignore));
    EditableImage<std::int32_t> bins(height(), width());
    if (!labels.empty()) bins = EditableImage<std::int32_t>(height(), width(), std::move(labels));
    mask_ = std::move(mask);
    bins_ = std::move(bins);
    undo_.clear();
    redo_.clear();
    stroke_.reset();
    ++edits_;
    binCount_ = binCount;
    setTarget(std::min(target_, binCount_));
    emit reset();
    emit historyChanged();
}

void RegionEditor::setTarget(int target) {
    target = std::max(target, maskTarget);
    binCount_ = std::max(binCount_, target);
    if (target == target_) return;
    target_ = target;
    emit targetChanged(target_);
}

std::size_t RegionEditor::pixels(int target) const {
    const auto count = [](const auto& values, auto counted) {
        return static_cast<std::size_t>(std::count(values.begin(), values.end(), counted));
    };
    if (!counted_ || counted_->target != target || counted_->edits != edits_)
        counted_ = {target, edits_,
                    target == maskTarget ? count(mask_.values(), std::uint8_t{1})
                                         : count(bins_.values(), std::int32_t{target})};
    return counted_->pixels;
}

std::size_t RegionEditor::steps(Image image) const {
    return image == Image::mask ? mask_.undo_steps() : bins_.undo_steps();
}

void RegionEditor::tell(Image image, const std::optional<PixelRect>& where) {
    if (!where) return;
    ++edits_;
    if (image == Image::mask)
        emit maskEdited(*where);
    else
        emit labelsEdited(*where);
}

template <class Change>
void RegionEditor::edit(Image image, Change&& change) {
    const std::size_t before = steps(image);
    const std::optional<PixelRect> where = change();
    const bool made = steps(image) != before;
    if (made) push(image);
    tell(image, where);
    if (!made) return;
    emit historyChanged();
    emit stepMade(lastStep_, undoName());
}

void RegionEditor::push(Image image) {
    undo_.push_back({image, ++lastStep_});
    redo_.clear();
}

void RegionEditor::change(int target, const PixelRegion& region, Way way, const QString& name) {
    if (region.height() != height() || region.width() != width()) return;
    const std::string step = name.toStdString();
    edit(imageOf(target), [&] {
        if (target == maskTarget) return mask_.set(region, way == Way::remove ? 0 : 1, step);
        if (way == Way::add) return bins_.set(region, target, step);
        return way == Way::remove ? bins_.replace(region, target, 0, step)
                                  : bins_.replace(region, 0, target, step);
    });
}

void RegionEditor::begin(const QString& name) {
    if (stroke_) end();
    stroke_ = target_;
    strokeSteps_ = steps(imageOf(target_));
    if (target_ == maskTarget)
        mask_.begin(name.toStdString());
    else
        bins_.begin(name.toStdString());
    emit historyChanged();
}

void RegionEditor::apply(const PixelRegion& region, bool add, const QString& name) {
    change(stroke_.value_or(target_), region, add ? Way::add : Way::remove, name);
}

void RegionEditor::end() {
    if (!stroke_) return;
    const Image image = imageOf(*stroke_);
    stroke_.reset();
    if (image == Image::mask)
        mask_.end();
    else
        bins_.end();
    const bool made = steps(image) != strokeSteps_;
    if (made) push(image);
    emit historyChanged();
    if (made) emit stepMade(lastStep_, undoName());
}

void RegionEditor::abandon() {
    if (!stroke_) return;
    const Image image = imageOf(*stroke_);
    stroke_.reset();
    tell(image, image == Image::mask ? mask_.abandon() : bins_.abandon());
    emit historyChanged();
}

template <class Turn>
void RegionEditor::turn(std::vector<Step>& from, std::vector<Step>& to, Turn&& turned) {
    if (from.empty() || stroke_) return;
    const Image image = from.back().image;
    to.push_back(from.back());
    from.pop_back();
    tell(image, image == Image::mask ? turned(mask_) : turned(bins_));
    emit historyChanged();
}

void RegionEditor::undo() {
    turn(undo_, redo_, [](auto& image) { return image.undo(); });
}

void RegionEditor::redo() {
    turn(redo_, undo_, [](auto& image) { return image.redo(); });
}

QString RegionEditor::undoName() const {
    if (!canUndo()) return {};
    return QString::fromStdString(undo_.back().image == Image::mask ? mask_.undo_name() : bins_.undo_name());
}

QString RegionEditor::redoName() const {
    if (!canRedo()) return {};
    return QString::fromStdString(redo_.back().image == Image::mask ? mask_.redo_name() : bins_.redo_name());
}

PixelRegion RegionEditor::everything() const {
    return PixelRegion(height(), width()).inverted();
}

PixelRegion RegionEditor::chosen(int target) const {
    if (target == maskTarget) return PixelRegion::of_mask(height(), width(), mask_.values());
    std::vector<std::uint8_t> in(bins_.values().size());
    std::transform(bins_.values().begin(), bins_.values().end(), in.begin(),
                   [target](std::int32_t label) { return static_cast<std::uint8_t>(label == target); });
    return PixelRegion::of_mask(height(), width(), in);
}

void RegionEditor::invert() {
    if (stroke_) return;
    const std::string name = tr("Invert").toStdString();
    if (target_ == maskTarget) {
        std::vector<std::uint8_t> values = mask_.values();
        for (std::uint8_t& value : values) value = value ? 0 : 1;
        return edit(Image::mask, [&] { return mask_.assign(values, name); });
    }
    std::vector<std::int32_t> labels = bins_.values();
    for (std::int32_t& label : labels) label = label == target_ ? 0 : label == 0 ? target_ : label;
    edit(Image::bins, [&] { return bins_.assign(labels, name); });
}

void RegionEditor::clear() {
    if (!stroke_) change(target_, everything(), Way::remove, tr("Clear"));
}

void RegionEditor::load(const PixelMask& mask) {
    if (mask.height != height() || mask.width != width() || mask.ignore.size() != height() * width()) {
        throw Error(ErrorKind::input, "the mask has " + size_text(mask.height, mask.width) +
                                          " pixels, but the frame has " + size_text(height(), width()));
    }
    end();
    std::vector<std::uint8_t> values(mask.ignore.size());
    std::transform(mask.ignore.begin(), mask.ignore.end(), values.begin(),
                   [](std::uint8_t value) { return static_cast<std::uint8_t>(value != 0); });
    edit(Image::mask, [&] { return mask_.assign(values, tr("Load mask").toStdString()); });
}

void RegionEditor::replace(const std::vector<std::uint8_t>& ignore, std::vector<std::int32_t> labels,
                           int binCount) {
    if (labels.empty()) labels.resize(height() * width());
    if (ignore.size() != height() * width() || labels.size() != ignore.size())
        throw Error(ErrorKind::input, "the mask has " + std::to_string(ignore.size()) +
                                          " pixels and the bins have " + std::to_string(labels.size()) +
                                          ", but the frame has " + size_text(height(), width()));
    load({height(), width(), ignore});
    edit(Image::bins, [&] { return bins_.assign(labels, tr("Load bins").toStdString()); });
    binCount_ = std::max(binCount_, binCount);
}

void RegionEditor::grow(int pixels) {
    if (pixels < 1) return;
    find([region = chosen(target_), n = static_cast<std::size_t>(pixels)] { return grown(region, n); },
         Way::addToFree, tr("Grow"));
}

void RegionEditor::shrink(int pixels) {
    if (pixels < 1) return;
    find([region = chosen(target_),
          n = static_cast<std::size_t>(pixels)] { return region.without(shrunk(region, n)); },
         Way::remove, tr("Shrink"));
}

void RegionEditor::hotPixels(double sigma) {
    if (!frame_) return;
    find([frame = frame_, sigma, ignore = mask_.values()] { return hot_region(*frame, sigma, &ignore); },
         Way::add, tr("Hot pixels"));
}

void RegionEditor::withoutCount() {
    const auto lowest = frame_ ? lowest_without_count(frame_->type()) : std::nullopt;
    if (!lowest) return;
    find([frame = frame_,
          lowest] { return value_region(*frame, *lowest, std::numeric_limits<double>::infinity()); },
         Way::add, tr("Pixels without a count"));
}

void RegionEditor::valueRange(double low, double high, bool add) {
    if (!frame_) return;
    find([frame = frame_, low, high] { return value_region(*frame, low, high); },
         add ? Way::add : Way::remove, tr("Value range"));
}

void RegionEditor::applyFound(std::function<PixelRegion()> region, bool add, const QString& name) {
    find(std::move(region), add ? Way::add : Way::remove, name);
}

void RegionEditor::find(Find find, Way way, const QString& name) {
    if (stroke_) return;
    if (!jobs_ || height() * width() <= atOnce) {
        try {
            change(target_, find(), way, name);
        } catch (const Error& error) {
            emit failed(error);
        }
        return;
    }
    emit busyChanged(true, name);
    const auto done = [self = QPointer(this), target = target_, edits = edits_, way,
                       name](const PixelRegion& region) {
        if (!self) return;
        emit self->busyChanged(false, name);
        if (self->edits_ != edits || self->stroke_)
            emit self->discarded(name);
        else
            self->change(target, region, way, name);
    };
    // Separate editors must not cancel each other's jobs.
    const QString subject = QStringLiteral("region %1").arg(reinterpret_cast<quintptr>(this));
    jobs_->start(Jobs::Lane::general, subject, std::move(find), done,
                 [self = QPointer(this), name](const Error& error) {
                     if (!self) return;
                     emit self->busyChanged(false, name);
                     emit self->failed(error);
                 });
}

}  // namespace ks::ui
