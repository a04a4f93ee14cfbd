#include "ui/clusters/detector_form.h"

#include <QLineEdit>
#include <QSignalBlocker>
#include <vector>

#include "core/base/error.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/form_parts.h"
#include "ui/base/input/field_tip.h"
#include "ui/base/layouts.h"
#include "ui/base/parameter_form.h"

namespace ks::ui::clusters {
namespace {

const QString layoutId = QStringLiteral("layout");
const QString cutId = QStringLiteral("charge_cut");

ParameterForm* formOfDetector() {
    std::vector<ParameterSpec> own;
    for (const ParameterSpec& spec : ks::clusters::analysis_info().parameters)
        if (spec.id == layoutId.toStdString() || spec.id == cutId.toStdString()) own.push_back(spec);
    auto* form = new ParameterForm;
    form->setSpecs(own);
    return form;
}

}  // namespace

DetectorForm::DetectorForm(History& history, QWidget* parent)
    : QWidget(parent),
      form_(formOfDetector()),
      guess_(new ElidedLabel),
      steps_(history, form_, *form_, [this](const ParameterSet& values) { form_->setValues(values); }),
      layout_(text(form_->values(), "layout")) {
    guess_->setForegroundRole(QPalette::PlaceholderText);
    guess_->hide();
    QWidget::setLayout(inRows(
        {heading(tr("Detector"), tr("Size, modules and charges of the detector that recorded the digis")),
         form_, guess_},
        8));
    connect(form_, &ParameterForm::edited, this, [this] { steps_.edited(true); });
    if (auto* const field = qobject_cast<QLineEdit*>(form_->field(cutId)))
        tellProblems(*field, [this](const QString& text) {
            try {
                ks::clusters::charge_cuts_from(text.toStdString(), ks::clusters::layout_named(layout_));
                return QString();
            } catch (const Error& error) {
                return capitalised(QString::fromStdString(error.message()));
            }
        });
    connect(form_, &ParameterForm::changed, this, &DetectorForm::follow);
}

ParameterSet DetectorForm::values() const {
    return form_->values();
}

std::string DetectorForm::cut() const {
    return text(form_->values(), "charge_cut");
}

void DetectorForm::follow() {
    const std::string now = text(form_->values(), "layout");
    if (now == layout_) return emit cutChanged();
    layout_ = now;
    isChosen_ = true;
    guess_->hide();
    emit layoutChosen();
}

void DetectorForm::takeLayout(const ks::clusters::DetectorLayout& layout) {
    layout_ = layout.id;
    {
        const QSignalBlocker quiet(form_);
        form_->setValue(layoutId, layout_);
        takeCut();
        steps_.settle();
    }
    guess_->setWhole(tr("Guessed: %1").arg(QString::fromStdString(layout.title)));
    guess_->setVisible(!isChosen_ && layout_ != "free");
}

void DetectorForm::takeCut() {
    if (!cutLayout_.empty() && cutLayout_ != layout_) {
        cuts_[QString::fromStdString(cutLayout_)] = QString::fromStdString(cut());
        const auto kept = cuts_.constFind(QString::fromStdString(layout_));
        setCut(kept == cuts_.cend() ? std::string("off") : kept->toStdString());
    }
    cutLayout_ = layout_;
}

void DetectorForm::returnTo(const std::string& layout) {
    layout_ = layout;
    const QSignalBlocker quiet(form_);
    form_->setValue(layoutId, layout_);
}

void DetectorForm::setLayout(const std::string& layout) {
    form_->setValue(layoutId, layout);
}

void DetectorForm::setCut(const std::string& cut) {
    form_->setValue(cutId, cut);
}

void DetectorForm::reset() {
    cuts_.clear();
    form_->reset();
}

}  // namespace ks::ui::clusters
