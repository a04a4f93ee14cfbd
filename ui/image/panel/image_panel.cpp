#include "ui/image/panel/image_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/data/calibration/calibration.h"
#include "core/data/frame_combination.h"
#include "ui/base/jobs.h"
#include "ui/base/palette.h"
#include "ui/image/colours/colour_strip.h"
#include "ui/image/colours/image_controls.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/escape_key.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/tools/beam_tool.h"
#include "ui/image/tools/ring_fit_tool.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {
ImagePanel::ImagePanel(Jobs& jobs, SessionMask& mask, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      view_(new DetectorView),
      mask_(mask),
      editor_(&mask.editor()),
      bar_(new MaskBar),
      slider_(new FrameSlider),
      strip_(new ColourStrip(view_)),
      row_(new QWidget),
      added_(new QHBoxLayout),
      escape_(new EscapeKey(this)),
      geometry_(new GeometryForm),
      count_(new QSpinBox),
      how_(new QComboBox),
      beam_(new BeamTool(this)),
      ringFit_(new RingFitTool(this)) {
    view_->setValueTitle(tr("counts"));
    colours_.attach(view_);
    slider_->setFrameCount(0);
    how_->addItems({tr("sum of"), tr("mean of"), tr("max of")});
    how_->setAccessibleName(tr("How several frames become one picture"));
    count_->setRange(1, 1);
    count_->setKeyboardTracking(false);
    count_->setAccessibleName(tr("Number of frames in the picture"));
    count_->setToolTip(tr("Frames from the chosen one on that are shown as one picture"));
    makeLayout();
    bar_->attach(view_, editor_);
    connectParts();
}

// Tools end while all parts are there, and what the parts say while they go is not for a panel that is half
// gone. The form lives in a dock, which may go first.
ImagePanel::~ImagePanel() {
    for (QObject* part : std::initializer_list<QObject*>{view_, bar_, slider_, count_, how_, beam_, ringFit_,
                                                         &controls(), escape_})
        part->disconnect(this);
    editor_->disconnect(this);
    if (geometry_) geometry_->disconnect(this);
    view_->setDefaultTool(nullptr);
    view_->setTool(nullptr);
    if (geometry_ && !geometry_->parent()) delete geometry_;
}

ImageControls& ImagePanel::controls() const {
    return strip_->controls();
}

void ImagePanel::makeLayout() {
    auto* below = new QHBoxLayout(row_);
    below->setContentsMargins(4, 2, 4, 2);
    below->setSpacing(8);
    below->addWidget(slider_, 1);
    below->addWidget(how_);
    below->addWidget(count_);
    below->addStretch(0);  // takes the room of a slider that is hidden
    below->addLayout(added_);
    added_->setSpacing(2);
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(view_, 1);
    right->addWidget(row_);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(bar_);
    all->addLayout(right, 1);
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
    connect(view_, &DetectorView::toolChanged, this, [this] {
        geometry_->setPicking(view_->tool() == beam_, false);
        geometry_->setPicking(view_->tool() == ringFit_, true);
        emit hint(view_->toolInUse() ? view_->tool()->hint() : QString());
    });
    const auto listen = [this] { escape_->setOn(view_->toolInUse() || !controls().folded()); };
    connect(view_, &DetectorView::toolChanged, this, listen);
    connect(&controls(), &ImageControls::foldedChanged, this, listen);
    connect(escape_, &EscapeKey::pressed, this, [this](QKeyEvent* event) { leave(*event); });
    connect(bar_, &MaskBar::hint, this, &ImagePanel::hint);
    connect(bar_, &MaskBar::failed, this, &ImagePanel::failed);
    const auto tellMask = [this](bool final) {
        if (holdsFileOfMask()) emit maskChanged(final);
    };
    connect(editor_, &RegionEditor::maskEdited, this, [tellMask] { tellMask(false); });
    connect(editor_, &RegionEditor::labelsEdited, this, [tellMask] { tellMask(false); });
    connect(editor_, &RegionEditor::historyChanged, this, [tellMask] { tellMask(true); });
    connect(geometry_, &GeometryForm::changed, this, &ImagePanel::geometryChanged);
    connect(geometry_, &GeometryForm::pickBeamToggled, this, [this](bool on) { useTool(beam_, on); });
    connect(geometry_, &GeometryForm::fitRingToggled, this, [this](bool on) { useTool(ringFit_, on); });
    connect(geometry_, &GeometryForm::refineRequested, this, &ImagePanel::refine);
    connect(beam_, &BeamTool::moved, this, [this](const QPointF& at, bool final) {
        Geometry moved = geometry();
        moved.beam_x = at.x();
        moved.beam_y = at.y();
        geometry_->setGeometry(moved, final);
    });
    connect(beam_, &BeamTool::ended, this, [this] { useTool(beam_, false); });
    connect(ringFit_, &RingFitTool::fitted, this, &ImagePanel::ringFitted);
    connect(ringFit_, &RingFitTool::ended, this, [this] { useTool(ringFit_, false); });
    connect(this, &ImagePanel::geometryChanged, this, &ImagePanel::showGeometry);
    connect(geometry_, &GeometryForm::ringsChosen, this, &ImagePanel::showGeometry);
    view_->addLayer(
        [this](QPainter& painter, const QTransform& imageToWidget) { rings_.paint(painter, imageToWidget); });
}

void ImagePanel::showGeometry() {
    const Geometry& where = geometry();
    beam_->setBeam({where.beam_x, where.beam_y});
    view_->setBeam(located() ? std::optional(QPointF(where.beam_x, where.beam_y)) : std::nullopt);
    double farthest = 0;
    if (file_) {
        const auto width = static_cast<double>(file_->frames->width()),
                   height = static_cast<double>(file_->frames->height());
        for (const double x : {0.0, width})
            for (const double y : {0.0, height}) farthest = std::max(farthest, where.radius(x, y));
    }
    view_->setQScale(located() && where.complete() ? where.q_of_radius(1) : 0);
    rings_.set(where, geometry_->rings(), farthest);
    view_->update();
}

void ImagePanel::useTool(ImageTool* tool, bool on) {
    if (on && view_->tool() != tool) {
        view_->setTool(tool);
        view_->setFocus();
    } else if (!on && view_->tool() == tool) {
        view_->setTool(nullptr);
    }
}

void ImagePanel::setDefaultTool(ImageTool* tool) {
    view_->setDefaultTool(tool);
}

const Geometry& ImagePanel::geometry() const {
    return geometry_->geometry();
}

bool ImagePanel::located() const {
    return file_ && geometry_->located();
}

void ImagePanel::setFile(std::shared_ptr<const OpenFile> file) {
    file_ = std::move(file);
    bar_->setRead(file_ ? std::map<std::string, std::string>{{"frames", file_->path.toStdString()}}
                        : std::map<std::string, std::string>{});
    firstFrame_ = true;
    // What was found out about another file is not for this one, and its image does not stand under this
    // one's name.
    jobs_.drop(this, QStringLiteral("refine geometry"));
    jobs_.drop(this, QStringLiteral("sharper geometry"));
    wantedPart_.reset();
    setDerived({});
    frame_.reset();
    view_->setFrame(nullptr);
    mask_.setFile(file_);
    const FrameSource& frames = *file_->frames;
    geometry_->setFile(file_->geometry, frames.height(), frames.width());
    slider_->setPlaying(false);
    slider_->blockSignals(true);
    slider_->setFrameCount(static_cast<int>(frames.frames()));
    slider_->setFrame(std::min(std::exchange(expectedFrame_, 0), slider_->frameCount() - 1));
    slider_->blockSignals(false);
    showRow();
    count_->setRange(1, static_cast<int>(std::min<std::size_t>(frames.frames(), 1'000'000)));
    readFrame();
}

void ImagePanel::readFrame() {
    if (!file_) return;
    const auto first = static_cast<std::size_t>(std::max(slider_->frame(), 0));
    const std::size_t left = file_->frames->frames() - std::min(first, file_->frames->frames() - 1);
    const std::size_t count = std::min(left, static_cast<std::size_t>(count_->value()));
    const auto how = static_cast<Combination>(how_->currentIndex());
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("frame of the image"),
        [frames = file_->frames, first, count, how] {
            Progress progress;
            return std::shared_ptr<const Array>(
                std::make_shared<Array>(combined(*frames, first, count, how, progress)));
        },
        [this, first](const std::shared_ptr<const Array>& frame) {
            shownFrame_ = static_cast<int>(first);
            showFrame(frame);
        },
        [this](const Error& error) {
            slider_->setPlaying(false);
            emit failed(error);
        });
}

