#include "ui/xpcs/levels_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "ui/base/input/number_text.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/base/palette.h"

namespace ks::ui::xpcs {
namespace {

constexpr int pixelDecimals = 2, qDigits = 6;
constexpr int exactDecimals = 20;  ///< of values of q as they are kept, whatever their magnitude

/// A length in pixels with a fixed count of decimals, or in q with as many digits whatever its magnitude.
class LengthBox : public DecimalBox {
  public:
    void setUnit(bool inQ) {
        setDecimals(inQ ? exactDecimals : pixelDecimals);
        const int width = inQ ? fontMetrics().horizontalAdvance(QStringLiteral("0.00000000")) + 14 : 64;
        setMinimumWidth(width);
        setSingleStep(inQ ? 0.001 : 1);
        setStepType(inQ ? AdaptiveDecimalStepType : DefaultStepType);
    }
    QString textFromValue(double value) const override {
        return decimals() == exactDecimals ? formatNumber(value, qDigits) : DecimalBox::textFromValue(value);
    }
};

LengthBox* lengthBox(const QString& name) {
    auto* box = named(new LengthBox, name, name);
    box->setUnit(false);
    box->setButtonSymbols(
        QAbstractSpinBox::NoButtons);  // the digits of q need the room; arrow keys also step
    box->setRange(0, 1e5);
    return box;
}

QSpinBox* countBox(int maximum, const QString& name) {
    auto* box = named(new WholeBox, name, name);
    box->setRange(1, maximum);
    return box;
}

double number(const QString& text, const QString& typed) {
    bool fine = false;
    const double value = text.trimmed().toDouble(&fine);
    if (!fine)
        throw Error(
            ErrorKind::input,
            "expected numbers like 0.01, 0.02 or 0.01-0.015, found \"" + typed.trimmed().toStdString() + "\"",
            "edges");
    return value;
}

bool touching(const Levels& levels) {
    for (std::size_t k = 1; k < levels.size(); ++k)
        if (levels.lower[k] != levels.upper[k - 1]) return false;
    return true;
}

/// Whether all levels have the same width and gap, to the precision of the boxes.
bool even(const Levels& levels) {
    const double width = levels.upper[0] - levels.lower[0];
    const double gap = levels.size() > 1 ? levels.lower[1] - levels.upper[0] : 0;
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const double from = levels.lower[0] + static_cast<double>(k) * (width + gap);
        if (std::abs(levels.lower[k] - from) > 1e-9 * (from + width) ||
            std::abs(levels.upper[k] - from - width) > 1e-9 * (from + width))
            return false;
    }
    return true;
}

}  // namespace

Levels parseLevels(const QString& text) {
    std::vector<double> edges;
    Levels levels;
    for (const auto& [part, typed] : numberParts(text, "edges")) {
        // The minus sign of an exponent is no range.
        qsizetype dash = part.indexOf('-', 1);
        while (dash > 0 && (part[dash - 1] == 'e' || part[dash - 1] == 'E'))
            dash = part.indexOf('-', dash + 1);
        if (dash < 0) {
            edges.push_back(number(part, typed));
            continue;
        }
        levels.lower.push_back(number(part.left(dash), typed.left(dash)));
        levels.upper.push_back(number(part.mid(dash + 1), typed.mid(dash + 1)));
    }
    if (!edges.empty() && levels.size() > 0)
        throw Error(ErrorKind::input, "expected either edges or ranges, found both", "edges");
    if (levels.size() == 0) return edge_levels(edges);
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const bool ascends = levels.lower[k] >= 0 && levels.upper[k] > levels.lower[k] &&
                             (k == 0 || levels.lower[k] >= levels.upper[k - 1]);
        if (!ascends)
            throw Error(ErrorKind::input,
                        "ranges must ascend and not overlap, found " + std::to_string(levels.lower[k]) + "-" +
                            std::to_string(levels.upper[k]),
                        "edges");
    }
    return levels;
}

