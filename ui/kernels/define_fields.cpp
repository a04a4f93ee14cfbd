#include "ui/kernels/define_fields.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/base/layouts.h"

namespace ks::ui {
namespace {

bool sameSpecs(const std::vector<DefineSpec>& a, const std::vector<DefineSpec>& b) {
    return std::ranges::equal(a, b, [](const DefineSpec& one, const DefineSpec& other) {
        return one.name == other.name && one.default_value == other.default_value &&
               one.allowed == other.allowed;
    });
}

}  // namespace

DefineFields::DefineFields(QWidget* parent) : QWidget(parent), row_(inColumns({}, 6)) {
    setLayout(row_);
    setAccessibleName(tr("Defines"));
    setWhatsThis(tr(
        "Definitions of the kernel, such as tile and group sizes. A value entered here is written into the "
        "header of the kernel; an empty field shows the value that the text sets or that is chosen for "
        "the device."));
}

void DefineFields::setDefines(const std::vector<DefineSpec>& specs,
                              const std::map<std::string, std::string>& values,
                              const std::map<std::string, std::string>& unsaid) {
    if (!sameSpecs(specs, specs_) || fields_.empty()) {
        while (QLayoutItem* item = row_->takeAt(0)) {
            if (item->widget()) {
                item->widget()->hide();
                item->widget()->deleteLater();
            }
            delete item;
        }
        fields_.clear();
        specs_ = specs;
        for (const DefineSpec& spec : specs_) {
            const QString name = QString::fromStdString(spec.name);
            auto* label = new QLabel(name);
            auto* field = named(
                new QComboBox, name,
                tr("%1 Default: %2")
                    .arg(QString::fromStdString(spec.help), QString::fromStdString(spec.default_value)));
            field->setObjectName(name);
            field->setEditable(true);
            field->setInsertPolicy(QComboBox::NoInsert);
            field->setMinimumContentsLength(5);
            field->setSizeAdjustPolicy(QComboBox::AdjustToContents);
            for (const std::string& value : spec.allowed) field->addItem(QString::fromStdString(value));
            label->setBuddy(field);
            row_->addWidget(label);
            row_->addWidget(field);
            fields_[spec.name] = field;
            const auto tell = [this, field, name] { emit edited(name, field->currentText().trimmed()); };
            connect(field->lineEdit(), &QLineEdit::editingFinished, this, tell);
            connect(field, &QComboBox::activated, this, tell);
        }
        row_->addStretch(1);
    }
    for (const auto& [name, field] : fields_) {
        const auto given = values.find(name);
        const QString text = given == values.end() ? QString() : QString::fromStdString(given->second);
        const auto otherwise = unsaid.find(name);
        const auto spec = std::ranges::find(specs_, name, &DefineSpec::name);
        field->lineEdit()->setPlaceholderText(
            QString::fromStdString(otherwise == unsaid.end() ? spec->default_value : otherwise->second));
        if (field->currentText() == text) continue;
        const QSignalBlocker quiet(field);
        field->setEditText(text);
    }
}

}  // namespace ks::ui