void ImagePanel::showFrame(const std::shared_ptr<const Array>& frame) {
    frame_ = frame;
    // What was made of the frame before stays until its successor comes: no flash of counts in between.
    if (derived_.values && derived_.values->shape() != frame->shape()) setDerived({});
    if (!derived_.values) view_->setFrame(frame);
    if (holdsFileOfMask()) mask_.setFrame(frame);
    emit frameShown();
    if (std::exchange(firstFrame_, false)) {
        showGeometry();
        askWhichIsSharper();
    }
    if (const auto part = std::exchange(wantedPart_, std::nullopt)) view_->showPart(*part);
}

bool ImagePanel::holdsFileOfMask() const {
    return file_ && mask_.file() == file_;
}

// The tools look at the counts of the frame in sight.
void ImagePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (frame_ && holdsFileOfMask() && editor_->frame() != frame_) mask_.setFrame(frame_);
}

void ImagePanel::ringFitted(const CircleFit& circle) {
    Geometry moved = geometry();
    moved.beam_x = circle.x;
    moved.beam_y = circle.y;
    geometry_->setGeometry(moved, true);
    geometry_->setNote(tr("Ring of %1 px, %2 px rms off its points")
                           .arg(circle.radius, 0, 'f', 1)
                           .arg(circle.rms, 0, 'f', 2));
    useTool(ringFit_, false);
}

