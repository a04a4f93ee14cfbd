#include "ui/spots/threshold_form.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <utility>

#include "core/spots/parameters.h"
#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"
#include "ui/base/parameter_form.h"

namespace ks::ui::spots {

using ks::spots::Grouping;
using ks::spots::Intermediate;
using ks::spots::Thresholds;

namespace {

constexpr const char* needResolution[] = {"d_min", "d_max", "ice_width"};
/// Lower and upper ends of ranges.
constexpr std::pair<const char*, const char*> ranges[] = {{"min_size", "max_size"}, {"d_min", "d_max"}};

std::vector<ParameterSpec> ownSpecs() {
    std::vector<ParameterSpec> own;
    for (ParameterSpec& spec : ks::spots::analysis_info().parameters)
        if (!spec.section.empty()) own.push_back(std::move(spec));
    return own;
}

/// Edits the text "KX,KY" with two sliders.
ParameterForm::Sliders kernelSliders() {
    static constexpr double largest = Thresholds::largest_kernel;  // static: the lambda needs no capture
    const auto part = [](const char* id, const QString& label, const QString& help) {
        return ParameterSpec{.id = id,
                             .label = label.toStdString(),
                             .unit = "px",
                             .type = ParameterType::integer,
                             .default_value = {},
                             .minimum = 1,
                             .maximum = largest,
                             .help = help.toStdString(),
                             .slider = SliderHints{.reach = largest}};
    };
    return {{part("kernel_x", ThresholdForm::tr("Window x"),
                  ThresholdForm::tr("Half-width: pixels to the left and right within the window")),
             part("kernel_y", ThresholdForm::tr("Window y"),
                  ThresholdForm::tr("Half-width: pixels above and below within the window"))},
            [](const ParameterValue& value) {
                const ks::spots::KernelSize size = ks::spots::kernel_from(std::get<std::string>(value));
                return std::vector<double>{static_cast<double>(size.x), static_cast<double>(size.y)};
            },
            [](const std::vector<double>& halves) -> ParameterValue {
                return QStringLiteral("%1,%2").arg(halves.at(0)).arg(halves.at(1)).toStdString();
            }};
}

bool isKernel(const ParameterValue& value) {
    try {
        ks::spots::kernel_from(std::get<std::string>(value));
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

ThresholdForm::ThresholdForm(QWidget* parent) : QWidget(parent), form_(new ParameterForm(this)) {
    form_->setSpecs(ownSpecs(), {}, {{"kernel", kernelSliders()}});
    auto* defaults = new QPushButton(tr("Defaults"));
    named(defaults, tr("Default thresholds"), tr("Restore the default thresholds and spot conditions"));
    form_->headingRow(QStringLiteral("Thresholds"))->addWidget(defaults);
    note_ = new QLabel(tr("d needs wavelength, distance, pixel size and beam centre"));
    note_->setWordWrap(true);
    note_->setForegroundRole(QPalette::PlaceholderText);
    auto* all = inRows({makePicture(), form_, note_}, 8);
    all->insertSpacing(1, 8);
    setLayout(all);
    setResolutionKnown(false);
    setLive({});
    connect(defaults, &QPushButton::clicked, this, &ThresholdForm::reset);
    connect(form_, &ParameterForm::edited, this, [this](const QStringList& ids) {
        keepOrder(ids);
        if (steps_) steps_->edited(true);
        emit changed();
    });
}

QWidget* ThresholdForm::makePicture() {
    picture_ =
        named(new QComboBox, tr("Displayed image"),
              tr("Show the counts, or an intermediate image computed with the thresholds (keys 1 to 8)"));
    picture_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picture_->setMinimumContentsLength(12);
    for (const auto& info : ks::spots::intermediates()) {
        picture_->addItem(QString::fromUtf8(info.title), static_cast<int>(info.kind));
        picture_->setItemData(picture_->count() - 1, tr("Key %1").arg(picture_->count()), Qt::ToolTipRole);
    }
    connect(picture_, &QComboBox::currentIndexChanged, this, [this] { emit pictureChanged(); });
    live_ = named(new QLabel, tr("Live result"));
    live_->setWordWrap(true);
    live_->setMinimumHeight(live_->fontMetrics().height());
    return boxed(
        inRows({inColumns({heading(tr("Image"), picture_->toolTip()), {picture_, 1}}, 8), live_}, 8));
}

// The moved end pushes the other one; an unset end is no limit.
void ThresholdForm::keepOrder(const QStringList& edited) {
    const auto number = [this](const char* id) -> std::optional<double> {
        const ParameterValue& value = form_->values().at(id);
        if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
        return optional_real(form_->values(), id);
    };
    const QSignalBlocker quiet(form_);
    for (const auto& [low, high] : ranges) {
        const auto from = number(low), to = number(high);
        if (!from || !to || *from <= *to) continue;
        if (edited.contains(QLatin1String(high)))
            form_->setValue(QLatin1String(low), form_->values().at(high));
        else
            form_->setValue(QLatin1String(high), form_->values().at(low));
    }
}

void ThresholdForm::keepSteps(History& history) {
    steps_ = std::make_unique<ParameterSteps>(history, this, *form_,
                                              [this](const ParameterSet& values) { apply(values); });
}

QStringList ThresholdForm::parameters() {
    QStringList ids;
    for (const ParameterSpec& spec : ownSpecs()) ids << QString::fromStdString(spec.id);
    return ids;
}

void ThresholdForm::fill(ParameterSet& parameters) const {
    for (const auto& [id, value] : form_->values()) parameters[id] = value;
    if (!resolutionKnown_)
        for (const char* id : needResolution) parameters[id] = {};
}

const ParameterSet& ThresholdForm::values() const {
    return form_->values();
}

void ThresholdForm::apply(const ParameterSet& given) {
    ParameterSet fitting = given;
    if (const auto kernel = fitting.find("kernel"); kernel != fitting.end() && !isKernel(kernel->second))
        fitting.erase(kernel);
    {
        const QSignalBlocker quiet(form_);
        form_->setValues(fitting);
        keepOrder({});
    }
    if (steps_) steps_->settle();
    emit changed();
}

void ThresholdForm::reset() {
    {
        const QSignalBlocker quiet(form_);
        form_->reset();
    }
    if (steps_) steps_->edited(true);
    emit changed();
}

Thresholds ThresholdForm::thresholds() const {
    return ks::spots::thresholds_from(form_->values());
}

Grouping ThresholdForm::grouping() const {
    ParameterSet set;
    fill(set);
    return ks::spots::grouping_from(set);
}

std::optional<double> ThresholdForm::saturation() const {
    return optional_real(form_->values(), "saturation");
}

ValueSlider& ThresholdForm::value(const std::string& id) const {
    return *form_->slider(QString::fromStdString(id));
}

Intermediate ThresholdForm::picture() const {
    return static_cast<Intermediate>(picture_->currentData().toInt());
}

void ThresholdForm::setPicture(Intermediate picture) {
    picture_->setCurrentIndex(picture_->findData(static_cast<int>(picture)));
}

void ThresholdForm::setResolutionKnown(bool known) {
    resolutionKnown_ = known;
    for (const char* id : needResolution) form_->setFieldEnabled(QLatin1String(id), known);
    note_->setVisible(!known);
}

void ThresholdForm::setLive(const QString& text) {
    live_->setText(text);
}

QString ThresholdForm::live() const {
    return live_->text();
}

}  // namespace ks::ui::spots
