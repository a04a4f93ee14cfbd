#include "ui/image/panel/image_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

#include "core/data/frame_combination.h"
#include "ui/base/jobs.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/base/save_folders.h"
#include "ui/image/colours/image_controls.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {
namespace {

/// Pixels without a value in the file in any of the frames.
PixelBlocks lackingInAll(const FrameSource& frames, std::size_t first, std::size_t count) {
    if (!frames.may_lack_pixels()) return {};
    PixelBlocks common = disjoint(frames.lacking(first));
    for (std::size_t frame = first + 1; frame < first + count && !common.empty(); ++frame)
        common = disjoint(common, disjoint(common, frames.lacking(frame)));
    return common;
}

/// While enabled and the page is visible, Esc calls a function instead of a shortcut, wherever the focus is
/// in the page's window.
class EscapeKey : public QObject {
  public:
    EscapeKey(QWidget* page, std::function<void(QKeyEvent&)> pressed)
        : QObject(page), page_(page), pressed_(std::move(pressed)) {}

    void setOn(bool on) {
        if (on == on_) return;
        on_ = on;
        if (on)
            qApp->installEventFilter(this);
        else
            qApp->removeEventFilter(this);
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) return false;
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() != Qt::Key_Escape || key->modifiers() != Qt::NoModifier) return false;
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (!widget || widget->window() != page_->window() || !page_->isVisible()) return false;
        if (QApplication::activePopupWidget()) return false;
        event->accept();
        if (event->type() == QEvent::KeyPress) pressed_(*key);
        return true;
    }

  private:
    QWidget* page_;
    std::function<void(QKeyEvent&)> pressed_;
    bool on_ = false;
};

}  // namespace

ImagePanel::ImagePanel(Jobs& jobs, SessionMask& mask, SessionGeometry& geometry, QWidget* parent)
    : QWidget(parent),
      view_(new DetectorView),
      mask_(mask),
      session_(geometry),
      editor_(&mask.editor()),
      bar_(new MaskBar),
      slider_(new FrameSlider),
      strip_(new ColourStrip(view_)),
      row_(new QWidget),
      added_(new QHBoxLayout),
      geometry_(new GeometryForm(geometry)),
      count_(new WholeBox),
      how_(new QComboBox),
      jobs_(jobs),
      actions_(std::make_unique<GeometryActions>(jobs, *view_, *editor_, geometry, *geometry_)) {
    view_->setValueTitle(tr("counts"));
    colours_.attach(view_);
    slider_->setFrameCount(0);
    how_->addItems({tr("sum of"), tr("mean of"), tr("max of")});
    named(how_, tr("How to combine several frames into one picture"),
          tr("How to combine several frames into one picture"));
    count_->setRange(1, 1);
    named(count_, tr("Number of combined frames"),
          tr("How many frames are combined into one picture, starting with the chosen frame"));
    makeLayout();
    bar_->attach(view_, editor_);
    connectParts();
}

// Tools end while all parts exist, and signals of parts that are being destroyed must not reach a panel that
// is half destroyed. The form is in a dock, which may be destroyed first.
ImagePanel::~ImagePanel() {
    for (QObject* part : std::initializer_list<QObject*>{view_, bar_, slider_, count_, how_, &controls()})
        part->disconnect(this);
    editor_->disconnect(this);
    session_.disconnect(this);
    if (geometry_) geometry_->disconnect(this);
    actions_.reset();
    view_->setDefaultTool(nullptr);
    view_->setTool(nullptr);
    if (geometry_ && !geometry_->parent()) delete geometry_;
}

ImageControls& ImagePanel::controls() const {
    return strip_->controls();
}

void ImagePanel::makeLayout() {
    added_->setSpacing(2);
    // The free space is that of a hidden slider.
    row_->setLayout(inColumns({{slider_, 1}, how_, count_, Cell::space(0), added_}, 8, {4, 2, 4, 2}));
    setLayout(inColumns({bar_, {inRows({{view_, 1}, row_}, 0), 1}}, 0));
    showRow();
}

