#include "ui/kernels/trial/trial_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>
#include <array>

#include "ui/base/input/input_rules.h"
#include "ui/base/layouts.h"

namespace ks::ui {
namespace {

constexpr std::array repeatChoices{5, 10, 30};

QLabel* labelOf(const QString& text, QWidget* field) {
    auto* label = new QLabel(text);
    label->setBuddy(field);
    return label;
}

}  // namespace

TrialBar::TrialBar(QWidget* parent)
    : QWidget(parent),
      data_(named(new QComboBox, tr("Data"), tr("Data for trials of the kernel"))),
      repeats_(named(new QComboBox, tr("Repeats"),
                     tr("How many times this kernel and its base are each run, alternately: more runs make "
                        "smaller differences significant"))),
      run_(new QPushButton(tr("Save and run (F7)"))),
      check_(new QPushButton(tr("Check accesses"))) {
    data_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    fillRepeats();
    run_->setToolTip(
        tr("Save, build and run this kernel with guard zones around its buffers, check a sample of its "
           "result, then time it alternately with its base (F7)"));
    check_->setToolTip(
        tr("Save this kernel and check it in a separate process for build errors, damaged guard zones and "
           "wrong values; with oclgrind, also for data races and for accesses outside buffers and local "
           "memory (Shift+F7)"));
    setLayout(inColumns(
        {labelOf(tr("&Data"), data_), data_, labelOf(tr("&Time it"), repeats_), repeats_, run_, check_}, 8));
    connect(data_, &QComboBox::activated, this, [this] { wantedData_ = chosenData(); });
    for (QPushButton* button : {run_, check_}) holdForFields(*button);
    connect(run_, &QPushButton::clicked, this, &TrialBar::runWanted);
    connect(check_, &QPushButton::clicked, this, &TrialBar::checkWanted);
}

void TrialBar::fillRepeats() {
    repeats_->addItem(tr("3 to 12 times"));
    repeats_->setItemData(0,
                          tr("12 times each; fewer if the kernel takes more than 0.1 s. With fewer than 8 "
                             "runs each, neither kernel can be shown to be significantly faster"),
                          Qt::ToolTipRole);
    for (const int times : repeatChoices) repeats_->addItem(tr("%1 times").arg(times), times);
}

void TrialBar::setDataChoices(const std::vector<TrialDataChoice>& choices) {
    if (choices == choices_) return;
    choices_ = choices;
    const QSignalBlocker quiet(data_);
    data_->clear();
    for (const TrialDataChoice& one : choices) {
        data_->addItem(one.text, static_cast<int>(one.data));
        data_->setItemData(data_->count() - 1, one.tip, Qt::ToolTipRole);
    }
    const int wanted = wantedData_ ? data_->findData(static_cast<int>(*wantedData_)) : 0;
    data_->setCurrentIndex(std::max(wanted, 0));
    data_->setEnabled(data_->count() > 1);
}

TrialData TrialBar::chosenData() const {
    const QVariant chosen = data_->currentData();
    return chosen.isValid() ? static_cast<TrialData>(chosen.toInt()) : TrialData::page;
}

std::optional<int> TrialBar::chosenRepeats() const {
    const QVariant times = repeats_->currentData();
    return times.isValid() ? std::optional(times.toInt()) : std::nullopt;
}

void TrialBar::setUsable(bool usable) {
    for (QPushButton* one : {run_, check_}) one->setEnabled(usable);
}

}  // namespace ks::ui