QString levelsText(const Levels& levels) {
    QStringList parts;
    const auto text = [](double value) { return QString::number(value, 'g', 8); };
    if (levels.size() > 0 && touching(levels)) {
        parts << text(levels.lower[0]);
        for (const double edge : levels.upper) parts << text(edge);
    } else {
        for (std::size_t k = 0; k < levels.size(); ++k)
            parts << text(levels.lower[k]) + QLatin1Char('-') + text(levels.upper[k]);
    }
    return parts.join(QStringLiteral(", "));
}

LevelsForm::LevelsForm(QWidget* parent)
    : QWidget(parent),
      unit_(new QComboBox),
      spacing_(new QComboBox),
      from_(lengthBox(tr("Inner edge of the first ring"))),
      to_(lengthBox(tr("Outer edge of the last ring"))),
      width_(lengthBox(tr("Width of a ring"))),
      gap_(lengthBox(tr("Gap between rings"))),
      start_(new DecimalBox),
      n_(countBox(10000, tr("Number of rings"))),
      sectors_(countBox(360, tr("Number of sectors in each ring"))),
      staticRadial_(countBox(100, tr("Number of static bins along the radius in each q-bin, for I(q, t)"))),
      staticSector_(countBox(100, tr("Number of static bins along the azimuth in each q-bin, for I(q, t)"))),
      edges_(new QLineEdit),
      toLabel_(new QLabel(tr("to"))),
      widthLabel_(new QLabel(tr("Width, gap"))),
      edgesLabel_(new QLabel(tr("Edges"))),
      fromLabel_(new QLabel(tr("From"))) {
    fillFields();
    layOut();
    setUnit(false);
    showRule();
    connectParts();
}

void LevelsForm::fillFields() {
    unit_->addItems({tr("px"), QStringLiteral("1/\u00c5")});
    named(unit_, tr("Unit of the rings"), tr("Unit of the rings: q requires a geometry, pixels do not"));
    spacing_->addItems({tr("equal"), tr("logarithmic"), tr("width and gap"), tr("edges")});
    named(spacing_, tr("Spacing of the rings"), tr("Spacing of the rings"));
    named(edges_, tr("Edges of the rings"),
          tr("For example 0.01, 0.02, 0.03 for contiguous rings, or 0.01-0.015, 0.02-0.025 for rings with "
             "gaps"));
    start_->setRange(-360, 360);
    start_->setDecimals(1);
    start_->setSuffix(QStringLiteral("\u00b0"));
    named(start_, tr("Azimuth where the first sector starts"),
          tr("Azimuth where the first sector starts: 0 is along +x, 90 points down"));
}

void LevelsForm::layOut() {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    auto row = [&, line = 0](QWidget* label, QWidget* first, QWidget* middle, QWidget* second) mutable {
        grid->addWidget(label, line, 0);
        if (second) {
            grid->addWidget(first, line, 1);
            if (middle) grid->addWidget(middle, line, 2, Qt::AlignCenter);
            grid->addWidget(second, line, 3);
        } else {
            grid->addWidget(first, line, 1, 1, 3);
        }
        ++line;
    };
    row(new QLabel(tr("Rings")), n_, nullptr, unit_);
    row(new QLabel(tr("Spacing")), spacing_, nullptr, nullptr);
    row(fromLabel_, from_, toLabel_, to_);
    row(widthLabel_, width_, nullptr, gap_);
    row(edgesLabel_, edges_, nullptr, nullptr);
    row(new QLabel(tr("Sectors")), sectors_, new QLabel(tr("from")), start_);
    auto* const statics = new QLabel(tr("Static"));  // a longer word would widen the dock
    statics->setToolTip(tr("Static bins per q-bin: along the radius, along the azimuth"));
    row(statics, staticRadial_, new QLabel(QStringLiteral("\u00d7")), staticSector_);
}

