#include "ui/image/panel/geometry_form.h"

#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QWidgetAction>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/data/calibration/calibration.h"
#include "core/data/photon.h"
#include "ui/base/form_parts.h"
#include "ui/base/input/number_text.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/base/restyled.h"
#include "ui/base/save_folders.h"
#include "ui/image/panel/session_geometry.h"

namespace ks::ui {
namespace {

/// Wavelength in angstrom for a text that ends in keV or eV; nullopt for other texts.
std::optional<double> fromEnergy(const QString& text) {
    static const QRegularExpression energy(QStringLiteral("^(.*[^k\\s])\\s*(k?)eV$"),
                                           QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch found = energy.match(text);
    if (!found.hasMatch()) return std::nullopt;
    const std::optional<double> value = readNumber(found.captured(1));
    if (!value || !(*value > 0)) return std::nullopt;
    return kev_angstrom / (found.captured(2).isEmpty() ? *value / 1000 : *value);
}

/// The beginning of an energy: "12.4 k".
bool beginsAnEnergy(const QString& text) {
    static const QRegularExpression begun(QStringLiteral("^[0-9.,]+\\s*(k|e|ke)?$"),
                                          QRegularExpression::CaseInsensitiveOption);
    return begun.match(text).hasMatch();
}

constexpr double farAway = 1e5;  // a beam centre may lie far outside the frame

/// A field; if it starts at 0, this means "unknown", or "?" in a narrow one. Without a unit, the label states
/// it.
template <class Box = DecimalBox>
Box* field(double low, double high, int decimals, const QString& unit, const QString& name) {
    auto* box = new Box;
    box->setRange(low, high);
    box->setDecimals(decimals);
    if (!unit.isEmpty()) box->setSuffix(QStringLiteral(" ") + unit);
    named(box, name, name);
    box->setMinimumWidth(60);
    if (low == 0)
        box->setSpecialValueText(unit.isEmpty() ? QStringLiteral("?") : GeometryForm::tr("unknown"));
    return box;
}

QHBoxLayout* pair(QWidget* first, QWidget* second) {
    return inColumns({{first, 1}, {second, 1}}, 8);
}

QString poniFilter() {
    return GeometryForm::tr("Geometry of pyFAI (*.poni)");
}

QToolButton* button(const QString& text, const QString& tip, bool checkable) {
    auto* made = new QToolButton;
    named(made, tip, tip);
    made->setText(text);
    made->setCheckable(checkable);
    made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return made;
}

}  // namespace

void LengthField::stepBy(int steps) {
    const double at = value(), smallest = std::pow(10.0, -decimals());
    if (at < smallest) {
        if (steps > 0) setValue(1);
        return;
    }
    // Down from 1, the digits are those of 0.99.
    const double digit = std::floor(std::log10(steps < 0 ? at * (1 - 1e-9) : at)) - 2;
    setValue(std::max(smallest, at + steps * std::max(smallest, std::pow(10.0, digit))));
}

double WavelengthBox::valueFromText(const QString& text) const {
    const std::optional<double> angstrom = fromEnergy(typed(text));
    return angstrom ? *angstrom : DecimalBox::valueFromText(text);
}

QValidator::State WavelengthBox::validate(QString& text, int& position) const {
    if (fromEnergy(typed(text))) return QValidator::Acceptable;
    const QValidator::State state = DecimalBox::validate(text, position);
    return state == QValidator::Invalid && beginsAnEnergy(typed(text)) ? QValidator::Intermediate : state;
}

GeometryForm::GeometryForm(SessionGeometry& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      wavelength_(field<WavelengthBox>(0, 1e3, 4, QStringLiteral("\u00c5"), tr("Wavelength"))),
      distance_(field<LengthField>(0, 1e6, 2, QStringLiteral("mm"), tr("Distance from sample to detector"))),
      x_(field(-farAway, farAway, 2, {},
               tr("Beam centre along columns; the centre of the first pixel is at 0.5"))),
      y_(field(-farAway, farAway, 2, {}, tr("Beam centre along rows, downwards"))),
      pixelX_(field<LengthField>(0, 1e5, 2, {}, tr("Pixel width"))),
      pixelY_(field<LengthField>(0, 1e5, 2, {}, tr("Pixel height"))),
      rings_(new QComboBox),
      swap_(button(tr("Swap x, y"), tr("Swap x and y of the file's beam centre"), true)),
      pick_(button(tr("Pick"), tr("Click or drag the beam centre on the image"), true)),
      ring_(button(tr("Ring"), tr("Click three or more points on a ring to centre the beam on it"), true)),
      refine_(
          button(tr("Refine"), tr("Refine beam centre and distance with the rings of a calibrant"), false)),
      load_(button(tr("Load"), tr("Load the geometry from a file of pyFAI (.poni)"), false)),
      save_(button(tr("Save"), tr("Save the geometry as a file of pyFAI (.poni)"), false)),
      reset_(button(tr("Reset"), tr("Restore the geometry of the file"), false)),
      note_(new QLabel) {
    layOut();
    connectParts();
    begin();
    new Restyled(this, Restyled::By::palette, [this] { showNote(); });
}

void GeometryForm::layOut() {
    for (QToolButton* one : {load_, save_, reset_}) {
        one->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        one->setAutoRaise(true);
    }
    note_->setWordWrap(true);
    note_->setAccessibleName(tr("Geometry note"));
    note_->hide();
    auto* title = heading(
        tr("Geometry"), tr("Position of beam and detector, from which q and d follow; shared by all pages"));
    rings_->addItem(tr("none"), QString());
    rings_->addItem(tr("round q"), QStringLiteral("q"));
    for (const std::string& name : Calibrant::names())
        rings_->addItem(QString::fromStdString(name), QString::fromStdString(name));
    rings_->setAccessibleName(tr("Rings of constant q on the image"));
    rings_->setToolTip(tr("Rings of constant q, labelled with q and d"));
    auto* fields = new QFormLayout;
    fields->setContentsMargins(0, 0, 0, 0);
    fields->setSpacing(4);
    fields->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    wavelength_->setToolTip(tr("Wavelength, or photon energy such as 12.4 keV"));
    fields->addRow(tr("Wavelength"), wavelength_);
    fields->addRow(tr("Distance"), distance_);
    fields->addRow(tr("Beam (px)"), pair(x_, y_));
    fields->addRow(tr("Pixel (\u00b5m)"), pair(pixelX_, pixelY_));
    fields->addRow(tr("q rings"), rings_);
    setLayout(inRows({inColumns({{title, 1}, load_, save_, reset_}), fields,
                      inColumns({swap_, pick_, ring_, refine_}, 4), note_},
                     4));
    auto* menu = new QMenu(refine_);
    auto* panel = new QWidgetAction(menu);
    panel->setDefaultWidget(refinePanel());
    menu->addAction(panel);
    refine_->setMenu(menu);
    refine_->setPopupMode(QToolButton::InstantPopup);
}

void GeometryForm::connectParts() {
    for (const auto& [box, member] : boxes())
        connect(box, &QDoubleSpinBox::valueChanged, this, &GeometryForm::typed);
    connect(swap_, &QToolButton::toggled, this, [this](bool on) {
        if (!showing_) session_.setSwapped(on);
    });
    connect(reset_, &QToolButton::clicked, this, [this] { session_.reset(); });
    connect(load_, &QToolButton::clicked, this, &GeometryForm::askLoad);
    connect(save_, &QToolButton::clicked, this, &GeometryForm::askSave);
    connect(&session_, &SessionGeometry::fileChanged, this, &GeometryForm::begin);
    connect(&session_, &SessionGeometry::changed, this, &GeometryForm::follow);
    connect(rings_, &QComboBox::currentIndexChanged, this, [this] { emit ringsChosen(rings()); });
    connect(pick_, &QToolButton::toggled, this, &GeometryForm::pickBeamToggled);
    connect(ring_, &QToolButton::toggled, this, &GeometryForm::fitRingToggled);
    connect(note_, &QLabel::linkActivated, this, [this] { session_.setSwapped(!session_.state().swapped); });
}

void GeometryForm::askLoad() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Load geometry"), {}, poniFilter());
    if (!path.isEmpty()) emit loadRequested(path);
}

void GeometryForm::askSave() {
    const QString kind = QStringLiteral("geometry");
    const QString path = askSavePath(this, tr("Save geometry"),
                                     savePath(this, kind, QStringLiteral("geometry.poni")), poniFilter());
    rememberSaved(this, kind, path);
    if (!path.isEmpty()) emit saveRequested(path);
}

QWidget* GeometryForm::refinePanel() {
    auto* panel = new QWidget;
    auto* calibrant = new QComboBox;
    for (const std::string& name : Calibrant::names()) calibrant->addItem(QString::fromStdString(name));
    calibrant->setAccessibleName(tr("Calibrant"));
    auto* first = new WholeBox;
    auto* last = new WholeBox;
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

std::array<std::pair<QDoubleSpinBox*, double Geometry::*>, 6> GeometryForm::boxes() const {
    return {{{wavelength_, &Geometry::wavelength},
             {distance_, &Geometry::distance},
             {x_, &Geometry::beam_x},
             {y_, &Geometry::beam_y},
             {pixelX_, &Geometry::pixel_size_x},
             {pixelY_, &Geometry::pixel_size_y}}};
}

void GeometryForm::begin() {
    setNote(lacking());
    show();
}

QString GeometryForm::lacking() const {
    const OpenFile* const file = session_.file().get();
    if (!file || session_.fromFile()) return {};
    const Geometry &now = session_.geometry(), &start = session_.start();
    const bool assumed = now.beam_x == start.beam_x && now.beam_y == start.beam_y;
    if (now.complete())
        return assumed ? tr("The beam centre is not known: the middle of the frame is used.") : QString();
    const QString lack =
        file->geometry ? tr("The file has no usable beam centre.") : tr("The file has no geometry.");
    return (assumed ? tr("%1 The middle of the frame is shown.") : QStringLiteral("%1")).arg(lack) +
           tr(" Fill in the known values to get q.");
}

void GeometryForm::follow() {
    // What was said of the geometry before does not apply any more.
    setNote(lacking());
    show();
}

void GeometryForm::typed() {
    if (showing_) return;
    Geometry geometry = session_.geometry();
    // Only edited values are applied, as the boxes round what they show.
    for (const auto& [box, member] : boxes()) {
        const double half = 0.5 * std::pow(10.0, -box->decimals());
        if (std::abs(box->value() - geometry.*member) > half) geometry.*member = box->value();
    }
    // Pixels are square unless stated otherwise.
    if (geometry.pixel_size_x > 0 && geometry.pixel_size_y == 0)
        geometry.pixel_size_y = geometry.pixel_size_x;
    session_.setGeometry(geometry, true);
}

void GeometryForm::show() {
    const bool before = std::exchange(showing_, true);
    const Geometry& geometry = session_.geometry();
    for (const auto& [box, member] : boxes()) box->setValue(geometry.*member);
    wasSwapped_ = session_.state().swapped;
    swap_->setEnabled(session_.fromFile());
    swap_->setChecked(wasSwapped_);
    refine_->setEnabled(geometry.complete());
    load_->setEnabled(session_.file() != nullptr);
    save_->setEnabled(session_.file() && geometry.distance > 0 && geometry.pixel_size_x > 0 &&
                      geometry.pixel_size_y > 0);
    reset_->setEnabled(session_.edited() || wasSwapped_);
    showing_ = before;
}

QString GeometryForm::rings() const {
    return rings_->currentData().toString();
}

void GeometryForm::setRings(const QString& rings) {
    rings_->setCurrentIndex(std::max(0, rings_->findData(rings)));
}

void GeometryForm::setNote(const QString& text, bool swap) {
    noteText_ = text;
    noteSwaps_ = swap;
    showNote();
}

void GeometryForm::showNote() {
    QString shown = noteText_.toHtmlEscaped();
    if (noteSwaps_)
        shown += QStringLiteral(" <a href=\"swap\" style=\"color:%1\">%2</a>")
                     .arg(palette().color(QPalette::Link).name(), tr("Swap them"));
    note_->setText(shown);
    note_->setTextFormat(Qt::RichText);
    note_->setVisible(!noteText_.isEmpty());
}

// A label keeps the link colour from when its text was set.
QString GeometryForm::note() const {
    return note_->isHidden() ? QString() : note_->text();
}

void GeometryForm::setPicking(bool picking, bool ring) {
    (ring ? ring_ : pick_)->setChecked(picking);
}

}  // namespace ks::ui
