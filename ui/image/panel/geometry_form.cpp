#include "ui/image/panel/geometry_form.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidgetAction>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/data/calibration/calibration.h"
#include "ui/base/form_parts.h"
#include "ui/image/panel/wavelength_box.h"

namespace ks::ui {
namespace {

constexpr double farAway = 1e5;  // a beam centre may lie well outside of the frame

/// A field where 0 is "unknown", or "?" in a narrow one. Without a unit its label says it.
template <class Box = QDoubleSpinBox>
Box* field(double low, double high, int decimals, const QString& unit, const QString& name) {
    auto* box = new Box;
    box->setRange(low, high);
    box->setDecimals(decimals);
    if (!unit.isEmpty()) box->setSuffix(QStringLiteral(" ") + unit);
    box->setKeyboardTracking(false);
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setMinimumWidth(60);
    if (low == 0)
        box->setSpecialValueText(unit.isEmpty() ? QStringLiteral("?") : GeometryForm::tr("unknown"));
    return box;
}

QHBoxLayout* pair(QWidget* first, QWidget* second) {
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(first, 1);
    line->addWidget(second, 1);
    return line;
}

QToolButton* button(const QString& text, const QString& tip, bool checkable) {
    auto* made = new QToolButton;
    made->setText(text);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setCheckable(checkable);
    made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return made;
}

}  // namespace

GeometryForm::GeometryForm(QWidget* parent)
    : QWidget(parent),
      wavelength_(field<WavelengthBox>(0, 1e3, 4, QStringLiteral("\u00c5"), tr("Wavelength"))),
      distance_(field(0, 1e6, 2, QStringLiteral("mm"), tr("Distance from the sample to the detector"))),
      x_(field(-farAway, farAway, 2, {},
               tr("Beam centre along columns; the first pixel's centre is at 0.5"))),
      y_(field(-farAway, farAway, 2, {}, tr("Beam centre along rows, downwards"))),
      pixelX_(field(0, 1e5, 2, {}, tr("Width of a pixel"))),
      pixelY_(field(0, 1e5, 2, {}, tr("Height of a pixel"))),
      rings_(new QComboBox),
      swap_(button(tr("Swap x, y"), tr("Exchange x and y of the file's beam centre"), true)),
      pick_(button(tr("Pick"), tr("Click or drag the beam centre on the image"), true)),
      ring_(button(tr("Ring"), tr("Click three or more points of a ring: its centre becomes the beam's"),
                   true)),
      refine_(button(tr("Refine"), tr("Refine beam centre and distance on the rings of a calibrant"), false)),
      reset_(button(tr("Reset"), tr("Back to what the file says"), false)),
      note_(new QLabel) {
    reset_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    reset_->setAutoRaise(true);
    note_->setWordWrap(true);
    note_->setAccessibleName(tr("Note on the geometry"));
    note_->hide();
    auto* head = new QHBoxLayout;
    head->addWidget(heading(tr("Geometry")), 1);
    head->addWidget(reset_);
    rings_->addItem(tr("none"), QString());
    rings_->addItem(tr("round q"), QStringLiteral("q"));
    for (const std::string& name : Calibrant::names())
        rings_->addItem(QString::fromStdString(name), QString::fromStdString(name));
    rings_->setAccessibleName(tr("Rings of constant q on the image"));
    rings_->setToolTip(tr("Rings of constant q, labelled with q and d"));
    auto* rows = new QFormLayout;
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    wavelength_->setToolTip(tr("Wavelength, or the energy of the photons: 12.4 keV"));
    rows->addRow(tr("Wavelength"), wavelength_);
    rows->addRow(tr("Distance"), distance_);
    rows->addRow(tr("Beam (px)"), pair(x_, y_));
    rows->addRow(tr("Pixel (\u00b5m)"), pair(pixelX_, pixelY_));
    rows->addRow(tr("Rings"), rings_);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QToolButton* one : {swap_, pick_, ring_, refine_}) buttons->addWidget(one);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(head);
    all->addLayout(rows);
    all->addLayout(buttons);
    all->addWidget(note_);

    auto* menu = new QMenu(refine_);
    auto* panel = new QWidgetAction(menu);
    panel->setDefaultWidget(refinePanel());
    menu->addAction(panel);
    refine_->setMenu(menu);
    refine_->setPopupMode(QToolButton::InstantPopup);
    for (QDoubleSpinBox* box : {wavelength_, distance_, x_, y_, pixelX_, pixelY_})
        connect(box, &QDoubleSpinBox::valueChanged, this, qOverload<double>(&GeometryForm::edited));
    connect(swap_, &QToolButton::toggled, this, [this] {
        if (showing_) return;
        setNote({});
        std::swap(geometry_.beam_x, geometry_.beam_y);
        show();
        emit changed(true);
    });
    connect(reset_, &QToolButton::clicked, this, [this] {
        setNote({});
        const bool exchanged = swapped();
        {
            const QSignalBlocker quiet(swap_);
            swap_->setChecked(false);
        }
        if (geometry_ == start_ && !exchanged) return;
        setGeometry(start_, true);
    });
    connect(rings_, &QComboBox::currentIndexChanged, this, [this] { emit ringsChosen(rings()); });
    connect(pick_, &QToolButton::toggled, this, &GeometryForm::pickBeamToggled);
    connect(ring_, &QToolButton::toggled, this, &GeometryForm::fitRingToggled);
    connect(note_, &QLabel::linkActivated, this, [this] { setSwapped(!swapped()); });
    setFile(std::nullopt, 0, 0);
}

