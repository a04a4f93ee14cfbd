#include "ui/spots/threshold_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "ui/plots/palette.h"
#include "ui/shell/form_parts.h"

namespace ks::ui::spots {

using ks::spots::Algorithm;
using ks::spots::Grouping;
using ks::spots::Intermediate;
using ks::spots::Thresholds;

namespace {

constexpr double mostPixels = 1e9;

/// As few digits as tell the value; the least one as a word where there is one.
class FewDigits : public QDoubleSpinBox {
  public:
    QString textFromValue(double value) const override { return formatNumber(value, 7); }
};

/// The value; nothing where the box shows the word for an absent one.
std::optional<double> givenIn(const QDoubleSpinBox* box) {
    return box->value() > box->minimum() ? std::optional(box->value()) : std::nullopt;
}

}  // namespace

ThresholdForm::ThresholdForm(QWidget* parent) : QWidget(parent) {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(16);
    all->addWidget(makePicture());
    all->addWidget(makeThresholds());
    all->addWidget(makeSpots());
    showValues({}, {});
    setResolutionKnown(false);
    setLive({});
}

QWidget* ThresholdForm::makePicture() {
    auto* part = new QWidget;
    auto* rows = new QVBoxLayout(part);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(8);
    picture_ = new QComboBox;
    picture_->setAccessibleName(tr("Image that is shown"));
    picture_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picture_->setMinimumContentsLength(12);
    picture_->setToolTip(tr("The counts, or what the thresholds make of them on this frame (keys 1 to 8)"));
    for (const auto& info : ks::spots::intermediates()) {
        picture_->addItem(QString::fromUtf8(info.title), static_cast<int>(info.kind));
        picture_->setItemData(picture_->count() - 1, tr("Key %1").arg(picture_->count()), Qt::ToolTipRole);
    }
    connect(picture_, &QComboBox::currentIndexChanged, this, [this] { emit pictureChanged(); });
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(heading(tr("Image")));
    line->addWidget(picture_, 1);
    live_ = new QLabel;
    live_->setAccessibleName(tr("Live result"));
    live_->setWordWrap(true);
    live_->setMinimumHeight(live_->fontMetrics().height());
    rows->addLayout(line);
    rows->addWidget(live_);
    return part;
}

void ThresholdForm::addSlider(QGridLayout& grid, const char* id, const ValueSlider::Spec& spec) {
    auto* made = new ValueSlider(spec, this);
    const int row = grid.rowCount();
    grid.addWidget(made->label(), row, 0);
    grid.addWidget(made->slider(), row, 1);
    grid.addWidget(made->field(), row, 2);
    connect(made, &ValueSlider::changed, this, &ThresholdForm::edited);
    values_.emplace(id, made);
}

QWidget* ThresholdForm::makeThresholds() {
    using S = ValueSlider::Scale;
    auto* part = new QWidget;
    QGridLayout& grid = *formGrid(part);
    auto* defaults = new QPushButton(tr("Defaults"));
    defaults->setAccessibleName(tr("Default thresholds"));
    defaults->setToolTip(tr("Thresholds and conditions of spots as at the first start"));
    connect(defaults, &QPushButton::clicked, this, &ThresholdForm::reset);
    auto* head = new QHBoxLayout;
    head->addWidget(heading(tr("Thresholds")), 1);
    head->addWidget(defaults);
    grid.addLayout(head, 0, 0, 1, 3);
    algorithm_ = new QComboBox;
    algorithm_->addItem(tr("dispersion"), QStringLiteral("dispersion"));
    algorithm_->addItem(tr("extended dispersion"), QStringLiteral("dispersion_extended"));
    algorithm_->setAccessibleName(tr("Algorithm"));
    algorithm_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    algorithm_->setMinimumContentsLength(10);
    algorithm_->setToolTip(
        tr("Dispersion: the window varies more than counting does, and the pixel stands out of it. Extended: "
           "the pixel stands out of a background without the signal around"));
    connect(algorithm_, &QComboBox::currentIndexChanged, this, &ThresholdForm::edited);
    grid.addWidget(new QLabel(tr("Algorithm")), 1, 0);
    grid.addWidget(algorithm_, 1, 1, 1, 2);
    constexpr double widest = Thresholds::largest_kernel;
    constexpr double window = (2 * widest + 1) * (2 * widest + 1);
    addSlider(
        grid, "sigma_b",
        {tr("\u03c3 background"), tr("Sigma background"),
         tr("Deviations of the window's index of dispersion from 1"), 6, 0, 1e6, 30, 0.1, 4, S::linear});
    addSlider(grid, "sigma_s",
              {tr("\u03c3 strong"), tr("Sigma strong"),
               tr("Deviations of the pixel from the mean of its window"), 3, 0, 1e6, 15, 0.1, 4, S::linear});
    addSlider(
        grid, "kernel_x",
        {tr("Window x"), tr("Half-width of the window in x"),
         tr("Pixels to the left and right that the window holds"), 3, 1, widest, widest, 1, 0, S::linear});
    addSlider(grid, "kernel_y",
              {tr("Window y"), tr("Half-width of the window in y"),
               tr("Pixels above and below that the window holds"), 3, 1, widest, widest, 1, 0, S::linear});
    addSlider(grid, "min_local",
              {tr("Valid pixels"), tr("Least valid pixels"), tr("Valid pixels that a window must have"), 2, 2,
               window, 49, 1, 0, S::linear});
    addSlider(grid, "threshold",
              {tr("Counts above"), tr("Global threshold"), tr("Signal is above this many counts"), 0, -1e12,
               1e12, 65535, 1, 4, S::logarithmic});
    addSlider(
        grid, "gain",
        {tr("Gain"), tr("Gain"), tr("Counts for one photon"), 1, 1e-6, 1e6, 100, 0.01, 6, S::logarithmic});
    saturation_ =
        box(0, 1e12, 4, {}, tr("Saturation"),
            tr("Counts at or above this are invalid; else those above what the file says, if it does"));
    saturation_->setSpecialValueText(tr("from the file"));
    connect(saturation_, &QDoubleSpinBox::valueChanged, this, &ThresholdForm::edited);
    const int row = grid.rowCount();
    grid.addWidget(new QLabel(tr("Saturation")), row, 0);
    grid.addWidget(saturation_, row, 1, 1, 2);
    return part;
}

QDoubleSpinBox* ThresholdForm::box(double least, double most, int decimals, const QString& unit,
                                   const QString& name, const QString& tip) {
    auto* made = new FewDigits;
    made->setRange(least, most);
    made->setDecimals(decimals);
    made->setKeyboardTracking(false);
    made->setStepType(decimals > 0 ? QAbstractSpinBox::AdaptiveDecimalStepType
                                   : QAbstractSpinBox::DefaultStepType);
    if (!unit.isEmpty()) made->setSuffix(QLatin1Char(' ') + unit);
    made->setAccessibleName(name);
    made->setToolTip(tip);
    made->setMinimumWidth(made->fontMetrics().horizontalAdvance(QStringLiteral("1000 px")) + 20);
    return made;
}

QWidget* ThresholdForm::makeSpots() {
    const QString angstrom = QStringLiteral("\u00c5");
    stills_ = new QCheckBox(tr("Stills: each frame by itself"));
    stills_->setToolTip(tr("Else spots go on from frame to frame"));
    minSize_ = box(1, mostPixels, 0, tr("px"), tr("Smallest spot"), tr("Signal pixels of a spot, at least"));
    maxSize_ = box(1, mostPixels, 0, tr("px"), tr("Largest spot"), tr("Signal pixels of a spot, at most"));
    separation_ =
        box(0, 1e6, 3, tr("px"), tr("Largest separation"), tr("From a spot's peak to its centroid, at most"));
    dMin_ = box(0, 1e6, 4, angstrom, tr("Smallest d"), tr("Spots of a smaller d are dropped"));
    dMax_ = box(0, 1e6, 4, angstrom, tr("Largest d"), tr("Spots of a larger d are dropped"));
    ice_ = box(0, 1, 4, angstrom + QStringLiteral("\u207b\u00b2"), tr("Width of ice rings"),
               tr("Spots within this of a ring of hexagonal ice, in 1/d\u00b2, are dropped"));
    for (QDoubleSpinBox* one : {dMin_, dMax_, ice_}) one->setSpecialValueText(tr("off"));

    auto* part = new QWidget;
    auto* grid = formGrid(part);
    grid->setColumnStretch(3, 1);
    int line = 0;
    const auto row = [&](const QString& text, QWidget* first, const QString& middle, QWidget* second) {
        grid->addWidget(new QLabel(text), line, 0);
        grid->addWidget(first, line, 1);
        if (second) {
            grid->addWidget(new QLabel(middle), line, 2, Qt::AlignCenter);
            grid->addWidget(second, line, 3);
        }
        ++line;
    };
    grid->addWidget(heading(tr("Spots")), line++, 0, 1, 4);
    grid->addWidget(stills_, line++, 0, 1, 4);
    row(tr("Size"), minSize_, tr("to"), maxSize_);
    row(tr("Separation"), separation_, {}, nullptr);
    row(tr("d"), dMin_, tr("to"), dMax_);
    row(tr("Ice rings"), ice_, {}, nullptr);
    note_ = new QLabel(tr("d needs wavelength, distance, pixel size and beam centre"));
    note_->setWordWrap(true);
    note_->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(note_, line, 0, 1, 4);

    connect(stills_, &QCheckBox::toggled, this, &ThresholdForm::edited);
    for (QDoubleSpinBox* one : {separation_, ice_})
        connect(one, &QDoubleSpinBox::valueChanged, this, &ThresholdForm::edited);
    for (const auto& [low, high] : {std::pair(minSize_, maxSize_), std::pair(dMin_, dMax_)}) {
        connect(low, &QDoubleSpinBox::valueChanged, this, [=, this] { keepOrder(low, high, false); });
        connect(high, &QDoubleSpinBox::valueChanged, this, [=, this] { keepOrder(low, high, true); });
    }
    return part;
}

// The end that was moved pushes the other one; 0 of a d stands for no limit.
void ThresholdForm::keepOrder(QDoubleSpinBox* low, QDoubleSpinBox* high, bool highMoved) {
    if (setting_) return;
    if (low->value() > high->value() && high->value() > 0) {
        const QSignalBlocker a(low), b(high);
        if (highMoved)
            low->setValue(high->value());
        else
            high->setValue(low->value());
    }
    edited();
}

void ThresholdForm::edited() {
    if (!setting_) emit changed();
}

Thresholds ThresholdForm::thresholds() const {
    Thresholds t;
    t.algorithm = algorithm_->currentIndex() == 1 ? Algorithm::dispersion_extended : Algorithm::dispersion;
    const auto number = [this](const char* id) { return values_.at(id)->value(); };
    t.kernel_x = static_cast<int>(number("kernel_x"));
    t.kernel_y = static_cast<int>(number("kernel_y"));
    t.sigma_b = number("sigma_b");
    t.sigma_s = number("sigma_s");
    t.min_local = static_cast<int>(number("min_local"));
    t.global_threshold = number("threshold");
    t.gain = number("gain");
    return t;
}

Grouping ThresholdForm::grouping() const {
    Grouping g = shownGrouping();
    if (!dMin_->isEnabled()) g.d_min = g.d_max = g.ice_width = std::nullopt;
    return g;
}

Grouping ThresholdForm::shownGrouping() const {
    Grouping g;
    g.stills = stills_->isChecked();
    g.min_size = static_cast<std::size_t>(minSize_->value());
    g.max_size = static_cast<std::size_t>(maxSize_->value());
    g.max_separation = separation_->value();
    g.d_min = givenIn(dMin_);
    g.d_max = givenIn(dMax_);
    g.ice_width = givenIn(ice_);
    return g;
}

void ThresholdForm::showValues(const Thresholds& thresholds, const Grouping& grouping) {
    const bool before = std::exchange(setting_, true);
    algorithm_->setCurrentIndex(thresholds.algorithm == Algorithm::dispersion_extended ? 1 : 0);
    values_.at("kernel_x")->setValue(thresholds.kernel_x);
    values_.at("kernel_y")->setValue(thresholds.kernel_y);
    values_.at("sigma_b")->setValue(thresholds.sigma_b);
    values_.at("sigma_s")->setValue(thresholds.sigma_s);
    values_.at("min_local")->setValue(thresholds.min_local);
    values_.at("threshold")->setValue(thresholds.global_threshold);
    values_.at("gain")->setValue(thresholds.gain);
    stills_->setChecked(grouping.stills);
    minSize_->setValue(static_cast<double>(grouping.min_size));
    maxSize_->setValue(static_cast<double>(grouping.max_size));
    separation_->setValue(grouping.max_separation);
    dMin_->setValue(grouping.d_min.value_or(0));
    dMax_->setValue(grouping.d_max.value_or(0));
    ice_->setValue(grouping.ice_width.value_or(0));
    setting_ = before;
}

void ThresholdForm::setThresholds(const Thresholds& thresholds) {
    if (thresholds == this->thresholds()) return;
    showValues(thresholds, shownGrouping());
    emit changed();
}

void ThresholdForm::setGrouping(const Grouping& grouping) {
    if (grouping == this->grouping()) return;
    showValues(thresholds(), grouping);
    emit changed();
}

std::optional<double> ThresholdForm::saturation() const {
    return givenIn(saturation_);
}

void ThresholdForm::reset() {
    showValues({}, {});
    {
        const QSignalBlocker quiet(saturation_);
        saturation_->setValue(0);
    }
    emit changed();
}

Intermediate ThresholdForm::picture() const {
    return static_cast<Intermediate>(picture_->currentData().toInt());
}

void ThresholdForm::setPicture(Intermediate picture) {
    picture_->setCurrentIndex(picture_->findData(static_cast<int>(picture)));
}

void ThresholdForm::setResolutionKnown(bool known) {
    for (QDoubleSpinBox* one : {dMin_, dMax_, ice_}) one->setEnabled(known);
    note_->setVisible(!known);
}

void ThresholdForm::setLive(const QString& text) {
    live_->setText(text);
}

QString ThresholdForm::live() const {
    return live_->text();
}

}  // namespace ks::ui::spots
