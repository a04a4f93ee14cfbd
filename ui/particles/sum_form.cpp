#include "ui/particles/sum_form.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/json_text.h"
#include "core/particles/parameters.h"
#include "ui/image/value_box.h"
#include "ui/particles/source_set.h"
#include "ui/shell/form_parts.h"

namespace ks::ui::particles {
namespace {

using S = ValueSlider::Scale;

constexpr double leastSigma = 1e-12, mostNumber = 1e9;
constexpr int largestSide = 16384;
/// Of the sliders, for coordinates over a length of 1: sigma from..to, and k.
constexpr double sigmaFrom = 1e-3, sigmaTo = 10, mostWaves = 200, waveStep = 0.5;

ValueSlider::Spec sigmaSpec() {
    return {SumForm::tr("\u03c3"),
            SumForm::tr("Sigma"),
            SumForm::tr("Width of rbf, in units of the coordinates"),
            0.1,
            leastSigma,
            mostNumber,
            sigmaTo,
            sigmaFrom,
            12,
            S::logarithmic};
}

ValueSlider::Spec waveSpec() {
    return {SumForm::tr("k"),
            SumForm::tr("Wavenumber"),
            SumForm::tr("k of helmholtz, radians a unit of length; below 0 waves run inwards"),
            10,
            -mostNumber,
            mostNumber,
            mostWaves,
            waveStep,
            9,
            S::linear,
            true};
}

/// A round number of a length: 1, 2 or 5 times a power of 10, at least as large.
double roundUp(double length) {
    const double decade = std::pow(10.0, std::floor(std::log10(length)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= length * 0.999) return factor * decade;
    return 10 * decade;
}

/// To a thousandth of a length.
double rounded(double value, double length) {
    const double unit = std::pow(10.0, std::floor(std::log10(length / 1000)));
    return std::round(value / unit) * unit;
}

}  // namespace

SumForm::SumForm(QWidget* parent)
    : QWidget(parent),
      live_(new QLabel),
      kernel_(new QComboBox),
      sigma_(new ValueSlider(sigmaSpec(), this)),
      wavenumber_(new ValueSlider(waveSpec(), this)),
      side_(new QSpinBox),
      low_(coordinate(tr("Planes from"), tr("First coordinate along the sides of the planes"))),
      high_(coordinate(tr("Planes to"), tr("Last coordinate along the sides of the planes"))),
      fit_(new QPushButton(tr("Fit to sources"))) {
    live_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    live_->setAccessibleName(tr("Live result"));
    live_->setWordWrap(true);
    live_->setMinimumHeight(2 * live_->fontMetrics().lineSpacing());  // what is below must not jump
    kernel_->addItem(tr("rbf  exp(\u2212r\u00b2/2\u03c3\u00b2)"), QStringLiteral("rbf"));
    kernel_->addItem(tr("laplace  1/4\u03c0r"), QStringLiteral("laplace"));
    kernel_->addItem(tr("helmholtz  e^ikr/4\u03c0r"), QStringLiteral("helmholtz"));
    kernel_->setAccessibleName(tr("Kernel"));
    kernel_->setToolTip(
        tr("What a source adds at distance r: exp(\u2212r\u00b2 / 2\u03c3\u00b2), 1 / (4\u03c0r) or "
           "e^(ikr) / (4\u03c0r)"));
    kernel_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    kernel_->setMinimumContentsLength(10);
    side_->setRange(1, largestSide);
    side_->setKeyboardTracking(false);
    side_->setAccessibleName(tr("Points along a side"));
    side_->setToolTip(tr("Targets on each plane: that many squared"));
    fit_->setToolTip(tr("Planes as wide as the sources' box, through its middle"));
    auto* grid = formGrid();
    int row = 0;
    const auto add = [&](const QString& text, QWidget* field) {
        auto* label = new QLabel(text);
        label->setBuddy(field);
        label->setToolTip(field->toolTip());
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row++, 1, 1, 2);
    };
    grid->addWidget(live_, row++, 0, 1, 3);
    grid->addWidget(heading(tr("Kernel")), row, 0);
    grid->addWidget(kernel_, row++, 1, 1, 2);
    for (ValueSlider* one : {sigma_, wavenumber_}) {
        grid->addWidget(one->label(), row, 0);
        grid->addWidget(one->slider(), row, 1);
        grid->addWidget(one->field(), row++, 2);
        connect(one, &ValueSlider::changed, this, &SumForm::edited);
    }
    auto* head = new QHBoxLayout;
    head->addWidget(heading(tr("Planes")), 1);
    head->addWidget(fit_);
    grid->addLayout(head, row++, 0, 1, 3);
    add(tr("Points a side"), side_);
    auto* ends = new QHBoxLayout;
    ends->setSpacing(4);
    ends->addWidget(low_, 1);
    ends->addWidget(new QLabel(tr("to")));
    ends->addWidget(high_, 1);
    grid->addWidget(new QLabel(tr("From")), row, 0);
    grid->addLayout(ends, row++, 1, 1, 2);
    for (const Plane plane : allPlanes) {
        const QString axis = axisName(axesOf(plane).normal);
        auto* box =
            coordinate(tr("%1 of the plane %2").arg(axis, nameOf(plane)),
                       tr("Where the plane %1 lies; or drag its line on the other maps").arg(nameOf(plane)));
        offsets_[static_cast<std::size_t>(plane)] = box;
        add(tr("%1 of %2").arg(axis, nameOf(plane)), box);
    }
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addLayout(grid);
    reset();
    connect(kernel_, &QComboBox::currentIndexChanged, this, &SumForm::edited);
    connect(side_, &QSpinBox::valueChanged, this, &SumForm::edited);
    for (QDoubleSpinBox* one : {low_, high_, offsets_[0], offsets_[1], offsets_[2]})
        connect(one, &QDoubleSpinBox::valueChanged, this, &SumForm::edited);
    connect(fit_, &QPushButton::clicked, this, &SumForm::fitRequested);
}

QDoubleSpinBox* SumForm::coordinate(const QString& name, const QString& tip) {
    auto* made = new ValueBox(nullptr, 7, QStringLiteral("00000"), 24);
    made->setRange(-mostNumber, mostNumber);
    made->setDecimals(12);
    made->setAccessibleName(name);
    made->setToolTip(tip);
    return made;
}

QStringList SumForm::parameters() {
    return {QStringLiteral("kernel"), QStringLiteral("sigma"),     QStringLiteral("wavenumber"),
            QStringLiteral("planes"), QStringLiteral("plane_low"), QStringLiteral("plane_high"),
            QStringLiteral("xy_at"),  QStringLiteral("xz_at"),     QStringLiteral("yz_at"),
            QStringLiteral("grid")};
}

void SumForm::fill(ParameterSet& parameters) const {
    const ks::particles::PlaneGrid grid = planes();
    parameters["kernel"] = kernel().toStdString();
    parameters["sigma"] = sigma_->value();
    parameters["wavenumber"] = wavenumber_->value();
    parameters["planes"] = static_cast<std::int64_t>(grid.side);
    parameters["plane_low"] = grid.low;
    parameters["plane_high"] = grid.high;
    parameters["xy_at"] = grid.z_of_xy;
    parameters["xz_at"] = grid.y_of_xz;
    parameters["yz_at"] = grid.x_of_yz;
    parameters["grid"] = {};  // a cube has no maps here
}

void SumForm::apply(const ParameterSet& given) {
    ParameterSet all;
    fill(all);
    bool any = false;
    for (auto& [id, value] : all)
        if (const auto one = given.find(id); one != given.end()) {
            value = one->second;
            any = true;
        }
    if (!any) return;
    setting_ = true;
    kernel_->setCurrentIndex(std::max(0, kernel_->findData(QString::fromStdString(text(all, "kernel")))));
    sigma_->setValue(real(all, "sigma"));
    wavenumber_->setValue(real(all, "wavenumber"));
    setting_ = false;
    ks::particles::PlaneGrid grid = ks::particles::planes_from(all);
    if (grid.side == 0) grid.side = ks::particles::usual_side;
    setPlanes(grid);
    edited();
}

QString SumForm::kernel() const {
    return kernel_->currentData().toString();
}

void SumForm::setKernel(const QString& kernel) {
    kernel_->setCurrentIndex(kernel_->findData(kernel));
}

ks::particles::PlaneGrid SumForm::planes() const {
    return {static_cast<std::size_t>(side_->value()),
            low_->value(),
            high_->value(),
            offsets_[0]->value(),
            offsets_[1]->value(),
            offsets_[2]->value()};
}

void SumForm::setPlanes(const ks::particles::PlaneGrid& planes) {
    setting_ = true;
    side_->setValue(static_cast<int>(planes.side));
    low_->setValue(planes.low);
    high_->setValue(planes.high);
    offsets_[0]->setValue(planes.z_of_xy);
    offsets_[1]->setValue(planes.y_of_xz);
    offsets_[2]->setValue(planes.x_of_yz);
    for (QDoubleSpinBox* one : offsets_) one->setSingleStep(std::abs(planes.high - planes.low) / 100);
    setting_ = false;
}

void SumForm::setOffset(Plane plane, double at) {
    offsets_[static_cast<std::size_t>(plane)]->setValue(at);
}

double SumForm::range() const {
    return kernel() == QLatin1String("rbf") ? sigma_->value() : std::abs(high_->value() - low_->value()) / 10;
}

void SumForm::setSources(const SourceSet* sources) {
    const double length = sources ? roundUp(sources->extent()) : 1;
    sigma_->setReach(sigmaFrom * length, sigmaTo * length);
    wavenumber_->setReach(waveStep / length, mostWaves / length);
    fit_->setEnabled(sources != nullptr);
}

ks::particles::PlaneGrid SumForm::around(const SourceSet& sources, std::size_t side) {
    ks::particles::PlaneGrid grid;
    grid.side = side;
    grid.low = std::min({sources.low(0), sources.low(1), sources.low(2)});
    grid.high = std::max({sources.high(0), sources.high(1), sources.high(2)});
    // A unit box stays one: its sources need not reach its sides.
    if (grid.low >= 0 && grid.high <= 1 && grid.high > 0.5) {
        grid.low = 0;
        grid.high = 1;
    } else {
        const double margin = grid.high > grid.low ? roundUp((grid.high - grid.low) / 20) : 0.5;
        grid.low = std::floor(grid.low / margin) * margin;
        grid.high = std::ceil(grid.high / margin) * margin;
    }
    const auto middle = [&](int axis) {
        return sources.low(axis) >= 0 && sources.high(axis) <= 1 && grid.low == 0 && grid.high == 1
                   ? 0.5
                   : rounded((sources.low(axis) + sources.high(axis)) / 2, sources.extent());
    };
    grid.z_of_xy = middle(2);
    grid.y_of_xz = middle(1);
    grid.x_of_yz = middle(0);
    return grid;
}

void SumForm::fitTo(const SourceSet& sources) {
    setPlanes(around(sources, planes().side));
    const double length = roundUp(sources.extent());
    if (sigma_->value() < sigmaFrom * length || sigma_->value() > sigmaTo * length)
        sigma_->setValue(length / 10);
    if (std::abs(wavenumber_->value()) > mostWaves / length) wavenumber_->setValue(10 / length);
}

void SumForm::setLive(const QString& text) {
    live_->setText(text);
}

QString SumForm::live() const {
    return live_->text();
}

void SumForm::edited() {
    showKernel();
    if (!setting_) emit changed();
}

void SumForm::showKernel() {
    for (ValueSlider* one : {sigma_, wavenumber_}) {
        const bool used = kernel() == (one == sigma_ ? QLatin1String("rbf") : QLatin1String("helmholtz"));
        for (QWidget* part : {static_cast<QWidget*>(one->label()), static_cast<QWidget*>(one->slider()),
                              static_cast<QWidget*>(one->field())})
            part->setEnabled(used);
    }
}

void SumForm::reset() {
    setting_ = true;
    kernel_->setCurrentIndex(0);
    sigma_->reset();
    wavenumber_->reset();
    setPlanes({ks::particles::usual_side, 0, 1, 0.5, 0.5, 0.5});
    setting_ = false;
    edited();
}

void SumForm::save(QSettings& settings) const {
    ParameterSet all;
    fill(all);
    settings.setValue(QStringLiteral("sums"), QByteArray::fromStdString(to_json(all).dump()));
}

void SumForm::restore(QSettings& settings) {
    const QByteArray saved = settings.value(QStringLiteral("sums")).toByteArray();
    if (saved.isEmpty()) return;
    try {
        apply(checked(ks::particles::analysis_info().parameters,
                      parameter_set_from(parse_json(saved.toStdString()))));
    } catch (const std::exception&) {
        settings.remove(QStringLiteral("sums"));  // of another version
    }
}

}  // namespace ks::ui::particles
