#include "ui/shell/parameter_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "ui/plots/palette.h"

namespace ks::ui {
namespace {

/// A spin box for reals of any size: shows as few digits as tell the value.
class RealBox : public QDoubleSpinBox {
  public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override { return formatNumber(value, 6); }
};

/// Units as people write them.
QString unitText(const std::string& unit) {
    if (unit == "angstrom") return QStringLiteral("\u00c5");
    if (unit == "um") return QStringLiteral("\u00b5m");
    return QString::fromStdString(unit);
}

/// Below every value of the spec: where a field shows the word for an absent one.
double absentPosition(const ParameterSpec& spec) {
    const double minimum = spec.minimum.value_or(-1e300);
    return spec.type == ParameterType::integer ? minimum - 1 : minimum - std::max(1e-12, std::abs(minimum) * 1e-9);
}

int asInt(const std::optional<double>& limit, int otherwise) {
    if (!limit) return otherwise;
    const double most = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(*limit, -most, most));
}

}  // namespace

ParameterForm::ParameterForm(QWidget* parent) : QWidget(parent), layout_(new QFormLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setHorizontalSpacing(8);
    layout_->setVerticalSpacing(8);
    layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    layout_->setRowWrapPolicy(QFormLayout::WrapLongRows);
}

void ParameterForm::setSpecs(std::vector<ParameterSpec> specs, const QSet<QString>& hidden) {
    while (layout_->rowCount() > 0) layout_->removeRow(0);
    fields_.clear();
    const ParameterSet before = std::move(values_);
    specs_ = std::move(specs);
    values_ = defaults(specs_);
    for (const ParameterSpec& spec : specs_) {
        const QString id = QString::fromStdString(spec.id);
        if (hidden.contains(id)) continue;
        QWidget* field = makeField(spec);
        field->setObjectName(id);
        field->setAccessibleName(QString::fromStdString(spec.label));
        field->setToolTip(QString::fromStdString(spec.help));
        fields_.insert(id, field);
        if (qobject_cast<QCheckBox*>(field))
            layout_->addRow(field);
        else
            layout_->addRow(QString::fromStdString(spec.label), field);
        if (QWidget* label = layout_->labelForField(field)) label->setToolTip(field->toolTip());
    }
    setValues(before);
}

QWidget* ParameterForm::makeField(const ParameterSpec& spec) {
    const std::string id = spec.id;
    const QString suffix = spec.unit.empty() ? QString() : ' ' + unitText(spec.unit);
    switch (spec.type) {
        case ParameterType::boolean: {
            auto* box = new QCheckBox(QString::fromStdString(spec.label), this);
            connect(box, &QCheckBox::toggled, this, [=, this](bool on) { take(id, on); });
            return box;
        }
        case ParameterType::integer: {
            auto* box = new QSpinBox(this);
            const int minimum = asInt(spec.minimum, std::numeric_limits<int>::min() + 1);
            box->setRange(spec.absent ? minimum - 1 : minimum,
                          asInt(spec.maximum, std::numeric_limits<int>::max()));
            box->setSuffix(suffix);
            if (spec.absent) box->setSpecialValueText(QString::fromStdString(*spec.absent));
            connect(box, &QSpinBox::valueChanged, this, [=, this, absent = spec.absent.has_value()](int value) {
                take(id, absent && value < minimum ? ParameterValue() : std::int64_t{value});
            });
            return box;
        }
        case ParameterType::real: {
            auto* box = new RealBox(this);
            box->setDecimals(12);
            const double minimum = spec.minimum.value_or(-1e300);
            box->setRange(spec.absent ? absentPosition(spec) : minimum, spec.maximum.value_or(1e300));
            box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
            box->setSuffix(suffix);
            if (spec.absent) box->setSpecialValueText(QString::fromStdString(*spec.absent));
            connect(box, &QDoubleSpinBox::valueChanged, this,
                    [=, this, absent = spec.absent.has_value()](double value) {
                        take(id, absent && value < minimum ? ParameterValue() : value);
                    });
            return box;
        }
        case ParameterType::choice: {
            auto* box = new QComboBox(this);
            for (const std::string& choice : spec.choices) box->addItem(QString::fromStdString(choice));
            connect(box, &QComboBox::currentTextChanged, this,
                    [=, this](const QString& text) { take(id, text.toStdString()); });
            return box;
        }
        case ParameterType::text:
            break;
    }
    auto* line = new QLineEdit(this);
    line->setClearButtonEnabled(true);
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
    QWidget* field = fields_.value(QString::fromStdString(spec.id));
    const ParameterValue& value = values_.at(spec.id);
    showing_ = true;
    if (auto* check = qobject_cast<QCheckBox*>(field))
        check->setChecked(std::get<bool>(value));
    else if (auto* spin = qobject_cast<QSpinBox*>(field))
        spin->setValue(is_absent(value) ? spin->minimum() : static_cast<int>(std::get<std::int64_t>(value)));
    else if (auto* realBox = qobject_cast<QDoubleSpinBox*>(field))
        realBox->setValue(is_absent(value) ? realBox->minimum() : std::get<double>(value));
    else if (auto* combo = qobject_cast<QComboBox*>(field))
        combo->setCurrentText(QString::fromStdString(std::get<std::string>(value)));
    else if (auto* line = qobject_cast<QLineEdit*>(field))
        line->setText(QString::fromStdString(std::get<std::string>(value)));
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

void ParameterForm::setValue(const QString& id, const ParameterValue& value) {
    setValues({{id.toStdString(), value}});
}

void ParameterForm::reset() {
    setValues(defaults(specs_));
}

}  // namespace ks::ui
