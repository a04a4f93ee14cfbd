#include "ui/particles/map_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <limits>

#include "ui/base/form_parts.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"

namespace ks::ui::particles {
namespace {

/// A limit is rounded to its decimals, and charges in coulomb have limits of 1e-19.
constexpr int mostDecimals =
    std::numeric_limits<double>::digits10 - std::numeric_limits<double>::min_exponent10;

}  // namespace

MapForm::MapForm(QWidget* parent)
    : QWidget(parent),
      map_(new QComboBox),
      spacing_(new QComboBox),
      lock_(new QCheckBox(tr("Lock"))),
      low_(new NumberBox(nullptr, 4, QStringLiteral("000000"))),
      high_(new NumberBox(nullptr, 4, QStringLiteral("000000"))),
      step_(new NumberBox(nullptr, 4, QStringLiteral("000000"))),
      count_(new WholeBox),
      refusal_(new QLabel) {
    describeFields();
    layOut();
    showSpacing();
    showRefusal();
    connect(this, &MapForm::changed, this, &MapForm::showRefusal);
    connect(map_, &QComboBox::currentTextChanged, this, [this](const QString& name) {
        chosen_ = name;
        emit changed();
    });
    connect(lock_, &QCheckBox::toggled, this, [this](bool on) {
        emit lockedChanged(on);
        emit changed();
    });
    for (QDoubleSpinBox* one : {low_, high_})
        connect(one, &QDoubleSpinBox::valueChanged, this, [this] {
            if (showing_) return;
            // Typed limits are meant to be kept.
            lock_->setChecked(true);
            emit changed();
        });
    connect(spacing_, &QComboBox::currentIndexChanged, this, [this] {
        showSpacing();
        emit changed();
    });
    connect(count_, &QSpinBox::valueChanged, this, &MapForm::changed);
    connect(step_, &QDoubleSpinBox::valueChanged, this, &MapForm::changed);
}

void MapForm::describeFields() {
    map_->addItems(ColourMap::names());
    map_->setObjectName(QStringLiteral("map"));
    chosen_ = map_->currentText();
    named(map_, tr("Colour map"), {});
    describeMap();
    map_->setWhatsThis(
        tr("Colour map for values that all have the same sign. Values of both signs, and angles, always use "
           "fixed colour maps."));
    lock_->setToolTip(tr("Keep the colour limits (L); otherwise they follow the values of all three planes"));
    low_->setObjectName(QStringLiteral("low"));
    high_->setObjectName(QStringLiteral("high"));
    named(low_, tr("Lower colour limit"), tr("Value of the lowest colour while the limits are locked"));
    named(high_, tr("Upper colour limit"), tr("Value of the highest colour while the limits are locked"));
    refusal_->setWordWrap(true);
    refusal_->setAccessibleName(tr("Why the colour limits cannot be used"));
    for (QDoubleSpinBox* one : {low_, high_, step_}) {
        one->setDecimals(mostDecimals);
        one->setButtonSymbols(QAbstractSpinBox::NoButtons);  // room for 1.234e-05
    }
    spacing_->addItems({tr("number"), tr("step")});
    named(spacing_, tr("Isoline spacing"), tr("Set the number of isolines or the step between them"));
    count_->setRange(1, static_cast<int>(maxLevels));
    count_->setValue(IsolineChoice{}.count);
    named(count_, tr("Number of isolines"), tr("Number of isolines, evenly spaced on the colour bar"));
    step_->setMinimum(0);
    step_->setValue(IsolineChoice{}.step);
    named(step_, tr("Isoline step"),
          tr("Draw isolines at multiples of this step, at most %1 of them").arg(maxLevels));
}

void MapForm::layOut() {
    auto* grid = formGrid(this);
    grid->addWidget(heading(tr("Maps"), tr("Colours of the planes")), 0, 0, 1, 3);
    grid->addWidget(new QLabel(tr("Colours")), 1, 0);
    grid->addWidget(map_, 1, 1, 1, 2);
    grid->addWidget(new QLabel(tr("Limits")), 2, 0);
    grid->addLayout(inColumns({{low_, 1}, new QLabel(tr("to")), {high_, 1}}, 4), 2, 1, 1, 2);
    grid->addWidget(lock_, 3, 1, 1, 2);
    grid->addWidget(refusal_, 4, 0, 1, 3);
    grid->addWidget(new QLabel(tr("Isolines")), 5, 0);
    grid->addLayout(inColumns({{spacing_, 1}, {count_, 1}, {step_, 1}}, 4), 5, 1, 1, 2);
}

void MapForm::showSpacing() {
    count_->setVisible(spacing_->currentIndex() == 0);
    step_->setVisible(spacing_->currentIndex() == 1);
}

QString MapForm::mapName() const {
    return chosen_;
}

void MapForm::setMapName(const QString& name) {
    if (map_->findText(name) < 0 || name == chosen_) return;
    chosen_ = name;
    describeMap();
    emit changed();
}

bool MapForm::locked() const {
    return lock_->isChecked();
}

std::optional<std::pair<double, double>> MapForm::limits() const {
    if (!locked() || !(low_->value() < high_->value())) return std::nullopt;
    return std::pair{low_->value(), high_->value()};
}

std::optional<std::pair<double, double>> MapForm::typedLimits() const {
    if (!locked()) return std::nullopt;
    return std::pair{low_->value(), high_->value()};
}

void MapForm::setTypedLimits(const std::optional<std::pair<double, double>>& limits) {
    if (limits) {
        const QSignalBlocker a(low_), b(high_);
        low_->setValue(limits->first);
        high_->setValue(limits->second);
    }
    lock_->setChecked(limits.has_value());
    emit changed();
}

void MapForm::showRefusal() {
    const bool used = !locked() || limits();
    refusal_->setText(used ? QString()
                           : tr("Not used: the lower limit must be below the upper limit, found %1 to %2")
                                 .arg(low_->text(), high_->text()));
    refusal_->setVisible(!used);
}

void MapForm::setDrawn(const MapColours* drawn) {
    const bool angles = drawn && drawn->angles;
    fixed_ = drawn && drawn->map.name() != ColourMap::named(chosen_).name() ? drawn->map.name() : QString();
    whyFixed_ = angles ? tr("angles have a cyclic colour map, from \u2212\u03c0 to \u03c0")
                       : tr("values of both signs have a diverging colour map, with white at 0");
    describeMap();
    for (QWidget* const field :
         {static_cast<QWidget*>(low_), static_cast<QWidget*>(high_), static_cast<QWidget*>(lock_)})
        field->setEnabled(!angles);
}

void MapForm::describeMap() {
    const QSignalBlocker quiet(map_);
    map_->setEnabled(fixed_.isEmpty());
    map_->setPlaceholderText(fixed_);
    map_->setCurrentIndex(fixed_.isEmpty() ? map_->findText(chosen_) : -1);
    const QString help = tr("Colour map for values that all have the same sign");
    map_->setToolTip(fixed_.isEmpty() ? help : tr("%1\nNot used: %2").arg(help, whyFixed_));
}

void MapForm::showLimits(double low, double high) {
    if (locked()) return;
    showing_ = true;
    low_->setValue(low);
    high_->setValue(high);
    showing_ = false;
}

void MapForm::setLocked(bool locked) {
    lock_->setChecked(locked);
}

IsolineChoice MapForm::isolines() const {
    return {visible_, spacing_->currentIndex() == 1, count_->value(), step_->value()};
}

void MapForm::setIsolines(const IsolineChoice& choice) {
    {
        const QSignalBlocker a(spacing_), b(count_), c(step_);
        visible_ = choice.visible;
        spacing_->setCurrentIndex(choice.byStep ? 1 : 0);
        count_->setValue(choice.count);
        step_->setValue(choice.step);
        showSpacing();
    }
    emit changed();
}

void MapForm::setIsolinesVisible(bool visible) {
    if (visible == visible_) return;
    visible_ = visible;
    emit changed();
}

nlohmann::json MapForm::settings() const {
    return {{"colourMap", mapName().toStdString()},
            {"isolinesByStep", spacing_->currentIndex()},
            {"isolineCount", count_->value()},
            {"isolineStep", step_->value()}};
}

void MapForm::setSettings(const nlohmann::json& kept) {
    setMapName(jsonText(kept, "colourMap", mapName()));
    IsolineChoice choice = isolines();
    choice.byStep = jsonInteger(kept, "isolinesByStep") == 1;
    choice.count = jsonInteger(kept, "isolineCount", choice.count);
    choice.step = jsonNumber(kept, "isolineStep", choice.step);
    setIsolines(choice);
}

}  // namespace ks::ui::particles