void ImagePanel::addToBottomRow(QWidget* widget) {
    added_->addWidget(widget);
    showRow();
}

void ImagePanel::showRow() {
    const bool frames = slider_->frameCount() > 1;
    slider_->setVisible(frames);
    count_->setVisible(frames);
    how_->setVisible(frames && count_->value() > 1);
    row_->setVisible(frames || added_->count() > 0);
}

void ImagePanel::leave(QKeyEvent& event) {
    if (view_->toolInUse())
        view_->escape(event);
    else
        controls().setFolded(true);
}

void ImagePanel::connectParts() {
    connect(slider_, &FrameSlider::frameChanged, this, &ImagePanel::readFrame);
    connect(count_, &QSpinBox::valueChanged, this, [this] {
        showRow();
        readFrame();
    });
    connect(how_, &QComboBox::activated, this, [this] {
        if (count_->value() > 1) readFrame();
    });
    connect(view_, &DetectorView::hovered, this, [this](int column, int row, const QString& value) {
        emit cursorMoved(cursorText(column, row, value));
    });
    connect(view_, &DetectorView::hoverLeft, this, [this] { emit cursorMoved({}); });
    connect(view_, &DetectorView::toolChanged, this,
            [this] { emit hint(view_->toolInUse() ? view_->tool()->hint() : QString()); });
    auto* const escape = new EscapeKey(this, [this](QKeyEvent& event) { leave(event); });
    const auto listen = [this, escape] { escape->setOn(view_->toolInUse() || !controls().folded()); };
    connect(view_, &DetectorView::toolChanged, this, listen);
    connect(&controls(), &ImageControls::foldedChanged, this, listen);
    connect(bar_, &MaskBar::hint, this, &ImagePanel::hint);
    connect(bar_, &MaskBar::reported, this, [this](const QString& sentence) { reportSaved(this, sentence); });
    connect(bar_, &MaskBar::failed, this, &ImagePanel::failed);
    const auto tellMask = [this](bool final) {
        if (holdsFileOfMask()) emit maskChanged(final);
    };
    connect(editor_, &RegionEditor::maskEdited, this, [tellMask] { tellMask(false); });
    connect(editor_, &RegionEditor::labelsEdited, this, [tellMask] { tellMask(false); });
    connect(editor_, &RegionEditor::historyChanged, this, [tellMask] { tellMask(true); });
    connect(&session_, &SessionGeometry::changed, this, &ImagePanel::tellGeometry);
    connect(actions_.get(), &GeometryActions::failed, this, &ImagePanel::failed);
}

void ImagePanel::tellGeometry(bool final) {
    if (!taking_ && file_ && session_.file() == file_) emit geometryChanged(final);
}

void ImagePanel::setFile(std::shared_ptr<const OpenFile> file) {
    // The number of combined frames was chosen for the previous series.
    if (file_ && (!file || !isSameData(*file_, *file))) {
        const QSignalBlocker quiet(count_);
        count_->setValue(1);
    }
    // A reopened file keeps its view.
    const bool again = file_ && file && isSameData(*file_, *file);
    const int before = again ? slider_->frame() : 0;
    const bool zoomed = again && frame_ && !view_->fitted() &&
                        frame_->shape() == std::vector{file->frames->height(), file->frames->width()};
    const std::optional<QRectF> part = zoomed ? std::optional(view_->seenPart()) : std::nullopt;
    file_ = std::move(file);
    bar_->setRead(file_ ? std::map<std::string, std::string>{{"frames", file_->path.toStdString()}}
                        : std::map<std::string, std::string>{});
    // The image of another file must not be shown under this one's name.
    wantedPart_ = part;
    setDerived({});
    frame_.reset();
    view_->setFrame(nullptr);
    mask_.setFile(file_);
    {
        const QScopedValueRollback taking(taking_, true);
        actions_->setFile(file_);
        session_.setFile(file_);
    }
    const std::size_t frames = file_ ? file_->frames->frames() : 0;
    slider_->setPlaying(false);
    slider_->blockSignals(true);
    slider_->setFrameCount(static_cast<int>(frames));
    const int expected = std::exchange(expectedFrame_, 0);
    slider_->setFrame(
        std::clamp(expected > 0 ? expected : before, 0, std::max(slider_->frameCount() - 1, 0)));
    slider_->blockSignals(false);
    showRow();
    count_->setRange(1, static_cast<int>(std::clamp<std::size_t>(frames, 1, 1'000'000)));
    if (!file_) emit frameShown();  // what is computed from a frame is of none now
    readFrame();
}

