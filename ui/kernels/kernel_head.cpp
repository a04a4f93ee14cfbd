#include "ui/kernels/kernel_head.h"

#include <QLabel>
#include <algorithm>

#include "core/run/user/shown_variant.h"
#include "core/run/user/text_defines.h"
#include "core/run/user/user_variant.h"
#include "ui/base/layouts.h"
#include "ui/kernels/define_fields.h"

namespace ks::ui {

KernelHead::KernelHead(QWidget* bar, QWidget* parent)
    : QWidget(parent), what_(named(new QLabel, tr("Kernel being edited"))), defines_(new DefineFields) {
    what_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    what_->setTextFormat(Qt::RichText);
    what_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setLayout(
        inRows({inColumns({{what_, 1}, bar}, 8, {8, 4, 8, 4}), inColumns({defines_}, {}, {8, 0, 8, 4})}, 0));
    connect(defines_, &DefineFields::edited, this, &KernelHead::edited);
}

const Variant* KernelHead::base() const {
    const auto found = std::ranges::find(variants_, baseId_, &Variant::id);
    return found == variants_.end() ? nullptr : &*found;
}

void KernelHead::clear() {
    compiled_.clear();
    what_->clear();
    defines_->setEnabled(false);
}

void KernelHead::setText(const std::string& analysis, const std::string& file, const std::string& text,
                         const std::string& resolved) {
    if (file.empty()) {
        baseId_.clear();
        return defines_->setDefines({}, {}, {});
    }
    try {
        const UserVariant own = user_variant_of_text(analysis, file, text);
        baseId_ = own.base;
        // As in the table of runs.
        what_->setText(tr("<b>%1</b>, text %2,&nbsp; launched as %3")
                           .arg(QString::fromStdString(own.id()).toHtmlEscaped(),
                                QString::fromStdString(text_mark(resolved)),
                                QString::fromStdString(own.base).toHtmlEscaped()));
        std::map<std::string, std::string> unsaid = compiled_;
        if (base())
            for (const auto& [name, define] : chosen_defines(own.text, base()->source))
                unsaid[name] = define.value;
        defines_->setDefines(base() ? base()->defines : std::vector<DefineSpec>(), own.defines, unsaid);
        defines_->setEnabled(true);
        what_->setToolTip(QString::fromStdString(file));
    } catch (const Error& error) {
        what_->setText(QString::fromStdString(error.message()).toHtmlEscaped());
        what_->setToolTip(QString::fromUtf8(error.what()));
        defines_->setEnabled(false);
    }
}

void KernelHead::setCompiled(const std::map<std::string, std::string>& compiled, const std::string& text) {
    compiled_ = compiled;
    if (base())
        for (const auto& [name, define] : chosen_defines(text, base()->source)) compiled_.erase(name);
}

}  // namespace ks::ui
