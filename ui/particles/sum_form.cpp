#include "ui/particles/sum_form.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "core/particles/parameters.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/base/parameter_form.h"
#include "ui/base/round_number.h"
#include "ui/particles/source_set.h"

namespace ks::ui::particles {
namespace {

/// Parameter ids of the plane positions, in the order of Plane.
constexpr const char* offsetIds[] = {"xy_at", "xz_at", "yz_at"};

const char* idOf(Plane plane) {
    return offsetIds[static_cast<std::size_t>(plane)];
}

/// The maps always show planes; at first they pass through the middle of the unit box.
std::vector<ParameterSpec> ownSpecs() {
    std::vector<ParameterSpec> own;
    for (ParameterSpec& spec : ks::particles::analysis_info().parameters) {
        if (spec.section.empty()) continue;
        if (spec.id == "planes") {
            spec.absent.reset();
            spec.default_value = static_cast<std::int64_t>(ks::particles::usual_side);
        }
        if (std::ranges::find(offsetIds, spec.id) != std::end(offsetIds)) spec.default_value = 0.5;
        own.push_back(std::move(spec));
    }
    return own;
}

const ParameterSpec& specOf(const ParameterForm& form, const std::string& id) {
    return *std::ranges::find(form.specs(), id, &ParameterSpec::id);
}

/// Rounded to a thousandth of a length.
double rounded(double value, double length) {
    const double unit = std::pow(10.0, std::floor(std::log10(length / 1000)));
    return std::round(value / unit) * unit;
}

}  // namespace

SumForm::SumForm(QWidget* parent)
    : QWidget(parent),
      form_(new ParameterForm(this)),
      live_(new QLabel),
      refusal_(new QLabel),
      fit_(new QPushButton(tr("Fit to sources"))) {
    live_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    live_->setAccessibleName(tr("Live result"));
    live_->setWordWrap(true);
    live_->setMinimumHeight(2 * live_->fontMetrics().lineSpacing());  // the content below must not jump
    fit_->setToolTip(
        tr("Place the planes through the middle of the box around the sources, and make them as wide as the "
           "box"));
    form_->setSpecs(ownSpecs(), {QStringLiteral("grid")});
    form_->headingRow(QStringLiteral("Planes"))->addWidget(fit_);
    for (const char* id : offsetIds) {
        QWidget* field = form_->field(QLatin1String(id));
        field->setToolTip(
            tr("%1. You can also drag the line of this plane on the other maps.").arg(field->toolTip()));
    }
    refusal_->setWordWrap(true);
    refusal_->setAccessibleName(tr("Why the planes cannot be used"));
    setLayout(inRows({live_, form_, refusal_}, 8));
    reset();
    connect(form_, &ParameterForm::edited, this, &SumForm::edited);
    connect(fit_, &QPushButton::clicked, this, &SumForm::fitRequested);
}

ValueSlider& SumForm::sigma() const {
    return *form_->slider(QStringLiteral("sigma"));
}

ValueSlider& SumForm::wavenumber() const {
    return *form_->slider(QStringLiteral("wavenumber"));
}

NumberBox& SumForm::side() const {
    return *static_cast<NumberBox*>(form_->field(QStringLiteral("planes")));
}

NumberBox& SumForm::offset(Plane plane) const {
    return *static_cast<NumberBox*>(form_->field(QLatin1String(idOf(plane))));
}

double SumForm::number(const char* id) const {
    return real(form_->values(), id);
}

QStringList SumForm::parameters() {
    QStringList ids;
    for (const ParameterSpec& spec : ownSpecs()) ids << QString::fromStdString(spec.id);
    return ids;
}

void SumForm::fill(ParameterSet& parameters) const {
    for (const auto& [id, value] : form_->values()) parameters[id] = value;
    parameters["grid"] = {};  // a cube has no maps here
}

void SumForm::apply(const ParameterSet& given) {
    const auto isGiven = [&](const ParameterSpec& spec) { return given.contains(spec.id); };
    if (std::ranges::none_of(form_->specs(), isGiven)) return;
    {
        const QSignalBlocker quiet(form_);
        form_->setValues(given);
        setPlanes(planes());
    }
    settle();
    edited();
}

QString SumForm::kernel() const {
    return QString::fromStdString(text(form_->values(), "kernel"));
}

void SumForm::setKernel(const QString& kernel) {
    form_->setValue(QStringLiteral("kernel"), kernel.toStdString());
}

ks::particles::PlaneGrid SumForm::planes() const {
    return ks::particles::planes_from(form_->values());
}

void SumForm::setPlanes(const ks::particles::PlaneGrid& planes) {
    const QSignalBlocker quiet(form_);
    ParameterSet set{{"planes", static_cast<std::int64_t>(planes.side)}};
    const auto put = [&](const char* id, double value) {
        const ParameterSpec& spec = specOf(*form_, id);
        set[id] = std::clamp(value, *spec.minimum, *spec.maximum);
    };
    put("plane_low", planes.low);
    put("plane_high", planes.high);
    put("xy_at", planes.z_of_xy);
    put("xz_at", planes.y_of_xz);
    put("yz_at", planes.x_of_yz);
    form_->setValues(set);
    for (const Plane plane : allPlanes) {
        offset(plane).setStepType(QAbstractSpinBox::DefaultStepType);
        offset(plane).setSingleStep(std::abs(planes.high - planes.low) / 100);
    }
}

void SumForm::setOffset(Plane plane, double at) {
    form_->setValue(QLatin1String(idOf(plane)), at);
}

double SumForm::range() const {
    return kernel() == QLatin1String("rbf") ? number("sigma")
                                            : std::abs(number("plane_high") - number("plane_low")) / 10;
}

void SumForm::setSources(const SourceSet* sources) {
    const double length = sources ? roundUp(sources->extent()) : 1;
    const SliderHints widths = *specOf(*form_, "sigma").slider, waves = *specOf(*form_, "wavenumber").slider;
    sigma().setReach(widths.step * length, widths.reach * length);
    wavenumber().setReach(waves.step / length, waves.reach / length);
    fit_->setEnabled(sources != nullptr);
}

ks::particles::PlaneGrid SumForm::around(const SourceSet& sources, std::size_t side) {
    ks::particles::PlaneGrid grid;
    grid.side = side;
    grid.low = std::min({sources.low(0), sources.low(1), sources.low(2)});
    grid.high = std::max({sources.high(0), sources.high(1), sources.high(2)});
    // A unit box stays a unit box: its sources need not reach its sides.
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
    const SliderHints widths = *specOf(*form_, "sigma").slider, waves = *specOf(*form_, "wavenumber").slider;
    const QSignalBlocker quiet(form_);
    if (const double sigma = number("sigma"); sigma < widths.step * length || sigma > widths.reach * length)
        form_->setValue(QStringLiteral("sigma"), length / 10);
    if (std::abs(number("wavenumber")) > waves.reach / length)
        form_->setValue(QStringLiteral("wavenumber"), 10 / length);
}

void SumForm::setLive(const QString& text) {
    live_->setText(text);
}

QString SumForm::live() const {
    return live_->text();
}

void SumForm::keepSteps(History& history) {
    steps_ = std::make_unique<ParameterSteps>(history, this, *form_,
                                              [this](const ParameterSet& values) { apply(values); });
}

void SumForm::noteStep() {
    if (steps_) steps_->edited(true);
}

void SumForm::settle() {
    if (steps_) steps_->settle();
}

void SumForm::edited() {
    showKernel();
    showPlanes();
    noteStep();
    emit changed();
}

void SumForm::showKernel() {
    form_->setFieldEnabled(QStringLiteral("sigma"), kernel() == QLatin1String("rbf"));
    form_->setFieldEnabled(QStringLiteral("wavenumber"), kernel() == QLatin1String("helmholtz"));
}

QString SumForm::whyNoPlanes() const {
    const ks::particles::PlaneGrid grid = planes();
    if (grid.low < grid.high) return {};
    return tr("the lower end of the planes must be below the upper end, found %1 to %2")
        .arg(grid.low)
        .arg(grid.high);
}

void SumForm::showPlanes() {
    const QString why = whyNoPlanes();
    refusal_->setText(why.isEmpty() ? QString() : tr("Cannot run: %1").arg(why));
    refusal_->setVisible(!why.isEmpty());
}

ParameterSet SumForm::plain() const {
    return defaults(form_->specs());
}

void SumForm::reset() {
    {
        const QSignalBlocker quiet(form_);
        form_->reset();
        setPlanes(planes());
    }
    edited();
}

}  // namespace ks::ui::particles
