#include "ui/kernels/kernel_head.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>

#include "core/kernels/resolved_source.h"
#include "core/run/user/define_words.h"
#include "core/run/user/shown_variant.h"
#include "core/run/user/text_defines.h"
#include "core/run/user/user_variant.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/layouts.h"

namespace ks::ui {
namespace {

bool sameSpecs(const std::vector<DefineSpec>& a, const std::vector<DefineSpec>& b) {
    return std::ranges::equal(a, b, [](const DefineSpec& one, const DefineSpec& other) {
        return one.name == other.name && one.default_value == other.default_value &&
               one.allowed == other.allowed && one.program_file == other.program_file;
    });
}

/// The help of most definitions is a phrase: "work-items per compute unit".
QString asSentence(const std::string& help) {
    const QString text = capitalised(QString::fromStdString(help));
    return text.isEmpty() || text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}

}  // namespace

DefineFields::DefineFields(QWidget* parent) : QWidget(parent), row_(inColumns({}, 6)) {
    setLayout(row_);
    setAccessibleName(tr("Defines"));
    setWhatsThis(tr(
        "Definitions of the kernel, such as tile and group sizes. A value entered here is written into "
        "the header of the kernel. An empty field shows in grey the value that the kernel's source sets or, "
        "if the source sets none, the value with which the newest run was compiled. A value that the launch "
        "chooses is shown as \"auto\" until the kernel has run, or always if only the launch uses it."));
}

void DefineFields::setDefines(const std::vector<DefineSpec>& specs,
                              const std::map<std::string, std::string>& values,
                              const std::map<std::string, std::string>& unsaid) {
    if (!sameSpecs(specs, specs_) || fields_.empty()) {
        for (const auto& [name, field] : fields_) {  // a field that goes loses the focus
            field->disconnect(this);
            field->lineEdit()->disconnect(this);
        }
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
            QString about =
                tr("%1 Default: %2. \"auto\" means that the value is chosen for the device and the "
                   "problem, and may differ from the default. F7 shows the chosen value if the kernel is "
                   "compiled with it; a value that only its launch uses, such as a number of work-items, "
                   "stays \"auto\".")
                    .arg(asSentence(spec.help), QString::fromStdString(spec.default_value));
            if (!spec.program_file.empty())
                about += tr(" It belongs to %1, another program of this variant, which stays as shipped.")
                             .arg(QString::fromStdString(spec.program_file));
            auto* field = named(new QComboBox, name, about);
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
            const auto tell = [this, field, name, spec] {
                const std::string value = field->currentText().trimmed().toStdString();
                emit edited(name, QString::fromStdString(value_in_words(spec, value)));
            };
            connect(field->lineEdit(), &QLineEdit::editingFinished, this, tell);
            connect(field, &QComboBox::activated, this, tell);
        }
        row_->addStretch(1);
    }
    const std::map<std::string, std::string> given = values_in_words(specs_, values),
                                             otherwise = values_in_words(specs_, unsaid);
    for (const auto& [name, field] : fields_) {
        const auto own = given.find(name), other = otherwise.find(name);
        const QString text = own == given.end() ? QString() : QString::fromStdString(own->second);
        field->lineEdit()->setPlaceholderText(
            other == otherwise.end() ? tr("auto") : QString::fromStdString(other->second));
        if (field->currentText() == text) continue;
        const QSignalBlocker quiet(field);
        field->setEditText(text);
    }
}

KernelHead::KernelHead(QWidget* bar, QWidget* parent)
    : QWidget(parent), what_(named(new ElidedLabel, tr("Kernel being edited"))), defines_(new DefineFields) {
    what_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setLayout(
        inRows({inColumns({{what_, 1}, bar}, 8, {8, 4, 8, 4}), inColumns({defines_}, {}, {8, 0, 8, 4})}, 0));
    connect(defines_, &DefineFields::edited, this, &KernelHead::edited);
}

const Variant* KernelHead::base() const {
    const auto found = std::ranges::find(variants_, baseId_, &Variant::id);
    return found == variants_.end() ? nullptr : &*found;
}

std::string KernelHead::textOfBase() const {
    return resolve_source(base()->source_file, base()->source, kernelFiles_).text();
}

std::string KernelHead::nameOf(const std::string& inText) const {
    const DefineSpec* const define = base() ? define_in_text(base()->defines, inText) : nullptr;
    return define ? define->name : inText;
}

std::map<std::string, std::string> KernelHead::inText(
    const std::map<std::string, std::string>& values) const {
    return base() ? values_in_text(base()->defines, values) : values;
}

void KernelHead::clear() {
    compiled_.clear();
    baseId_.clear();
    what_->setWhole({});
    defines_->setDefines({}, {}, {});
    defines_->setEnabled(false);
}

void KernelHead::setText(const std::string& analysis, const std::string& file, const std::string& text,
                         const std::string& resolved) {
    if (file.empty()) {
        baseId_.clear();
        ofHeader_.clear();
        return defines_->setDefines({}, {}, {});
    }
    try {
        const UserVariant own = user_variant_of_text(analysis, file, text);
        baseId_ = own.base;
        ofHeader_ = own.defines;
        // As in the table of runs.
        const QString id = QString::fromStdString(own.id()),
                      mark = QString::fromStdString(text_mark(resolved)),
                      launched = QString::fromStdString(own.base);
        what_->setWhole(
            tr("%1, text %2, launched as %3").arg(id, mark, launched),
            {tr("%1, text %2, as %3").arg(id, mark, launched), tr("text %1, as %2").arg(mark, launched)});
        what_->setToolTip(what_->whole() + QLatin1Char('\n') + QString::fromStdString(file));
        std::map<std::string, std::string> unsaid = compiled_;
        if (base()) {
            const HostDefines host = host_defines(base()->defines, own.defines);
            for (const auto& [inText, define] : chosen_defines(own.text, textOfBase(), host)) {
                const std::string name = nameOf(inText);
                if (define.unclear)
                    unsaid.erase(name);
                else
                    unsaid[name] = define.value;
            }
        }
        defines_->setDefines(base() ? base()->defines : std::vector<DefineSpec>(), own.defines, unsaid);
        defines_->setEnabled(true);
    } catch (const Error& error) {
        what_->setWhole(QString::fromStdString(error.message()));
        what_->setToolTip(QString::fromUtf8(error.what()));
        defines_->setEnabled(false);
    }
}

void KernelHead::setCompiled(const std::map<std::string, std::string>& compiled, const std::string& text) {
    compiled_ = compiled;
    // A value that the header sets says nothing about the one that is chosen without it.
    for (const auto& [name, value] : ofHeader_) compiled_.erase(name);
    if (base())
        for (const auto& [name, define] : chosen_defines(text, textOfBase(), host_defines(base()->defines)))
            compiled_.erase(nameOf(name));
}

}  // namespace ks::ui
