#include "ui/xpcs/partition_form.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace ks::ui::xpcs {
namespace {

constexpr double farAway = 1e5;  // a beam centre may lie well outside of the frame

QDoubleSpinBox* pixelBox(double low, const QString& name, const QString& tip) {
    auto* box = new QDoubleSpinBox;
    box->setRange(low, farAway);
    box->setDecimals(2);
    box->setSuffix(QStringLiteral(" px"));
    box->setKeyboardTracking(false);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setMinimumWidth(72);
    return box;
}

QHBoxLayout* pair(QWidget* first, QWidget* second) {
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(first, 1);
    line->addWidget(second, 1);
    return line;
}

}  // namespace

PartitionForm::PartitionForm(QWidget* parent)
    : QWidget(parent),
      ringsMode_(new QRadioButton(tr("Rings"))),
      labelsMode_(new QRadioButton(tr("Labels"))),
      ringsPart_(new QWidget),
      labelsPart_(new QWidget),
      x_(pixelBox(-farAway, tr("Centre of the rings, x"),
                  tr("Along columns; the first pixel's centre is at 0.5"))),
      y_(pixelBox(-farAway, tr("Centre of the rings, y"), tr("Along rows, downwards"))),
      r0_(pixelBox(0, tr("Inner radius"), tr("Inner radius of the first ring"))),
      width_(pixelBox(0.01, tr("Width of a ring"), tr("Width of each ring"))),
      n_(new QSpinBox),
      beam_(new QToolButton),
      swap_(new QCheckBox(tr("Swap x and y"))),
      dataset_(new QComboBox),
      summary_(new QLabel) {
    auto* heading = new QLabel(tr("Bins"));
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    ringsMode_->setChecked(true);
    n_->setRange(1, 10000);
    n_->setKeyboardTracking(false);
    n_->setAccessibleName(tr("Number of rings"));
    beam_->setText(tr("Beam"));
    beam_->setToolTip(tr("Centre the rings on the beam of the file's geometry"));
    beam_->setAccessibleName(tr("Centre on the beam"));
    swap_->setToolTip(tr("Some beamlines write x and y of the beam centre exchanged"));
    dataset_->setEditable(true);
    dataset_->setInsertPolicy(QComboBox::NoInsert);
    dataset_->setAccessibleName(tr("Dataset with the labels"));
    dataset_->setToolTip(tr("FILE::PATH of whole numbers, one a pixel; 0 is ignored"));
    dataset_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    dataset_->setMinimumContentsLength(12);
    dataset_->lineEdit()->setPlaceholderText(tr("FILE::PATH"));
    summary_->setWordWrap(true);
    summary_->setForegroundRole(QPalette::PlaceholderText);

    auto* rings = new QFormLayout(ringsPart_);
    rings->setContentsMargins(0, 0, 0, 0);
    rings->setSpacing(8);
    rings->addRow(tr("Centre x, y"), pair(x_, y_));
    rings->addRow(QString(), pair(beam_, swap_));
    beam_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    rings->addRow(tr("From, width"), pair(r0_, width_));
    rings->addRow(tr("Number"), n_);
    auto* browseButton = new QToolButton;
    browseButton->setText(QStringLiteral("\u2026"));
    browseButton->setAccessibleName(tr("Choose a file with labels"));
    browseButton->setToolTip(tr("Choose another file"));
    auto* labels = new QHBoxLayout(labelsPart_);
    labels->setContentsMargins(0, 0, 0, 0);
    labels->setSpacing(8);
    labels->addWidget(dataset_, 1);
    labels->addWidget(browseButton);
    auto* modes = new QHBoxLayout;
    modes->setSpacing(8);
    modes->addWidget(heading);
    modes->addStretch(1);
    modes->addWidget(ringsMode_);
    modes->addWidget(labelsMode_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(8);
    all->addLayout(modes);
    all->addWidget(ringsPart_);
    all->addWidget(labelsPart_);
    all->addWidget(summary_);
    showMode();

    const auto edited = [this] {
        if (!setting_) emit changed();
    };
    for (QDoubleSpinBox* box : {x_, y_, r0_, width_})
        connect(box, &QDoubleSpinBox::valueChanged, this, edited);
    connect(n_, &QSpinBox::valueChanged, this, edited);
    connect(ringsMode_, &QRadioButton::toggled, this, [=, this] {
        showMode();
        edited();
    });
    connect(dataset_, &QComboBox::activated, this, edited);
    connect(dataset_->lineEdit(), &QLineEdit::editingFinished, this, edited);
    connect(beam_, &QToolButton::clicked, this, [=, this] {
        centreOnBeam();
        edited();
    });
    connect(swap_, &QCheckBox::toggled, this, [=, this] {
        if (setting_) return;
        centreOnBeam();
        edited();
    });
    connect(browseButton, &QToolButton::clicked, this, &PartitionForm::browse);
}

void PartitionForm::showMode() {
    ringsPart_->setVisible(ringsMode_->isChecked());
    labelsPart_->setVisible(!ringsMode_->isChecked());
}

void PartitionForm::browse() {
    const QString path = QFileDialog::getOpenFileName(this, tr("File with labels"));
    if (!path.isEmpty()) setDataset(path);
}

void PartitionForm::centreOnBeam() {
    if (!geometry_) return;
    const Geometry used = swap_->isChecked() ? geometry_->swapped() : *geometry_;
    const bool before = std::exchange(setting_, true);
    x_->setValue(used.beam_x);
    y_->setValue(used.beam_y);
    setting_ = before;
}

void PartitionForm::propose(const std::optional<Geometry>& geometry, std::size_t height, std::size_t width,
                            const QStringList& datasets) {
    setting_ = true;
    geometry_ = geometry;
    beam_->setEnabled(geometry_.has_value());
    swap_->setEnabled(geometry_.has_value());
    swap_->setChecked(false);
    const double w = static_cast<double>(width), h = static_cast<double>(height);
    const double cx = geometry_ ? geometry_->beam_x : w / 2, cy = geometry_ ? geometry_->beam_y : h / 2;
    x_->setValue(cx);
    y_->setValue(cy);
    // From the nearest point of the frame to half of the way to the farthest corner and a bit more.
    const double nearest = std::hypot(cx - std::clamp(cx, 0.0, w), cy - std::clamp(cy, 0.0, h));
    const double farthest = std::hypot(std::max(cx, w - cx), std::max(cy, h - cy));
    constexpr int rings = 8;
    const double step = std::max(1.0, std::floor(0.75 * (farthest - nearest) / rings));
    r0_->setValue(std::max(std::ceil(nearest), step));
    width_->setValue(step);
    n_->setValue(rings);
    dataset_->clear();
    dataset_->addItems(datasets);
    dataset_->setCurrentIndex(datasets.isEmpty() ? -1 : 0);
    (datasets.isEmpty() ? ringsMode_ : labelsMode_)->setChecked(true);
    setting_ = false;
    showMode();
    emit changed();
}

PartitionChoice PartitionForm::choice() const {
    PartitionChoice choice;
    choice.rings = ringsMode_->isChecked();
    choice.ring = {x_->value(), y_->value(), r0_->value(), width_->value(),
                   static_cast<std::size_t>(n_->value())};
    choice.dataset = dataset_->currentText().trimmed();
    choice.swapped = swap_->isChecked();
    return choice;
}

void PartitionForm::setSwapped(bool swapped) { swap_->setChecked(swapped); }

void PartitionForm::setChoice(const PartitionChoice& choice) {
    setting_ = true;
    swap_->setChecked(choice.swapped);
    x_->setValue(choice.ring.x);
    y_->setValue(choice.ring.y);
    r0_->setValue(choice.ring.r0);
    width_->setValue(choice.ring.width);
    n_->setValue(static_cast<int>(choice.ring.n));
    dataset_->setEditText(choice.dataset);
    (choice.rings ? ringsMode_ : labelsMode_)->setChecked(true);
    setting_ = false;
    showMode();
    emit changed();
}

void PartitionForm::setDataset(const QString& name) {
    PartitionChoice wanted = choice();
    wanted.rings = false;
    wanted.dataset = name;
    setChoice(wanted);
}

void PartitionForm::setSummary(const QString& text) {
    summary_->setText(text);
}

}  // namespace ks::ui::xpcs
