#include "ui/image/colours/image_controls.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <cmath>
#include <utility>

#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/image/colours/histogram_bar.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {
namespace {

/// For a limit of the scale.
NumberBox* limitBox(QWidget* parent) {
    return new NumberBox(parent, 6, QStringLiteral("0000000000"));
}

constexpr int narrow = 640;  ///< of the picture; the scale bar takes up to 200 of it

}  // namespace

ImageControls::ImageControls(QWidget* parent)
    : QWidget(parent),
      kind_(new QComboBox(this)),
      map_(new QComboBox(this)),
      reduction_(new QComboBox(this)),
      automatic_(new QCheckBox(tr("&Automatic"), this)),
      rings_(new QCheckBox(tr("Show rin&gs"), this)),
      percentile_(new DecimalBox(this)),
      low_(limitBox(this)),
      high_(limitBox(this)),
      histogram_(new HistogramBar(this)),
      opacity_(new QSlider(Qt::Horizontal, this)),
      rest_(new QWidget(this)),
      unfold_(new QToolButton(this)) {
    kind_->addItems({tr("linear"), tr("log"), tr("square root"), tr("arcsinh")});
    map_->addItems(ColourMap::names());
    reduction_->addItems({tr("maximum"), tr("mean"), tr("minimum")});
    percentile_->setRange(50, 100);
    percentile_->setDecimals(2);
    percentile_->setSingleStep(0.1);
    percentile_->setSuffix(tr(" %"));
    opacity_->setRange(0, 100);
    rings_->setChecked(true);
    named(kind_, tr("Colour scale"), tr("How values are converted to colours"));
    named(map_, tr("Colour map"), tr("Colours from low to high values"));
    named(reduction_, tr("Pixel binning on screen"),
          tr("Which value to show where one screen pixel covers several detector pixels. With the maximum, "
             "every bright pixel remains visible."));
    named(automatic_, tr("Automatic limits"), tr("Set the limits from each frame's percentile"));
    named(percentile_, tr("Percentile of the upper limit"),
          tr("Percentage of the valid pixels at or below the upper limit; the same percentage is at or above "
             "the lower limit"));
    named(low_, tr("Lower limit"), tr("Value of the lowest colour. Editing it turns automatic limits off."));
    named(high_, tr("Upper limit"),
          tr("Value of the highest colour. Editing it turns automatic limits off."));
    named(opacity_, tr("Opacity of the bins"), tr("Opacity of the bin colours over the image"));
    named(rings_, tr("Show rings"), tr("Outline the rings and label them with q"));
    named(unfold_, tr("All colour settings"), tr("Limits, histogram, bin opacity and rings"));
    unfold_->setCheckable(true);
    unfold_->setChecked(true);
    unfold_->setAutoRaise(true);

    layOut();
    setColourScale({});
    setOverlayOpacity(DetectorView::defaultOpacity);
    connectParts();
}

void ImageControls::layOut() {
    layOutRest();
    setLayout(inRows({rest_, inColumns({{kind_, 1}, {map_, 1}, unfold_}, 4)}, 6));
    showParts();
}

void ImageControls::layOutRest() {
    auto* form = new QFormLayout(rest_);
    form->setContentsMargins(4, 4, 4, 0);
    form->setSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Zoomed out"), reduction_);
    form->addRow(tr("Limits"), inColumns({automatic_, {percentile_, 1}}, 8));
    form->addRow(histogram_);
    form->addRow(inColumns({{low_, 1}, new QLabel(tr("to")), {high_, 1}}, 8));
    form->addRow(tr("&Opacity"), opacity_);
    form->addRow(QString(), rings_);
}

bool ImageControls::folded() const {
    return !unfold_->isChecked();
}

void ImageControls::setFolded(bool folded) {
    unfold_->setChecked(!folded);
}

void ImageControls::setCompact(bool compact) {
    if (compact == std::exchange(compact_, compact)) return;
    showParts();
}

void ImageControls::showParts() {
    rest_->setVisible(!folded());
    for (QWidget* widget : {kind_, map_}) widget->setVisible(!folded() || !compact_);
    unfold_->setArrowType(folded() ? Qt::UpArrow : Qt::DownArrow);
    updateGeometry();
}

