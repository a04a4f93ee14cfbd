#include "ui/runs/variant_picker.h"

#include <QButtonGroup>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/layouts.h"

namespace ks::ui {
namespace {

/// Title, file and the definitions that may be set, each with its default.
QString tipOf(const Variant& variant) {
    QString text = QString::fromStdString(variant.title + "\n" + variant.source_file);
    for (const DefineSpec& define : variant.defines)
        text += QObject::tr("\n%1 (default %2): %3")
                    .arg(QString::fromStdString(define.name), QString::fromStdString(define.default_value),
                         QString::fromStdString(define.help));
    return text;
}

}  // namespace

VariantPicker::VariantPicker(QWidget* parent)
    : QWidget(parent), rows_(new QVBoxLayout), buttons_(new QButtonGroup(this)), story_(new QLabel(this)) {
    rows_->setSpacing(4);
    setLayout(inRows({rows_, story_}, 8));
    story_->setWordWrap(true);
    story_->setWhatsThis(tr("Idea of the chosen variant"));
    story_->setForegroundRole(QPalette::PlaceholderText);
    story_->setText(tr("Waiting for the worker's list of variants."));
    connect(buttons_, &QButtonGroup::idToggled, this, [this](int, bool on) {
        if (!on) return;
        showStory();
        emit variantChanged(variant());
    });
    connect(buttons_, &QButtonGroup::idClicked, this, [this](int) {
        wanted_ = variant();
        showStory();
    });
}

void VariantPicker::setOffers(std::vector<Offer> offers, bool deviceHasFp64) {
    const bool same = std::ranges::equal(offers, offers_, [](const Offer& one, const Offer& other) {
        return one.variant.id == other.variant.id && one.variant.baseline == other.variant.baseline;
    });
    offers_ = std::move(offers);
    if (offers_.empty()) wanted_.clear();
    fp64_ = deviceHasFp64;
    if (!same) makeButtons();
    judge();
}

void VariantPicker::makeButtons() {
    QString focused;
    for (QAbstractButton* button : buttons_->buttons()) {
        if (button->hasFocus()) focused = button->objectName();
        delete button;
    }
    int id = 0;
    for (const Offer& offer : offers_) {
        const QString name = QString::fromStdString(offer.variant.id);
        auto* button = new QRadioButton(offer.variant.baseline ? tr("%1  (baseline)").arg(name) : name, this);
        button->setObjectName(name);
        button->setAccessibleName(tr("Variant %1").arg(name));
        rows_->addWidget(button);
        buttons_->addButton(button, id++);
        if (name == focused) button->setFocus();
    }
}

void VariantPicker::setTraits(const Traits& traits) {
    if (traits == traits_) return;
    traits_ = traits;
    judge();
}

void VariantPicker::judge() {
    usable_ = offers_;
    for (std::size_t i = 0; i < usable_.size(); ++i) {
        Offer& offer = usable_[i];
        const bool onDevice = offer.why_not.empty();
        if (onDevice) offer.why_not = why_not(offer.variant, traits_, fp64_);
        const QString reason = QString::fromStdString(offer.why_not);
        QAbstractButton* button = buttons_->button(static_cast<int>(i));
        button->setEnabled(reason.isEmpty());
        button->setAccessibleDescription(reason.isEmpty() ? QString::fromStdString(offer.variant.description)
                                                          : reason);
        button->setToolTip(reason.isEmpty() ? tipOf(offer.variant)
                           : onDevice       ? tr("Cannot be used now: %1").arg(reason)
                                            : tr("Cannot be used on this device: %1").arg(reason));
    }
    const bool found = choose(wanted_) || std::ranges::any_of(usable_, [this](const Offer& offer) {
                           return choose(QString::fromStdString(offer.variant.id));
                       });
    if (QAbstractButton* old = buttons_->checkedButton(); !found && old) {
        buttons_->setExclusive(false);
        old->setChecked(false);
        buttons_->setExclusive(true);
    }
    showStory();
}

QString VariantPicker::variant() const {
    const int id = buttons_->checkedId();
    return id < 0 ? QString() : QString::fromStdString(offers_[static_cast<std::size_t>(id)].variant.id);
}

bool VariantPicker::choose(const QString& id) {
    for (std::size_t i = 0; i < usable_.size(); ++i) {
        if (QString::fromStdString(usable_[i].variant.id) != id || !usable_[i].why_not.empty()) continue;
        buttons_->button(static_cast<int>(i))->setChecked(true);
        return true;
    }
    return false;
}

bool VariantPicker::parametersChose(const QString& next, const QString& former, const Traits& earlier) const {
    Traits before = earlier;
    before.insert(traits_.begin(), traits_.end());
    return std::ranges::any_of(offers_, [&](const Offer& one) {
        const QString id = QString::fromStdString(one.variant.id);
        return one.why_not.empty() && ((id == former && !why_not(one.variant, traits_, fp64_).empty()) ||
                                       (id == next && !why_not(one.variant, before, fp64_).empty()));
    });
}

bool VariantPicker::setVariant(const QString& id) {
    if (id.isEmpty()) return false;
    wanted_ = id;
    const bool usable = choose(id);
    showStory();
    return usable;
}

void VariantPicker::showStory() {
    const int id = buttons_->checkedId();
    QString text = offers_.empty() ? tr("Waiting for the worker's list of variants.")
                   : id < 0
                       ? tr("This device can run none of the variants.")
                       : QString::fromStdString(usable_[static_cast<std::size_t>(id)].variant.description);
    if (variant() != wanted_ && !wanted_.isEmpty() && !usable_.empty()) {
        const auto offer = std::ranges::find_if(
            usable_, [this](const Offer& one) { return QString::fromStdString(one.variant.id) == wanted_; });
        text += offer == usable_.end()
                    ? tr("\n%1 is not on this computer.").arg(wanted_)
                    : tr("\n%1 cannot be used now: %2.").arg(wanted_, QString::fromStdString(offer->why_not));
    }
    story_->setText(text);
}

}  // namespace ks::ui