void ImagePanel::readFrame() {
    if (!file_ || file_->frames->frames() == 0) return;
    struct Read {
        std::shared_ptr<const Array> frame;
        PixelBlocks lacking;
    };
    const auto first = static_cast<std::size_t>(std::max(slider_->frame(), 0));
    const std::size_t left = file_->frames->frames() - std::min(first, file_->frames->frames() - 1);
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("frame of the image"),
        [frames = file_->frames, first, count = std::min(static_cast<std::size_t>(count_->value()), left),
         how = static_cast<Combination>(how_->currentIndex())] {
            Progress progress;
            return Read{std::make_shared<const Array>(combined(*frames, first, count, how, progress)),
                        lackingInAll(*frames, first, count)};
        },
        [this, first](const Read& read) { showFrame(read.frame, static_cast<int>(first), read.lacking); },
        [this](const Error& error) {
            slider_->setPlaying(false);
            withdrawFrame();
            emit failed(error);
        });
}

void ImagePanel::showFrame(const std::shared_ptr<const Array>& frame, int first, const PixelBlocks& lacking) {
    if (!file_) return;  // closed meanwhile
    lacking_ = lacking;
    frame_ = frame;
    shownFrame_ = first;
    // The image derived from the previous frame stays until its successor arrives: no flash of
    // counts in between.
    if (derived_.values && derived_.values->shape() != frame->shape()) setDerived({});
    if (!derived_.values) view_->setFrame(frame);
    if (holdsFileOfMask()) mask_.setFrame(frame);
    emit frameShown();
    actions_->setFrame(frame);
    if (const auto part = std::exchange(wantedPart_, std::nullopt)) view_->showPart(*part);
}

// An unreadable frame must not look like the previous one. The mask stays as drawn.
void ImagePanel::withdrawFrame() {
    if (frame_ && !view_->fitted() && !wantedPart_) wantedPart_ = view_->seenPart();
    frame_.reset();
    shownFrame_ = slider_->frame();
    setDerived({});
    view_->setEmptyText(count_->value() > 1 ? tr("These frames cannot be shown")
                                            : tr("Frame %1 cannot be shown").arg(shownFrame_));
    view_->setFrame(nullptr);
    emit cursorMoved({});
    emit frameShown();
}

bool ImagePanel::holdsFileOfMask() const {
    return file_ && mask_.file() == file_;
}

// The tools use the counts of the visible frame.
void ImagePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (frame_ && holdsFileOfMask() && editor_->frame() != frame_) mask_.setFrame(frame_);
}

void ImagePanel::setDerived(const DerivedImage& derived) {
    if (!derived.values && !derived_.values) return;
    if (derived.values && (!frame_ || derived.values->shape() != frame_->shape()))
        throw Error(ErrorKind::run, "the image does not have the frame's shape", derived.title.toStdString());
    const QString before = derived_.title;
    const QString title = derived.values ? derived.title : QString();
    if (before != title) looks_[before] = {colours_.scale(), colours_.map()};
    derived_ = derived;
    derived_.title = title;
    view_->setValueTitle(title.isEmpty() ? tr("counts") : title);
    if (before != title) useLook(title, derived.yesOrNo);
    view_->setFrame(derived.values ? derived.values : frame_);
}

