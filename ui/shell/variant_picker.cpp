#include "ui/shell/variant_picker.h"

#include <QButtonGroup>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>

namespace ks::ui {

VariantPicker::VariantPicker(QWidget* parent)
    : QWidget(parent), rows_(new QVBoxLayout), buttons_(new QButtonGroup(this)), story_(new QLabel(this)) {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(8);
    rows_->setSpacing(4);
    all->addLayout(rows_);
    story_->setWordWrap(true);
    story_->setForegroundRole(QPalette::PlaceholderText);
    story_->setText(tr("Waiting for the worker to tell its variants."));
    all->addWidget(story_);
    connect(buttons_, &QButtonGroup::idToggled, this, [this](int, bool on) {
        if (!on) return;
        showStory();
        emit variantChanged(variant());
    });
}

void VariantPicker::setOffers(std::vector<Offer> offers) {
    const QString before = variant();
    for (QAbstractButton* button : buttons_->buttons()) delete button;
    offers_ = std::move(offers);
    int id = 0;
    for (const Offer& offer : offers_) {
        const QString name = QString::fromStdString(offer.variant.id);
        const bool usable = offer.why_not.empty();
        auto* button =
            new QRadioButton(offer.variant.baseline ? tr("%1  (yardstick)").arg(name) : name, this);
        button->setObjectName(name);
        button->setAccessibleName(tr("Variant %1").arg(name));
        button->setAccessibleDescription(QString::fromStdString(offer.variant.story));
        button->setEnabled(usable);
        button->setToolTip(
            usable ? QString::fromStdString(offer.variant.title + "\n" + offer.variant.source_file)
                   : tr("Not on this device: %1").arg(QString::fromStdString(offer.why_not)));
        rows_->addWidget(button);
        buttons_->addButton(button, id++);
    }
    if (!setVariant(before))
        for (const Offer& offer : offers_)
            if (setVariant(QString::fromStdString(offer.variant.id))) break;
    showStory();
}

QString VariantPicker::variant() const {
    const int id = buttons_->checkedId();
    return id < 0 ? QString() : QString::fromStdString(offers_[static_cast<std::size_t>(id)].variant.id);
}

bool VariantPicker::setVariant(const QString& id) {
    for (std::size_t i = 0; i < offers_.size(); ++i) {
        if (QString::fromStdString(offers_[i].variant.id) != id || !offers_[i].why_not.empty()) continue;
        buttons_->button(static_cast<int>(i))->setChecked(true);
        return true;
    }
    return false;
}

void VariantPicker::showStory() {
    const int id = buttons_->checkedId();
    if (id >= 0)
        story_->setText(QString::fromStdString(offers_[static_cast<std::size_t>(id)].variant.story));
    else
        story_->setText(offers_.empty() ? tr("Waiting for the worker to tell its variants.")
                                        : tr("This device can run none of the variants."));
}

}  // namespace ks::ui
