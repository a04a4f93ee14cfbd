#include "ui/image/mask/session_mask.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/io/labels/label_file.h"
#include "ui/base/history.h"
#include "ui/base/jobs.h"
#include "ui/files/data_identity.h"

namespace ks::ui {
namespace {

const QString readJob = QStringLiteral("mask of the file");

bool isDetector(const io::FileNode& node) {
    return node.nx_class == "NXdetector" || node.name == "detector";
}

/// Objects with this name in the file's detectors.
void findInDetectors(const io::FileNode& node, const std::string& name,
                     std::vector<const io::FileNode*>& found) {
    for (const io::FileNode& child : node.children) {
        if (isDetector(node) && child.name == name && child.kind == io::FileNode::Kind::dataset)
            found.push_back(&child);
        findInDetectors(child, name, found);
    }
}

/// The dataset at this path; null if there is none.
const io::FileNode* findPath(const io::FileNode& node, const std::string& path) {
    if (node.path == path && node.kind == io::FileNode::Kind::dataset) return &node;
    for (const io::FileNode& child : node.children)
        if (const io::FileNode* found = findPath(child, path)) return found;
    return nullptr;
}

std::vector<std::size_t> shapeOf(const OpenFile& file) {
    return {file.frames->height(), file.frames->width()};
}

std::string shapeText(const std::vector<std::size_t>& shape) {
    std::string text;
    for (const std::size_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
    return text;
}

bool masksAny(const std::vector<std::uint8_t>& ignore) {
    return std::any_of(ignore.begin(), ignore.end(), [](std::uint8_t one) { return one != 0; });
}

}  // namespace

SessionMask::SessionMask(Jobs& jobs, QObject* parent) : QObject(parent), jobs_(jobs), editor_(&jobs) {
    const auto changed = [this] {
        ++revision_;
        frozen_.changed();
    };
    connect(&editor_, &RegionEditor::maskEdited, this, changed);
    connect(&editor_, &RegionEditor::reset, this, changed);
    const auto otherBins = [this] { binRuns_.reset(); };
    connect(&editor_, &RegionEditor::labelsEdited, this, otherBins);
    connect(&editor_, &RegionEditor::reset, this, otherBins);
}

void SessionMask::keepSteps(History& history) {
    connect(&editor_, &RegionEditor::stepMade, &history, [this, &history](quint64 step, const QString& name) {
        if (loading_) return;
        // The editor's order equals that of the history, unless steps were taken elsewhere.
        history.add({name.toLower(),
                     &editor_,
                     {},
                     [this, step] {
                         if (editor_.undoStep() == step) editor_.undo();
                     },
                     [this, step] {
                         if (editor_.redoStep() == step) editor_.redo();
                     },
                     true});
    });
    connect(&editor_, &RegionEditor::historyChanged, &history,
            [this, &history] { history.setHeld(&editor_, editor_.drawing()); });
    connect(&editor_, &RegionEditor::reset, &history, [&history] { history.clear(); });
}

void SessionMask::setFile(std::shared_ptr<const OpenFile> file) {
    if (file == file_) return;
    std::optional<MaskState> state = file ? takeLeft(*file) : std::nullopt;
    // A name may lead to another file meanwhile, with a mask drawn under another name.
    const bool same =
        file_ && file && isSameData(*file_, *file) && !(state && identityOf(*file_) != identityOf(*file));
    const bool others = file_ && !(same && shapeOf(*file_) == shapeOf(*file));
    const std::optional<std::string> before = file_ ? std::optional(identityOf(*file_)) : std::nullopt;
    if (others) leave(*before);
    file_ = std::move(file);
    if (others) {
        kept_.reset();
        const QScopedValueRollback quiet(loading_, true);
        editor_.beginAnew();
        own_ = {};
    }
    if (!file_) return;
    if (state)
        kept_ = std::move(state);
    else if (!same || others)
        tellLeft(before);
    readOwn();
}

void SessionMask::leave(const std::string& data) {
    if (std::optional<MaskState> state = keep(); state && state->byHand())
        left_.insert_or_assign(maskPlace(data, *state), *state);
}

std::optional<MaskState> SessionMask::takeLeft(const OpenFile& file) {
    const std::string data = identityOf(file);
    const std::string path = data.substr(0, endOfFile(data));
    renameMasks(left_, [&](const std::string& name) {
        if (identityOf(name) == data) return data;
        return endOfFile(name) == name.size() && resolvedFile(name) == path ? path : name;
    });
    MaskState size;
    size.height = file.frames->height();
    size.width = file.frames->width();
    MaskPlace place = maskPlace(data, size);
    auto found = left_.extract(place);
    if (!found) {
        place.object.reset();
        found = left_.extract(place);
    }
    return found ? std::optional(std::move(found.mapped())) : std::nullopt;
}

void SessionMask::tellLeft(const std::optional<std::string>& before) {
    const std::string data = identityOf(*file_), name = data.substr(0, endOfFile(data));
    const auto isMeant = [&](const MaskPlace& place) {
        const std::string of = dataOf(place);
        return place.file == name && (!place.object || of == data || of == before);
    };
    const auto left =
        std::find_if(left_.begin(), left_.end(), [&](const auto& one) { return isMeant(one.first); });
    if (left == left_.end()) return;
    const auto& [place, state] = *left;
    const std::vector<std::size_t> shape{place.height, place.width};
    const bool isMask = state.changed || state.mask.size() > 0;
    const std::string object = dataOf(place) == data ? std::string() : place.object.value_or(std::string());
    std::string text = isMask ? "the drawn mask is kept but not used here, because it was drawn on "
                              : "the drawn bins are kept but not used here, because they were drawn on ";
    if (!object.empty()) text += object;
    if (shape != shapeOf(*file_))
        text += (object.empty() ? "frames of " : ", whose frames have ") + shapeText(shape) +
                " pixels, and these frames have " + shapeText(shapeOf(*file_)) + " pixels";
    emit failed(Error(ErrorKind::input, text, file_->name.toStdString()));
}

Masks SessionMask::keepAll() const {
    Masks all = left_;
    if (!file_) return all;
    // A state that waits for the next setFile() counts, not the mask shown until then.
    if (std::optional<MaskState> state = keep(); state && state->byHand())
        all.try_emplace(maskPlace(identityOf(*file_), *state), *state);
    return all;
}

void SessionMask::bringBackAll(Masks states) {
    jobs_.drop(this, readJob);
    kept_.reset();
    own_ = {};
    left_ = std::move(states);
    const QScopedValueRollback quiet(loading_, true);
    editor_.beginAnew();
}

void SessionMask::move(const std::string& from, const std::string& to) {
    renameMasks(left_, [&](const std::string& name) {
        return name.substr(0, endOfFile(name)) == from ? to + name.substr(endOfFile(name)) : name;
    });
}

void SessionMask::setFrame(std::shared_ptr<const Array> frame) {
    editor_.setFrame(std::move(frame));
    takeWaiting();
}

void SessionMask::takeWaiting() {
    const bool before = awaited();
    takeKept();
    if (own_.at == Own::waiting)
        takeOwn(own_.mask);
    else if (own_.at == Own::none || own_.at == Own::unusable)
        takeOwn(nullptr);
    if (before && !awaited()) emit settled();
}

const std::vector<std::uint8_t>* SessionMask::drawn() const {
    const bool fits =
        file_ && editor_.height() == file_->frames->height() && editor_.width() == file_->frames->width();
    return fits ? &editor_.mask().values() : nullptr;
}

std::shared_ptr<const std::vector<std::uint8_t>> SessionMask::copy() const {
    const auto* ignore = drawn();
    return ignore ? frozen_.copy(*ignore) : nullptr;
}

bool SessionMask::ignoresAll() const {
    const auto* ignore = drawn();
    if (!ignore) return false;
    const auto runs = frozen_.runs(*ignore).as<std::uint32_t>();
    return runs.size() == 2 && runs[1] == ignore->size();
}

void SessionMask::fill(Request& request) const {
    if (const auto* ignore = drawn(); ignore && frozen_.runs(*ignore).size() > 0)
        request.inputs["mask"] = {"mask of the window", frozen_.runs(*ignore)};
    // A file mask loaded into the editor may have been edited there.
    request.parameters["file_mask"] = own_.at != Own::loaded && own_.at != Own::unusable;
}

QString SessionMask::saturationText() const {
    return saturation_ ? QString::number(*saturation_, 'g', 12) : QString();
}

std::optional<MaskState> SessionMask::keep() const {
    if (kept_) return kept_;
    const auto* ignore = drawn();
    if (!ignore) return std::nullopt;
    if (!binRuns_) binRuns_ = editor_.binCount() > 0 ? labelRuns(editor_.bins().values()) : MaskState().bins;
    const bool ofFile = fileMaskLoaded();
    return MaskState{.height = editor_.height(),
                     .width = editor_.width(),
                     .mask = frozen_.runs(*ignore),
                     .bins = *binRuns_,
                     .binCount = editor_.binCount(),
                     .ofFile = ofFile,
                     .changed = ofFile && !(own_.mask && *ignore == own_.mask->ignore)};
}

void SessionMask::bringBack(const MaskState& state) {
    kept_ = state;
    takeWaiting();
}

void SessionMask::takeKept() {
    const auto* now = drawn();
    if (!kept_ || !now) return;
    const MaskState state = *std::exchange(kept_, std::nullopt);
    if (state.height != editor_.height() || state.width != editor_.width()) {
        left_.insert_or_assign(maskPlace(identityOf(*file_), state), state);
        return tellLeft(std::nullopt);
    }
    try {
        std::vector<std::uint8_t> ignore = maskOf(state);
        std::vector<std::int32_t> labels =
            state.bins.size() > 0 ? binsOf(state) : std::vector<std::int32_t>();
        // If nothing had been drawn before the file's own mask was read, it is read again.
        const bool decided = state.ofFile || state.changed || masksAny(ignore);
        if (decided) {
            takeDecision(state);
        } else {
            ignore = *now;
        }
        {
            const QScopedValueRollback quiet(loading_, true);
            editor_.bringBack(std::move(ignore), std::move(labels), std::clamp(state.binCount, 0, 1'000'000));
        }
        if (state.ofFile && !state.changed)
            own_.mask = std::make_shared<const PixelMask>(editor_.pixelMask());
        emit maskLoaded();
    } catch (const Error& error) {
        emit failed(error);
    }
}

void SessionMask::takeDecision(const MaskState& state) {
    jobs_.drop(this, readJob);
    own_ = {own_.at == Own::unusable ? own_.at : state.ofFile ? Own::loaded : Own::besides};
}

SessionMask::Replaced SessionMask::replace(const MaskState& state) {
    const auto nothing = [] {};
    if (!drawn() || state.height != editor_.height() || state.width != editor_.width()) {
        bringBack(state);
        return {nothing, nothing};
    }
    try {
        const std::vector<std::uint8_t> ignore = maskOf(state);
        std::vector<std::int32_t> labels =
            state.bins.size() > 0 ? binsOf(state) : std::vector<std::int32_t>();
        const OwnMask before = own_;
        if (state.ofFile || state.changed || masksAny(ignore)) takeDecision(state);
        quint64 first = 0, last = 0;
        {
            const QScopedValueRollback quiet(loading_, true);
            editor_.end();
            first = editor_.undoStep();
            editor_.replace(ignore, std::move(labels), std::clamp(state.binCount, 0, 1'000'000));
            last = editor_.undoStep();
        }
        if (state.ofFile && !state.changed)
            own_.mask = std::make_shared<const PixelMask>(editor_.pixelMask());
        const OwnMask now = own_;
        emit maskLoaded();
        // A file that was rewritten meanwhile has another mask of its own.
        return {[this, first, last, before, now] {
                    if (own_ == now) setOwn(before);
                    while (editor_.undoStep() > first && editor_.undoStep() <= last) editor_.undo();
                    emit maskLoaded();
                },
                [this, first, last, before, now] {
                    if (own_ == before) setOwn(now);
                    while (editor_.redoStep() > first && editor_.redoStep() <= last) editor_.redo();
                    emit maskLoaded();
                }};
    } catch (const Error& error) {
        emit failed(error);
        return {nothing, nothing};
    }
}

void SessionMask::setOwn(const OwnMask& own) {
    own_ = own;
    // It was still being read when it was replaced.
    if (own_.at == Own::reading) readOwn();
}

QString SessionMask::maskAt(const QString& path) const {
    if (!file_) return {};
    const io::FileNode* node = findPath(file_->tree, path.toStdString());
    if (!node || node->shape != shapeOf(*file_) || node->type.starts_with("f")) return {};
    return file_->path + QStringLiteral("::") + path;
}

void SessionMask::readOwn() {
    jobs_.drop(this, readJob);
    own_ = {Own::none, own_.at == Own::waiting ? nullptr : own_.mask};
    saturation_.reset();
    std::vector<const io::FileNode*> masks, limits;
    findInDetectors(file_->tree, "saturation_value", limits);
    for (const io::FileNode* node : limits) {
        const double value = QString::fromStdString(node->value).section(QLatin1Char(' '), 0, 0).toDouble();
        if (value > 0 && std::isfinite(value) && !saturation_) saturation_ = value;
    }
    findInDetectors(file_->tree, "pixel_mask", masks);
    const std::vector<std::size_t> shape = shapeOf(*file_);
    const auto fits = std::find_if(masks.begin(), masks.end(),
                                   [&](const io::FileNode* node) { return node->shape == shape; });
    if (fits == masks.end()) {
        if (masks.empty()) return;
        own_.at = Own::unusable;
        emit failed(Error(ErrorKind::input,
                          "the mask is ignored, because its shape is " + shapeText(masks.front()->shape) +
                              " and that of the frames is " + shapeText(shape),
                          file_->path.toStdString() + "::" + masks.front()->path));
        return;
    }
    own_.at = Own::reading;
    jobs_.start(
        Jobs::Lane::files, this, readJob,
        [name = file_->path.toStdString() + "::" + (*fits)->path] {
            return std::shared_ptr<const PixelMask>(std::make_shared<PixelMask>(io::read_mask(name)));
        },
        [this](const std::shared_ptr<const PixelMask>& mask) {
            takeOwn(mask);
            if (!awaited()) emit settled();
        },
        [this](const Error& error) {
            own_.at = Own::unusable;
            emit failed(error);
            if (!awaited()) emit settled();
        });
}

void SessionMask::replaceMask(const PixelMask& mask) {
    {
        const QScopedValueRollback quiet(loading_, true);
        editor_.load(mask);
    }
    emit maskLoaded();
}

void SessionMask::takeOwn(std::shared_ptr<const PixelMask> read) {
    const auto* now = drawn();
    // The editor accepts masks only once it has a frame, and is empty then.
    if (!now) {
        if (read) own_ = {Own::waiting, read};
        return;
    }
    const bool any = masksAny(*now);
    const bool fromFile = own_.at != Own::waiting && own_.mask && *now == own_.mask->ignore;
    if (!read) {
        // Pixel information from before the file was rewritten is no longer valid.
        own_.mask.reset();
        if (fromFile && any)
            replaceMask({editor_.height(), editor_.width(), std::vector<std::uint8_t>(now->size(), 0)});
        return;
    }
    if (any && !fromFile) {
        own_ = {Own::besides, own_.at == Own::waiting ? nullptr : own_.mask};
        return;
    }
    own_ = {Own::loaded, read};
    replaceMask(*read);
    own_.mask = std::make_shared<const PixelMask>(editor_.pixelMask());
}

}  // namespace ks::ui