void ImagePanel::useLook(const QString& title, bool yesOrNo) {
    Look look{{}, looks_[QString()].map};
    if (yesOrNo) look = {{ScaleKind::linear, 0, 1, false, 100}, ColourMap::named(QStringLiteral("grey"))};
    look = looks_.value(title, look);
    colours_.setMap(look.map);
    colours_.setScale(look.scale);
}

QString ImagePanel::cursorText(int column, int row, const QString& value) const {
    const QString what = derived_.values ? derived_.title + QLatin1Char(':') : QStringLiteral("I");
    const auto holds = [c = static_cast<std::size_t>(column),
                        r = static_cast<std::size_t>(row)](const PixelBlock& one) {
        return one.top <= r && r < one.bottom && one.left <= c && c < one.right;
    };
    // The stored number in such a pixel was not counted by the detector.
    const bool missing = !derived_.values && std::ranges::any_of(lacking_, holds);
    return tr("x %1  y %2  %3 %4")
               .arg(column)
               .arg(row)
               .arg(what, missing ? tr("missing in the file") : value) +
           actions_->placeText(column, row);
}

nlohmann::json ImagePanel::settings() const {
    SharedColours ofCounts;
    ofCounts.setMap(derived_.values ? looks_[QString()].map : colours_.map());
    ofCounts.setScale(derived_.values ? looks_[QString()].scale : colours_.scale());
    ofCounts.setReduction(colours_.reduction());
    nlohmann::json made = ofCounts.settings("colours/");
    made["overlayOpacity"] = controls().overlayOpacity();
    made["rings"] = controls().ringsVisible();
    made["coloursFolded"] = controls().folded();
    return made;
}

void ImagePanel::setSettings(const nlohmann::json& kept) {
    colours_.setSettings(kept, "colours/");
    controls().setOverlayOpacity(jsonNumber(kept, "overlayOpacity", controls().overlayOpacity()));
    controls().setRingsVisible(jsonBoolean(kept, "rings", controls().ringsVisible()));
    controls().setFolded(jsonBoolean(kept, "coloursFolded", controls().folded()));
}

nlohmann::json ImagePanel::keep() const {
    nlohmann::json kept = nlohmann::json::object();
    if (!file_ || !geometry_) return kept;
    kept["calibrant"] = geometry_->rings().toStdString();
    kept["frame"] = slider_->frame();
    kept["frames"] = count_->value();
    kept["combination"] = how_->currentIndex();
    const std::optional<QRectF> part =
        wantedPart_ ? wantedPart_
                    : (view_->fitted() || !frame_ ? std::nullopt : std::optional(view_->seenPart()));
    if (part) kept["seen"] = {part->x(), part->y(), part->width(), part->height()};
    return kept;
}

void ImagePanel::expect(const nlohmann::json& kept) {
    expectedFrame_ = std::max(jsonInteger(kept, "frame"), 0);
}

void ImagePanel::bringBack(const nlohmann::json& kept) {
    if (!file_ || !kept.is_object()) return;
    geometry_->setRings(jsonText(kept, "calibrant"));
    if (const int how = jsonInteger(kept, "combination"); how >= 0 && how < how_->count())
        how_->setCurrentIndex(how);
    const int last = slider_->frameCount() - 1;
    if (last >= 0) slider_->setFrame(std::clamp(jsonInteger(kept, "frame"), 0, last));
    count_->setValue(jsonInteger(kept, "frames", 1));
    const nlohmann::json seen = jsonPart(kept, "seen");
    if (!seen.is_array() || seen.size() != 4 ||
        !std::ranges::all_of(seen, [](const nlohmann::json& one) { return one.is_number(); }))
        return;
    const QRectF part(seen[0].get<double>(), seen[1].get<double>(), seen[2].get<double>(),
                      seen[3].get<double>());
    const QRectF whole(0, 0, static_cast<double>(file_->frames->width()),
                       static_cast<double>(file_->frames->height()));
    if (part.width() > 0 && part.height() > 0 && part.intersects(whole)) wantedPart_ = part;
}

}  // namespace ks::ui