void ImagePanel::refine(const QString& calibrant, int firstRing, int lastRing) {
    if (!frame()) return;
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("refine geometry"),
        [frame = frame(), mask = editor_->mask().values(), start = geometry(), calibrant, firstRing,
         lastRing] {
            if (lastRing < firstRing)
                throw Error(ErrorKind::input, "the last ring comes before the first", "refine");
            return refine_geometry(*frame, &mask, start, Calibrant::named(calibrant.toStdString()),
                                   static_cast<std::size_t>(firstRing - 1),
                                   static_cast<std::size_t>(lastRing - 1));
        },
        [this, start = geometry()](const Calibration& found) {
            if (geometry() != start) return;  // changed by hand meanwhile
            double worst = 0;
            for (const RingFit& ring : found.rings) worst = std::max(worst, std::abs(ring.residual()));
            geometry_->setGeometry(found.geometry, true);
            geometry_->setNote(tr("%1 rings, each q within %2 % of the calibrant's")
                                   .arg(found.rings.size())
                                   .arg(100 * worst, 0, 'f', 3));
        },
        [this](const Error& error) { emit failed(error); });
}

void ImagePanel::askWhichIsSharper() {
    if (!file_->geometry || file_->geometry->beam_x == file_->geometry->beam_y) return;
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("sharper geometry"),
        [frame = frame(), mask = editor_->mask().values(), geometry = *file_->geometry] {
            return sharper_than_swapped(*frame, &mask, geometry);
        },
        [this](double ratio) {
            if (std::isfinite(ratio) && ratio < 0.97 && !geometry_->edited() && !geometry_->swapped())
                geometry_->setNote(tr("Rings are sharper with x and y of the beam exchanged."), true);
        },
        // A frame that does not tell (blank, or all pixels invalid) gives no hint.
        [](const Error&) {});
}

QString ImagePanel::cursorText(int column, int row, const QString& value) const {
    const QString what = derived_.values ? derived_.title + QLatin1Char(':') : QStringLiteral("I");
    QString text = tr("x %1  y %2  %3 %4").arg(column).arg(row).arg(what, value);
    if (!located()) return text;
    const Geometry& where = geometry();
    const double x = column + 0.5, y = row + 0.5;
    if (where.complete())
        text += tr("  q %1 1/\u00c5  d %2 \u00c5")
                    .arg(formatNumber(where.q(x, y), 4), formatNumber(where.d(x, y), 4));
    else
        text += tr("  r %1 px").arg(formatNumber(where.radius(x, y), 4));
    return text + tr("  \u03c6 %1\u00b0").arg(where.phi(x, y), 0, 'f', 1);
}

void ImagePanel::save(QSettings& settings) const {
    SharedColours ofCounts;
    ofCounts.setMap(derived_.values ? looks_[QString()].map : colours_.map());
    ofCounts.setScale(derived_.values ? looks_[QString()].scale : colours_.scale());
    ofCounts.setReduction(colours_.reduction());
    ofCounts.save(settings, QStringLiteral("colours"));
    settings.setValue(QStringLiteral("overlayOpacity"), controls().overlayOpacity());
    settings.setValue(QStringLiteral("rings"), controls().ringsVisible());
    settings.setValue(QStringLiteral("coloursFolded"), controls().folded());
}

void ImagePanel::restore(QSettings& settings) {
    colours_.restore(settings, QStringLiteral("colours"));
    controls().setOverlayOpacity(
        settings.value(QStringLiteral("overlayOpacity"), controls().overlayOpacity()).toDouble());
    controls().setRingsVisible(settings.value(QStringLiteral("rings"), controls().ringsVisible()).toBool());
    controls().setFolded(settings.value(QStringLiteral("coloursFolded"), controls().folded()).toBool());
}

}  // namespace ks::ui
