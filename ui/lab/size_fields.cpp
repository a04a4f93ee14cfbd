#include "ui/lab/size_fields.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStringList>

#include "ui/base/form_parts.h"
#include "ui/shell/general/size_list.h"

namespace ks::ui::lab {
namespace {

QString defaultOf(const ParameterSpec& spec) {
    return QString::fromStdString(to_text(spec, spec.default_value));
}

QString tipOf(const ParameterSpec& spec) {
    QString tip = QString::fromStdString(spec.help);
    if (!spec.choices.empty()) {
        QStringList all;
        for (const std::string& one : spec.choices) all << QString::fromStdString(one);
        tip += QObject::tr("\nOne of %1.").arg(all.join(QStringLiteral(", ")));
    }
    return tip + (spec.type == ParameterType::text
                      ? QObject::tr("\nOne value, or several separated by semicolons.")
                      : QObject::tr("\nOne value, or several separated by commas."));
}

}  // namespace

SizeFields::~SizeFields() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

QLineEdit* SizeFields::makeField(const ParameterSpec& spec, const QString& text) {
    auto* field = new QLineEdit(text);
    field->setAccessibleName(QString::fromStdString(spec.label));
    field->setToolTip(tipOf(spec));
    field->setCursorPosition(0);
    connect(field, &QLineEdit::textChanged, this,
            [this, id = spec.id](const QString& now) { emit typed(id, now); });
    connect(field, &QLineEdit::returnPressed, this, &SizeFields::entered);
    return field;
}

void SizeFields::show(const std::vector<ParameterSpec>& specs, const std::map<std::string, QString>& typed) {
    specs_ = specs;
    fields_.clear();
    labels_.clear();
    delete layout();
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    QGridLayout* const grid = formGrid(this);
    grid->setVerticalSpacing(4);
    for (const ParameterSpec& spec : specs_) {
        const auto own = typed.find(spec.id);
        QLineEdit* const field = makeField(spec, own != typed.end() ? own->second : defaultOf(spec));
        auto* label = new QLabel(QString::fromStdString(spec.label));
        label->setBuddy(field);
        const int row = static_cast<int>(fields_.size());
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row, 1);
        fields_[spec.id] = field;
        labels_[spec.id] = label;
    }
}

void SizeFields::setIdle(const std::map<std::string, QString>& why) {
    for (const ParameterSpec& spec : specs_) {
        const auto idle = why.find(spec.id);
        QLineEdit* const field = fields_.at(spec.id);
        field->setToolTip(idleTip(tipOf(spec), idle == why.end() ? QString() : idle->second));
        field->setEnabled(idle == why.end());
        labels_.at(spec.id)->setEnabled(idle == why.end());
        labels_.at(spec.id)->setToolTip(idle == why.end() ? QString() : field->toolTip());
    }
}

SizeLists SizeFields::lists() const {
    SizeLists lists;
    for (const ParameterSpec& spec : specs_) {
        const QString typed = fields_.at(spec.id)->text().trimmed();
        if (fields_.at(spec.id)->isEnabled() && typed != defaultOf(spec))
            lists[spec.id] = sizesFrom(spec, typed);
    }
    return lists;
}

void SizeFields::set(const std::map<std::string, QString>& lists) {
    for (const auto& [id, list] : lists)
        if (const auto field = fields_.find(id); field != fields_.end()) field->second->setText(list);
}

}  // namespace ks::ui::lab
