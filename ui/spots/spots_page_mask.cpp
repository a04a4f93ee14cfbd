// The mask of the page: what is drawn, and the file's own.

#include <algorithm>
#include <cmath>

#include "core/io/label_file.h"
#include "ui/image/mask_bar.h"
#include "ui/image/region_editor.h"
#include "ui/spots/spots_page.h"

namespace ks::ui::spots {
namespace {

bool isDetector(const io::FileNode& node) {
    return node.nx_class == "NXdetector" || node.name == "detector";
}

/// Objects of this name in the file's detectors.
void findInDetectors(const io::FileNode& node, const std::string& name,
                     std::vector<const io::FileNode*>& found) {
    for (const io::FileNode& child : node.children) {
        if (isDetector(node) && child.name == name && child.kind == io::FileNode::Kind::dataset)
            found.push_back(&child);
        findInDetectors(child, name, found);
    }
}

/// The dataset at this path; null: there is none.
const io::FileNode* findPath(const io::FileNode& node, const std::string& path) {
    if (node.path == path && node.kind == io::FileNode::Kind::dataset) return &node;
    for (const io::FileNode& child : node.children)
        if (const io::FileNode* found = findPath(child, path)) return found;
    return nullptr;
}

}  // namespace

bool SpotsPage::useObject(const QString& path) {
    if (!file_ || !file_->frames) return false;
    const io::FileNode* node = findPath(file_->tree, path.toStdString());
    const std::vector<std::size_t> shape{file_->frames->height(), file_->frames->width()};
    if (!node || node->shape != shape || node->type.starts_with("f")) return false;
    image_->maskBar().loadMask(file_->path + QStringLiteral("::") + path);
    return true;
}

const std::vector<std::uint8_t>* SpotsPage::drawnMask() const {
    const RegionEditor& editor = image_->editor();
    if (!file_ || !file_->frames || editor.height() != file_->frames->height() ||
        editor.width() != file_->frames->width())
        return nullptr;
    return &editor.mask().values();
}

void SpotsPage::readFileMask() {
    context_.jobs.drop(this, QStringLiteral("mask of the file"));
    fileMask_ = FileMask::none;
    waitingMask_.reset();
    saturation_.reset();
    std::vector<const io::FileNode*> masks, limits;
    findInDetectors(file_->tree, "saturation_value", limits);
    for (const io::FileNode* node : limits) {
        const double value = QString::fromStdString(node->value).section(QLatin1Char(' '), 0, 0).toDouble();
        if (value > 0 && std::isfinite(value) && !saturation_) saturation_ = value;
    }
    findInDetectors(file_->tree, "pixel_mask", masks);
    const std::vector<std::size_t> shape{file_->frames->height(), file_->frames->width()};
    const auto fits = std::find_if(masks.begin(), masks.end(),
                                   [&](const io::FileNode* node) { return node->shape == shape; });
    if (fits == masks.end()) {
        if (!masks.empty()) fileMask_ = FileMask::unusable;
        // What another file said about its pixels does not hold for this one.
        waitingMask_ = std::make_shared<const PixelMask>();
        return;
    }
    fileMask_ = FileMask::reading;
    context_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("mask of the file"),
        [name = file_->path.toStdString() + "::" + (*fits)->path] {
            return std::shared_ptr<const PixelMask>(std::make_shared<PixelMask>(io::read_mask(name)));
        },
        [this](const std::shared_ptr<const PixelMask>& mask) {
            waitingMask_ = mask;
            loadFileMask();
        },
        [this](const Error& error) {
            fileMask_ = FileMask::unusable;
            emit failed(error);
        });
}

// The editor takes masks as soon as it has a frame.
void SpotsPage::loadFileMask() {
    const auto* drawn = drawnMask();
    if (!waitingMask_ || !drawn) return;
    const std::shared_ptr<const PixelMask> mask = std::exchange(waitingMask_, nullptr);
    RegionEditor& editor = image_->editor();
    const bool none = std::all_of(drawn->begin(), drawn->end(), [](std::uint8_t one) { return one == 0; });
    const bool fromFile = ownMask_ && *drawn == ownMask_->ignore;
    if (mask->empty()) {
        if (fromFile && !none) {
            quiet_ = true;
            editor.load({editor.height(), editor.width(), std::vector<std::uint8_t>(drawn->size(), 0)});
            quiet_ = false;
        }
        ownMask_.reset();
        return;
    }
    if (!none && !fromFile) {
        fileMask_ = FileMask::besides;
        return;
    }
    quiet_ = true;
    editor.load(*mask);
    quiet_ = false;
    ownMask_ = std::make_shared<const PixelMask>(editor.pixelMask());
    fileMask_ = FileMask::loaded;
    emit inputsChanged();
}

}  // namespace ks::ui::spots