void LevelsForm::connectParts() {
    const auto edited = [this] {
        if (!setting_) emit changed();
    };
    for (QDoubleSpinBox* box : {from_, to_, width_, gap_, start_})
        connect(box, &QDoubleSpinBox::valueChanged, this, edited);
    for (QSpinBox* box : {n_, sectors_, staticRadial_, staticSector_})
        connect(box, &QSpinBox::valueChanged, this, edited);
    connect(edges_, &QLineEdit::editingFinished, this, edited);
    connect(unit_, &QComboBox::activated, this, [this] { unitChosen(); });
    connect(spacing_, &QComboBox::activated, this, [this, edited](int rule) {
        if (rule == Edges) {
            try {
                spacing_->setCurrentIndex(Linear);
                const QString text = levelsText(recipe().radial);
                spacing_->setCurrentIndex(Edges);
                showEdges(text);
            } catch (const Error&) {
                spacing_->setCurrentIndex(Edges);
            }
        }
        showRule();
        edited();
    });
}

void LevelsForm::showEdges(const QString& text) {
    edges_->setText(text);
    edges_->setCursorPosition(0);  // a long list is read from its start
}

void LevelsForm::showRule() {
    const int rule = spacing_->currentIndex();
    const auto show = [](std::initializer_list<QWidget*> widgets, bool on) {
        for (QWidget* const one : widgets) one->setVisible(on);
    };
    show({toLabel_, to_}, rule == Linear || rule == Logarithmic);
    show({widthLabel_, width_, gap_}, rule == WidthAndGap);
    show({fromLabel_, from_}, rule != Edges);
    show({edgesLabel_, edges_}, rule == Edges);
    n_->setEnabled(rule != Edges);
}

double LevelsForm::converted(double value, bool toQ) const {
    if (!geometry_.complete()) return value;
    return toQ ? geometry_.q_of_radius(value) : geometry_.radius_of_q(value).value_or(0);
}

void LevelsForm::setUnit(bool inQ) {
    inQ_ = inQ;
    unit_->setCurrentIndex(inQ ? 1 : 0);
    for (QDoubleSpinBox* box : {from_, to_, width_, gap_}) static_cast<LengthBox*>(box)->setUnit(inQ);
}

void LevelsForm::setBoxes(double from, double to, double width, double gap) {
    from_->setValue(from);
    to_->setValue(to);
    width_->setValue(width);
    gap_->setValue(gap);
}

void LevelsForm::unitChosen() {
    const bool toQ = unit_->currentIndex() == 1;
    if (toQ == inQ_) return;
    if (toQ && !geometry_.complete()) {
        unit_->setCurrentIndex(0);
        return;
    }
    const bool before = std::exchange(setting_, true);
    const double from = converted(from_->value(), toQ), to = converted(to_->value(), toQ);
    // Widths are converted at the first ring, as q is not linear in the radius.
    const double width = converted(from_->value() + width_->value(), toQ) - from;
    const double gap = converted(from_->value() + width_->value() + gap_->value(), toQ) - from - width;
    if (spacing_->currentIndex() == Edges) {
        try {
            Levels levels = parseLevels(edges_->text());
            for (auto* side : {&levels.lower, &levels.upper})
                for (double& edge : *side) edge = converted(edge, toQ);
            showEdges(levelsText(levels));
        } catch (const Error&) {
            // recipe() reports the error; the text stays as typed.
        }
    }
    setUnit(toQ);
    setBoxes(from, to, width, std::max(gap, 0.0));
    setting_ = before;
    emit changed();
}

void LevelsForm::propose(const Geometry& geometry, std::size_t height, std::size_t width) {
    const QScopedValueRollback quiet(setting_, true);
    geometry_ = geometry;
    const double w = static_cast<double>(width), h = static_cast<double>(height);
    const double cx = geometry.beam_x, cy = geometry.beam_y;
    // From the nearest point of the frame to slightly beyond half the distance to the farthest corner.
    const double nearest = std::hypot(cx - std::clamp(cx, 0.0, w), cy - std::clamp(cy, 0.0, h));
    const double farthest = std::hypot(std::max(cx, w - cx), std::max(cy, h - cy));
    constexpr int rings = 8;
    const double step = std::max(1.0, std::floor(0.75 * (farthest - nearest) / rings));
    const double from = std::max(std::ceil(nearest), step);
    setUnit(false);
    spacing_->setCurrentIndex(Linear);
    n_->setValue(rings);
    sectors_->setValue(1);
    start_->setValue(0);
    staticRadial_->setValue(1);
    staticSector_->setValue(1);
    setBoxes(from, from + rings * step, step, 0);
    unit_->setEnabled(geometry.complete());
    showRule();
}

