#include "ui/base/parameter_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLineEdit>
#include <QSlider>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "core/base/error.h"
#include "core/input/same_parameter.h"
#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/base/value_slider.h"

namespace ks::ui {
namespace {

/// Below all values of the spec: a field shows the word for an absent value there.
double absentPosition(const ParameterSpec& spec) {
    const double minimum = spec.minimum.value_or(-unboundedNumber);
    return spec.type == ParameterType::integer ? minimum - 1
                                               : minimum - std::max(1e-12, std::abs(minimum) * 1e-9);
}

double asNumber(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::get<double>(value);
}

/// Headings in the order of the specs; those without a heading come first.
std::vector<std::string> sectionsOf(const std::vector<ParameterSpec>& specs) {
    std::vector<std::string> sections{{}};
    for (const ParameterSpec& spec : specs)
        if (std::ranges::find(sections, spec.section) == sections.end()) sections.push_back(spec.section);
    return sections;
}

}  // namespace

ParameterForm::ParameterForm(QWidget* parent) : QWidget(parent), layout_(new QFormLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setHorizontalSpacing(8);
    layout_->setVerticalSpacing(8);
    layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    layout_->setRowWrapPolicy(QFormLayout::WrapLongRows);
}

void ParameterForm::clear() {
    while (layout_->rowCount() > 0) layout_->removeRow(0);
    qDeleteAll(sliders_);
    sliders_.clear();
    fields_.clear();
    headings_.clear();
}

void ParameterForm::setSpecs(std::vector<ParameterSpec> specs, const QSet<QString>& hidden,
                             const std::map<std::string, Sliders>& split) {
    clear();
    const ParameterSet before = std::move(values_);
    specs_ = std::move(specs);
    split_ = split;
    values_ = defaults(specs_);
    for (const std::string& section : sectionsOf(specs_)) {
        std::vector<const ParameterSpec*> shown;
        for (const ParameterSpec& spec : specs_)
            if (spec.section == section && !hidden.contains(QString::fromStdString(spec.id)))
                shown.push_back(&spec);
        if (shown.empty()) continue;
        if (!section.empty()) addHeading(section);
        for (const ParameterSpec* spec : shown) {
            const auto parts = split_.find(spec->id);
            if (parts != split_.end())
                addSliders(*spec, parts->second);
            else
                addRow(*spec);
        }
    }
    alignSliders();
    setValues(before);
}

void ParameterForm::addHeading(const std::string& section) {
    const QString text = QString::fromStdString(section);
    auto* row =
        inColumns({{heading(text, tr("Parameters that belong together; each has its own explanation")), 1}},
                  8, {0, layout_->rowCount() > 0 ? 8 : 0, 0, 0});
    layout_->addRow(boxed(row));
    headings_.insert(text, row);
}

void ParameterForm::addRow(const ParameterSpec& spec) {
    const QString id = QString::fromStdString(spec.id), label = QString::fromStdString(spec.label);
    if (spec.slider && !spec.absent) {
        ValueSlider* slider = addSlider(spec);
        fields_.insert(id, slider->field());
        connect(slider, &ValueSlider::changed, this,
                [this, slider, id = spec.id] { take(id, slider->parameterValue()); });
        return;
    }
    QWidget* field = makeField(spec);
    field->setObjectName(id);
    named(field, label, QString::fromStdString(spec.help));
    fields_.insert(id, field);
    if (qobject_cast<QCheckBox*>(field))
        layout_->addRow(field);
    else
        layout_->addRow(label, field);
    if (QWidget* shown = layout_->labelForField(field)) shown->setToolTip(field->toolTip());
}

ValueSlider* ParameterForm::addSlider(const ParameterSpec& spec) {
    // The label goes above: next to it, a slider in a dock would be too short to use.
    auto* both = new QWidget(this);
    auto* slider = new ValueSlider(spec, both);
    auto* grid = new QGridLayout(both);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(0);
    grid->addWidget(slider->label(), 0, 0, 1, 2);
    grid->addWidget(slider->slider(), 1, 0);
    grid->addWidget(slider->field(), 1, 1);
    grid->setColumnStretch(0, 1);
    layout_->addRow(both);
    slider->setParent(this);
    sliders_.insert(QString::fromStdString(spec.id), slider);
    return slider;
}

void ParameterForm::addSliders(const ParameterSpec& spec, const Sliders& split) {
    for (const ParameterSpec& part : split.parts)
        connect(addSlider(part), &ValueSlider::changed, this, [this, id = spec.id] {
            const Sliders& all = split_.at(id);
            std::vector<double> numbers;
            for (const ParameterSpec& one : all.parts)
                numbers.push_back(slider(QString::fromStdString(one.id))->value());
            take(id, all.join(numbers));
        });
}

/// The fields next to sliders are aligned.
void ParameterForm::alignSliders() {
    int width = 0;
    for (const ValueSlider* one : sliders_) width = std::max(width, one->field()->sizeHint().width());
    for (const ValueSlider* one : sliders_) one->field()->setFixedWidth(width);
}

QWidget* ParameterForm::numberField(const ParameterSpec& spec) {
    const bool whole = spec.type == ParameterType::integer;
    auto* box = new NumberBox(this, 6);
    const double minimum = spec.minimum.value_or(-unboundedNumber);
    box->setDecimals(whole ? 0 : 12);
    box->setRange(spec.absent ? absentPosition(spec) : minimum, spec.maximum.value_or(unboundedNumber));
    box->setSmallest(minimum);
    if (whole) box->setStepType(QAbstractSpinBox::DefaultStepType);
    box->setUnit(spec.unit);
    if (spec.absent) box->setSpecialValueText(QString::fromStdString(*spec.absent));
    connect(box, &QDoubleSpinBox::valueChanged, this,
            [=, this, id = spec.id, absent = spec.absent.has_value()](double value) {
                if (absent && value < minimum)
                    take(id, {});
                else if (whole)
                    take(id, static_cast<std::int64_t>(std::llround(value)));
                else
                    take(id, value);
            });
    return box;
}

void ParameterForm::setAbsentText(const QString& id, const QString& text) {
    auto* box = qobject_cast<QDoubleSpinBox*>(fields_.value(id));
    const auto spec = std::ranges::find(specs_, id.toStdString(), &ParameterSpec::id);
    if (!box || spec == specs_.end() || !spec->absent) return;
    const QString shown = text.isEmpty() ? QString::fromStdString(*spec->absent) : text;
    if (box->specialValueText() != shown) box->setSpecialValueText(shown);
}

QWidget* ParameterForm::makeField(const ParameterSpec& spec) {
    const std::string id = spec.id;
    switch (spec.type) {
        case ParameterType::boolean: {
            auto* box = new QCheckBox(QString::fromStdString(spec.label), this);
            connect(box, &QCheckBox::toggled, this, [=, this](bool on) { take(id, on); });
            return box;
        }
        case ParameterType::integer:
        case ParameterType::real:
            return numberField(spec);
        case ParameterType::choice: {
            auto* box = new QComboBox(this);
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            box->setMinimumContentsLength(8);
            for (std::size_t i = 0; i < spec.choices.size(); ++i) {
                const std::string& label =
                    i < spec.choice_labels.size() ? spec.choice_labels[i] : spec.choices[i];
                box->addItem(QString::fromStdString(label), QString::fromStdString(spec.choices[i]));
            }
            connect(box, &QComboBox::currentIndexChanged, this,
                    [=, this] { take(id, box->currentData().toString().toStdString()); });
            return box;
        }
        case ParameterType::text:
            break;
    }
    auto* line = new QLineEdit(this);
    line->setClearButtonEnabled(true);
    // An empty list is what the default is in words: "none".
    if (io::same_parameter(spec, std::string(), spec.default_value))
        line->setPlaceholderText(QString::fromStdString(std::get<std::string>(spec.default_value)));
    connect(line, &QLineEdit::textChanged, this,
            [=, this](const QString& text) { take(id, text.toStdString()); });
    return line;
}

void ParameterForm::take(const std::string& id, ParameterValue value) {
    if (showing_) return;
    values_[id] = std::move(value);
    emit changed();
    emit edited({QString::fromStdString(id)});
}

void ParameterForm::showValue(const ParameterSpec& spec) {
    const QString id = QString::fromStdString(spec.id);
    QWidget* field = fields_.value(id);
    const ParameterValue& value = values_.at(spec.id);
    showing_ = true;
    if (const auto parts = split_.find(spec.id); parts != split_.end()) {
        const std::vector<double> numbers = parts->second.split(value);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            sliders_.value(QString::fromStdString(parts->second.parts[i].id))->setValue(numbers[i]);
    } else if (ValueSlider* slider = sliders_.value(id)) {
        slider->setValue(asNumber(value));
    } else if (auto* check = qobject_cast<QCheckBox*>(field)) {
        check->setChecked(std::get<bool>(value));
    } else if (auto* box = qobject_cast<QDoubleSpinBox*>(field)) {
        box->setValue(is_absent(value) ? box->minimum() : asNumber(value));
    } else if (auto* combo = qobject_cast<QComboBox*>(field)) {
        combo->setCurrentIndex(combo->findData(QString::fromStdString(std::get<std::string>(value))));
    } else if (auto* line = qobject_cast<QLineEdit*>(field)) {
        line->setText(QString::fromStdString(std::get<std::string>(value)));
    }
    showing_ = false;
}

void ParameterForm::setValues(const ParameterSet& values) {
    const ParameterSet before = values_;
    QStringList other;
    for (const ParameterSpec& spec : specs_) {
        const auto given = values.find(spec.id);
        if (given != values.end()) {
            try {
                values_[spec.id] = checked({spec}, {{spec.id, given->second}}).at(spec.id);
            } catch (const Error&) {
                values_[spec.id] = spec.default_value;
            }
        }
        showValue(spec);
        if (values_.at(spec.id) != before.at(spec.id)) other << QString::fromStdString(spec.id);
    }
    emit changed();
    if (!other.isEmpty()) emit edited(other);
}

void ParameterForm::setFieldEnabled(const QString& id, bool enabled) {
    if (ValueSlider* slider = sliders_.value(id)) return slider->setEnabled(enabled);
    QWidget* field = fields_.value(id);
    if (!field) return;
    field->setEnabled(enabled);
    if (QWidget* label = layout_->labelForField(field)) label->setEnabled(enabled);
}

void ParameterForm::setIdle(const QString& id, const QString& why, const QString& usedBy) {
    const auto spec = std::ranges::find(specs_, id.toStdString(), &ParameterSpec::id);
    QWidget* const field = fields_.value(id);
    if (spec == specs_.end() || !field) return;
    setFieldEnabled(id, why.isEmpty() || !usedBy.isEmpty());
    const QString help = QString::fromStdString(spec->help);
    const QString tip = why.isEmpty() && usedBy.isEmpty() ? help
                        : why.isEmpty()                   ? tr("%1\n%2 uses it, too.").arg(help, usedBy)
                        : usedBy.isEmpty()
                            ? tr("%1\nNot used: %2").arg(help, why)
                            : tr("%1\nUsed by %2. Not used by the next run: %3").arg(help, usedBy, why);
    if (field->toolTip() == tip) return;
    field->setToolTip(tip);
    if (QWidget* label = layout_->labelForField(field)) label->setToolTip(tip);
}

ParameterSteps::Name parameterChange(const std::vector<ParameterSpec>& specs, const ParameterSet& before,
                                     const ParameterSet& now) {
    QStringList labels, ids;
    for (const ParameterSpec& spec : specs) {
        const auto was = before.find(spec.id), is = now.find(spec.id);
        if (was == before.end() || is == now.end() || was->second == is->second) continue;
        labels << QString::fromStdString(spec.label);
        ids << QString::fromStdString(spec.id);
    }
    const QString text =
        labels.size() == 1 ? labels.front() : QObject::tr("%1 parameters").arg(labels.size());
    return {text, ids.join(QLatin1Char(' '))};
}

ParameterSteps::ParameterSteps(History& history, QObject* part, const ParameterForm& form,
                               std::function<void(const ParameterSet&)> apply)
    : Undoable(
          history, part, [&form] { return form.values(); }, std::move(apply),
          [&form](const ParameterSet& before, const ParameterSet& now) {
              return parameterChange(form.specs(), before, now);
          }) {}

}  // namespace ks::ui