QWidget* GeometryForm::refinePanel() {
    auto* panel = new QWidget;
    auto* calibrant = new QComboBox;
    for (const std::string& name : Calibrant::names()) calibrant->addItem(QString::fromStdString(name));
    calibrant->setAccessibleName(tr("Calibrant"));
    auto* first = new QSpinBox;
    auto* last = new QSpinBox;
    for (QSpinBox* box : {first, last}) box->setRange(1, 12);
    first->setAccessibleName(tr("First ring"));
    last->setAccessibleName(tr("Last ring"));
    last->setValue(5);
    auto* go = new QPushButton(tr("Refine"));
    auto* rows = new QFormLayout(panel);
    rows->addRow(tr("Calibrant"), calibrant);
    rows->addRow(tr("Rings"), pair(first, last));
    rows->addRow(go);
    connect(go, &QPushButton::clicked, this, [=, this] {
        refine_->menu()->close();
        emit refineRequested(calibrant->currentText(), first->value(), last->value());
    });
    return panel;
}

void GeometryForm::setFile(const std::optional<Geometry>& geometry, std::size_t height, std::size_t width) {
    file_ = geometry;
    start_ = geometry.value_or(Geometry{});
    if (!geometry) {
        start_.beam_x = static_cast<double>(width) / 2;
        start_.beam_y = static_cast<double>(height) / 2;
    }
    geometry_ = start_;
    {
        const QSignalBlocker quiet(swap_);
        swap_->setChecked(false);
    }
    swap_->setEnabled(geometry.has_value());
    const bool any = height > 0 && width > 0;
    setNote(geometry || !any ? QString()
                             : tr("The file has no geometry: fill in what is known, and q is shown."));
    show();
}

bool GeometryForm::edited() const {
    return geometry_ != start_;
}

bool GeometryForm::swapped() const {
    return swap_->isChecked();
}

void GeometryForm::setSwapped(bool swapped) {
    if (swap_->isEnabled()) swap_->setChecked(swapped);
}

void GeometryForm::setState(const State& state) {
    {
        const QSignalBlocker quiet(swap_);
        swap_->setChecked(state.swapped);
    }
    if (state.geometry.complete()) setNote({});
    setGeometry(state.geometry, true);
}

void GeometryForm::setGeometry(const Geometry& geometry, bool final) {
    geometry_ = geometry;
    show();
    emit changed(final);
}

void GeometryForm::edited(double) {
    if (showing_) return;
    // Only what was typed is taken over: the boxes round what they show.
    const auto take = [](const QDoubleSpinBox& box, double& value) {
        const double half = 0.5 * std::pow(10.0, -box.decimals());
        if (std::abs(box.value() - value) > half) value = box.value();
    };
    take(*wavelength_, geometry_.wavelength);
    take(*distance_, geometry_.distance);
    take(*x_, geometry_.beam_x);
    take(*y_, geometry_.beam_y);
    take(*pixelX_, geometry_.pixel_size_x);
    take(*pixelY_, geometry_.pixel_size_y);
    // Pixels are square where nobody said anything else.
    if (geometry_.pixel_size_x > 0 && geometry_.pixel_size_y == 0) {
        geometry_.pixel_size_y = geometry_.pixel_size_x;
        show();
    }
    if (geometry_.complete()) setNote({});
    reset_->setEnabled(edited());
    emit changed(true);
}

void GeometryForm::show() {
    const bool before = std::exchange(showing_, true);
    wavelength_->setValue(geometry_.wavelength);
    distance_->setValue(geometry_.distance);
    x_->setValue(geometry_.beam_x);
    y_->setValue(geometry_.beam_y);
    pixelX_->setValue(geometry_.pixel_size_x);
    pixelY_->setValue(geometry_.pixel_size_y);
    refine_->setEnabled(geometry_.complete());
    reset_->setEnabled(edited());
    showing_ = before;
}

QString GeometryForm::rings() const {
    return rings_->currentData().toString();
}

void GeometryForm::setRings(const QString& rings) {
    rings_->setCurrentIndex(std::max(0, rings_->findData(rings)));
}

void GeometryForm::setNote(const QString& text, bool swap) {
    QString shown = text.toHtmlEscaped();
    if (swap) shown += QStringLiteral(" <a href=\"swap\">%1</a>").arg(tr("Swap them"));
    note_->setText(shown);
    note_->setTextFormat(Qt::RichText);
    note_->setVisible(!text.isEmpty());
}

QString GeometryForm::note() const {
    return note_->isHidden() ? QString() : note_->text();
}

void GeometryForm::setPicking(bool picking, bool ring) {
    (ring ? ring_ : pick_)->setChecked(picking);
}

}  // namespace ks::ui
