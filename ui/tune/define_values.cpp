#include "ui/tune/define_values.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStringList>
#include <algorithm>

#include "ui/base/form_parts.h"
#include "ui/base/input/number_text.h"
#include "ui/base/layouts.h"

namespace ks::ui::tune {
namespace {

constexpr int valuesWidth = 205;  ///< next to the names, in a form of the usual width

QString helpOf(const DefineSpec& define) {
    return QObject::tr("%1\nDefault: %2")
        .arg(QString::fromStdString(define.help), QString::fromStdString(define.default_value));
}

QStringList partsOf(const QString& list) {
    QStringList parts;
    for (const QString& one : list.split(QLatin1Char(','), Qt::SkipEmptyParts)) parts << one.trimmed();
    return parts;
}

}  // namespace

DefineValues::DefineValues(QWidget* parent) : QWidget(parent) {}

void DefineValues::setVariant(const Variant& variant, const Values& off, const Values& typed) {
    nlohmann::json defines = nlohmann::json::array();
    for (const DefineSpec& define : variant.defines) defines.push_back(to_json(define));
    // A value that is being typed stays.
    if (grid_ && defines == defines_ && off == this->off() && typed == this->typed()) return;
    defines_ = std::move(defines);
    delete grid_;
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    ticks_.clear();
    lines_.clear();
    grid_ = formGrid(this);
    grid_->setVerticalSpacing(6);
    const auto of = [](const Values& values, const std::string& name) {
        const auto found = values.find(name);
        return found == values.end() ? std::vector<std::string>() : found->second;
    };
    for (const DefineSpec& define : variant.defines) {
        if (define.allowed.empty())
            addLine(define, of(typed, define.name));
        else
            addTicks(define, of(off, define.name));
    }
}

void DefineValues::addTicks(const DefineSpec& define, const std::vector<std::string>& off) {
    auto* label = new QLabel(QString::fromStdString(define.name));
    label->setToolTip(helpOf(define));
    label->setContentsMargins(0, 4, 0, 0);  // on the line of the first boxes
    auto* values = new QWidget;
    auto* places = new QGridLayout(values);
    places->setContentsMargins(0, 0, 0, 0);
    places->setHorizontalSpacing(6);
    places->setVerticalSpacing(2);
    Ticks ticks{define.name, {}};
    int widest = 1;
    for (const std::string& value : define.allowed) {
        auto* box = new QCheckBox(QString::fromStdString(value));
        const bool usual = value == define.default_value;
        named(box, QStringLiteral("%1=%2").arg(label->text(), box->text()),
              usual ? tr("%1 (this value)").arg(helpOf(define)) : helpOf(define));
        box->setChecked(std::ranges::find(off, value) == off.end());
        connect(box, &QCheckBox::toggled, this, &DefineValues::changed);
        widest = std::max(widest, box->sizeHint().width());
        ticks.boxes.push_back(box);
    }
    const int columns = std::clamp(valuesWidth / (widest + 6), 1, 6);
    for (std::size_t i = 0; i < ticks.boxes.size(); ++i)
        places->addWidget(ticks.boxes[i], static_cast<int>(i) / columns, static_cast<int>(i) % columns);
    places->setColumnStretch(columns, 1);
    const int row = grid_->rowCount();
    grid_->addWidget(label, row, 0, Qt::AlignTop);
    grid_->addWidget(values, row, 1);
    ticks_.push_back(std::move(ticks));
}

void DefineValues::addLine(const DefineSpec& define, const std::vector<std::string>& typed) {
    auto* label = new QLabel(QString::fromStdString(define.name));
    auto* line = new QLineEdit;
    QStringList values;
    for (const std::string& one : typed) values << QString::fromStdString(one);
    line->setText(values.join(QStringLiteral(", ")));
    line->setPlaceholderText(tr("default, or 1, 2, 4 ..."));
    line->setAccessibleName(label->text());
    label->setBuddy(line);
    for (QWidget* one : {static_cast<QWidget*>(label), static_cast<QWidget*>(line)})
        one->setToolTip(helpOf(define) +
                        tr("\nAny number is allowed: enter the values to try, separated by commas"));
    connect(line, &QLineEdit::textChanged, this, &DefineValues::changed);
    const int row = grid_->rowCount();
    grid_->addWidget(label, row, 0);
    grid_->addWidget(line, row, 1);
    lines_[define.name] = line;
}

DefineValues::Values DefineValues::space() const {
    Values space = typed();
    for (const Ticks& ticks : ticks_)
        for (const QCheckBox* box : ticks.boxes)
            if (box->isChecked()) space[ticks.define].push_back(box->text().toStdString());
    return space;
}

DefineValues::Values DefineValues::off() const {
    Values off;
    for (const Ticks& ticks : ticks_)
        for (const QCheckBox* box : ticks.boxes)
            if (!box->isChecked()) off[ticks.define].push_back(box->text().toStdString());
    return off;
}

DefineValues::Values DefineValues::typed() const {
    Values typed;
    for (const auto& [name, line] : lines_)
        for (const QString& one : partsOf(line->text()))
            typed[name].push_back(wholeNumberDigits(one).toStdString());
    return typed;
}

QString DefineValues::without() const {
    for (const Ticks& ticks : ticks_)
        if (std::ranges::none_of(ticks.boxes, &QCheckBox::isChecked))
            return QString::fromStdString(ticks.define);
    return {};
}

}  // namespace ks::ui::tune