void ImageControls::connectParts() {
    connect(kind_, &QComboBox::currentIndexChanged, this, [this] { scaleEdited(); });
    connect(map_, &QComboBox::currentTextChanged, this, [this](const QString& map) {
        histogram_->setColourMap(ColourMap::named(map));
        emit colourMapChanged(map);
    });
    connect(reduction_, &QComboBox::currentIndexChanged, this,
            [this] { emit reductionChanged(reduction()); });
    connect(automatic_, &QCheckBox::toggled, this, [this](bool on) {
        percentile_->setEnabled(on);
        scaleEdited();
    });
    connect(percentile_, &QDoubleSpinBox::valueChanged, this, [this] { scaleEdited(); });
    for (QDoubleSpinBox* box : {low_, high_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ImageControls::limitsEdited);
    connect(histogram_, &HistogramBar::limitsEdited, this, [this](double low, double high) {
        const QSignalBlocker a(low_), b(high_);
        low_->setValue(low);
        high_->setValue(high);
        limitsEdited();
    });
    connect(opacity_, &QSlider::valueChanged, this,
            [this](int percent) { emit overlayOpacityChanged(percent / 100.0); });
    connect(rings_, &QCheckBox::toggled, this, &ImageControls::ringsVisibleChanged);
    connect(unfold_, &QToolButton::toggled, this, [this](bool on) {
        showParts();
        emit foldedChanged(!on);
    });
}

void ImageControls::attach(DetectorView* view) {
    setColourScale(view->colourScale());
    setColourMap(view->colourMap().name());
    setReduction(view->reduction());
    histogram_->setValues(view->values(), view->largestValue());
    setOverlayOpacity(view->overlayOpacity());
    setRingsVisible(view->ringsVisible());
    connect(this, &ImageControls::colourScaleChanged, view, &DetectorView::setColourScale);
    connect(this, &ImageControls::colourMapChanged, view,
            [view](const QString& map) { view->setColourMap(ColourMap::named(map)); });
    connect(this, &ImageControls::reductionChanged, view, &DetectorView::setReduction);
    connect(this, &ImageControls::overlayOpacityChanged, view, &DetectorView::setOverlayOpacity);
    connect(this, &ImageControls::ringsVisibleChanged, view, &DetectorView::setRingsVisible);
    connect(view, &DetectorView::colourScaleChanged, this, &ImageControls::setColourScale);
    connect(view, &DetectorView::colourMapChanged, this,
            [this](const ColourMap& map) { setColourMap(map.name()); });
    connect(view, &DetectorView::reductionChanged, this, &ImageControls::setReduction);
    connect(view, &DetectorView::valuesChanged, this,
            [this, view] { histogram_->setValues(view->values(), view->largestValue()); });
}

ColourScale ImageControls::colourScale() const {
    ColourScale scale;
    scale.kind = static_cast<ScaleKind>(kind_->currentIndex());
    scale.low = low_->value();
    scale.high = high_->value();
    scale.automatic = automatic_->isChecked();
    scale.percentile = percentile_->value();
    return scale;
}

void ImageControls::setColourScale(const ColourScale& scale) {
    const QSignalBlocker a(kind_), b(low_), c(high_), d(automatic_), e(percentile_);
    kind_->setCurrentIndex(static_cast<int>(scale.kind));
    low_->setValue(scale.low);
    high_->setValue(scale.high);
    automatic_->setChecked(scale.automatic);
    percentile_->setValue(scale.percentile);
    percentile_->setEnabled(scale.automatic);
    histogram_->setColourScale(scale);
}

QString ImageControls::colourMap() const {
    return map_->currentText();
}

void ImageControls::setColourMap(const QString& map) {
    const QSignalBlocker quiet(map_);
    map_->setCurrentText(map);
    histogram_->setColourMap(ColourMap::named(map_->currentText()));
}

Reduction ImageControls::reduction() const {
    return static_cast<Reduction>(reduction_->currentIndex());
}

void ImageControls::setReduction(Reduction reduction) {
    const QSignalBlocker quiet(reduction_);
    reduction_->setCurrentIndex(static_cast<int>(reduction));
}

double ImageControls::overlayOpacity() const {
    return opacity_->value() / 100.0;
}

void ImageControls::setOverlayOpacity(double opacity) {
    opacity_->setValue(static_cast<int>(std::lround(opacity * 100)));
}

bool ImageControls::ringsVisible() const {
    return rings_->isChecked();
}

void ImageControls::setRingsVisible(bool visible) {
    rings_->setChecked(visible);
}

void ImageControls::limitsEdited() {
    const QSignalBlocker quiet(automatic_);
    automatic_->setChecked(false);
    percentile_->setEnabled(false);
    scaleEdited();
}

void ImageControls::scaleEdited() {
    histogram_->setColourScale(colourScale());
    emit colourScaleChanged(colourScale());
}

ColourStrip::ColourStrip(DetectorView* view)
    : FloatingCard(Qt::BottomRightCorner), controls_(new ImageControls(this)) {
    setLayout(inRows({controls_}, {}, {4, 4, 4, 4}));
    controls_->setFolded(true);
    controls_->attach(view);
    connect(view, &DetectorView::colourBarClicked, controls_, [this] { controls_->setFolded(false); });
    floatOver(view);
    show();
}

void ColourStrip::arrange() {
    if (view()) controls_->setCompact(view()->imageArea().width() < narrow);
    FloatingCard::arrange();
}

bool ColourStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view() && event->type() == QEvent::MouseButtonPress &&
        view()->imageArea().contains(static_cast<QMouseEvent*>(event)->position()))
        controls_->setFolded(true);
    return FloatingCard::eventFilter(watched, event);
}

}  // namespace ks::ui