void LevelsForm::setGeometry(const Geometry& geometry) {
    if (inQ_ && !geometry.complete()) {
        const QScopedValueRollback quiet(setting_, true);
        unit_->setCurrentIndex(0);
        unitChosen();
    }
    geometry_ = geometry;
    unit_->setEnabled(geometry.complete());
}

Levels LevelsForm::levels(const Fields& fields) {
    const auto n = static_cast<std::size_t>(fields.rings);
    switch (fields.spacing) {
        case Logarithmic:
            return logarithmic_levels(fields.from, fields.to, n);
        case WidthAndGap:
            return spaced_levels(fields.from, fields.width, fields.gap, n);
        case Edges:
            return parseLevels(fields.edges);
        default:
            return linear_levels(fields.from, fields.to, n);
    }
}

PartitionRecipe LevelsForm::recipe() const {
    PartitionRecipe recipe;
    recipe.geometry = geometry_;
    recipe.in_q = inQ_;
    recipe.radial = levels(fields());
    recipe.sectors = static_cast<std::size_t>(sectors_->value());
    recipe.phi_start = start_->value();
    recipe.static_per_radial = static_cast<std::size_t>(staticRadial_->value());
    recipe.static_per_sector = static_cast<std::size_t>(staticSector_->value());
    return recipe;
}

LevelsForm::Fields LevelsForm::fields() const {
    return {spacing_->currentIndex(), n_->value(),   sectors_->value(), staticRadial_->value(),
            staticSector_->value(),   inQ_,          from_->value(),    to_->value(),
            width_->value(),          gap_->value(), start_->value(),   edges_->text()};
}

void LevelsForm::setFields(const Fields& fields) {
    const QScopedValueRollback quiet(setting_, true);
    setUnit(fields.inQ);
    spacing_->setCurrentIndex(fields.spacing);
    n_->setValue(fields.rings);
    sectors_->setValue(fields.sectors);
    staticRadial_->setValue(fields.staticRadial);
    staticSector_->setValue(fields.staticSector);
    setBoxes(fields.from, fields.to, fields.width, fields.gap);
    start_->setValue(fields.start);
    showEdges(fields.edges);
    showRule();
}

void LevelsForm::showMade(const Fields& made, const Levels& levels) {
    const Fields before = fields();
    n_->setValue(made.rings);
    setBoxes(made.from, made.to, made.width, made.gap);
    spacing_->setCurrentIndex(made.spacing);
    bool same = false;
    try {
        same = made.inQ == inQ_ && recipe().radial == levels;
    } catch (const Error&) {
        // A rule that produces no levels at all does not describe these.
    }
    if (!same) setFields(before);
}

void LevelsForm::setRecipe(const PartitionRecipe& given, const std::optional<Fields>& made) {
    const QScopedValueRollback quiet(setting_, true);
    geometry_ = given.geometry;
    unit_->setEnabled(geometry_.complete());
    setUnit(given.in_q);
    const Levels& levels = given.radial;
    n_->setValue(static_cast<int>(levels.size()));
    if (levels.size() > 0) {
        const double gap = levels.size() > 1 ? levels.lower[1] - levels.upper[0] : 0;
        setBoxes(levels.lower.front(), levels.upper.back(), levels.upper[0] - levels.lower[0], gap);
        showEdges(levelsText(levels));
        // The boxes round: a rule is shown only for levels that it reproduces exactly.
        spacing_->setCurrentIndex(!even(levels) ? Edges : gap > 0 ? WidthAndGap : Linear);
        sectors_->setValue(static_cast<int>(given.sectors));
        start_->setValue(given.phi_start);
        staticRadial_->setValue(static_cast<int>(given.static_per_radial));
        staticSector_->setValue(static_cast<int>(given.static_per_sector));
        if (!(recipe().radial == levels)) spacing_->setCurrentIndex(Edges);
        if (made) showMade(*made, levels);
    }
    showRule();
}

}  // namespace ks::ui::xpcs
