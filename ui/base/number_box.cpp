#include "ui/base/number_box.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "ui/base/form_parts.h"
#include "ui/base/input/field_tip.h"
#include "ui/base/input/number_text.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

template <class Box>
QString withoutUnits(const Box& box, const QString& text) {
    QString rest = text.trimmed();
    const QString before = box.prefix().trimmed(), behind = box.suffix().trimmed();
    if (!before.isEmpty() && rest.startsWith(before)) rest = rest.mid(before.size());
    // The unit stays where a number is typed, also one with its unit.
    QStringList endings{behind};
    if constexpr (requires { box.unit(); })
        for (const double number : {1.0, 2.0}) endings << unitSuffix(box.unit(), number).trimmed();
    endings.removeAll(QString());
    const auto ending = [&] {
        return std::ranges::find_if(endings, [&rest](const QString& one) { return rest.endsWith(one); });
    };
    for (auto one = ending(); one != endings.end(); one = ending())
        rest = rest.chopped(one->size()).trimmed();
    return rest.trimmed();
}

/// Whether the text is the word for a value that is absent: "all", also before the unit, which stays where a
/// number is replaced; an emptied field means the same.
template <class Box>
bool isSpecial(const Box& box, const QString& text) {
    const QString special = box.specialValueText().trimmed();
    if (special.isEmpty()) return false;
    const QString number = withoutUnits(box, text);
    return number.isEmpty() || number == special || text.trimmed() == special;
}

/// A number, with or without groups of digits: "1,000", "20.000.000", "1.5e3".
/// @param whole only a whole one
std::optional<double> readTyped(const QString& text, bool whole) {
    if (whole) return readWholeNumber(text);
    const std::optional<double> grouped = readGroupedNumber(text, false);
    return grouped ? grouped : readNumber(text);
}

/// Names the mark of "1,500" (or of "1.500" in a field for whole numbers) that could be either of two, and
/// what to write instead.
QString ambiguous(const QString& number, bool whole) {
    const QString mark =
        number.contains(QLatin1Char(',')) ? DecimalBox::tr("comma") : DecimalBox::tr("point");
    if (whole)
        return DecimalBox::tr("The %1 of \"%2\" could be a decimal mark or a thousands separator: write %3")
            .arg(mark, number, QString::number(*readGroupedNumber(number, true), 'f', 0));
    return DecimalBox::tr("The %1 of \"%2\" could be a decimal mark or a thousands separator: write %3 or %4")
        .arg(mark, number, QString(number).replace(QLatin1Char(','), QLatin1Char('.')),
             QString(number).remove(QLatin1Char(',')));
}

template <class Box, class Number>
QString wholeTextOf(const Box& box, Number value) {
    if constexpr (requires { box.wholeText(value); }) return box.wholeText(value);
    return box.textFromValue(value);
}

/// Empty: the text is taken as it is.
/// @param whole only a whole number is taken
/// @param smallest that is taken as it is
template <class Box>
QString problemOf(const Box& box, const QString& text, bool whole, double smallest) {
    if (isSpecial(box, text)) return {};
    const QString number = withoutUnits(box, text);
    std::optional<double> value = readTyped(number, whole);
    // Some boxes read more than numbers: a wavelength, an energy.
    int position = 0;
    if (QString copy = text; !value && box.validate(copy, position) == QValidator::Acceptable)
        value = static_cast<double>(box.valueFromText(text));
    if (!value) {
        if (readGroupedNumber(number, true)) return ambiguous(number, whole);
        return (whole ? DecimalBox::tr("\"%1\" is not a whole number; the value stays as it was")
                      : DecimalBox::tr("\"%1\" is not a number; the value stays as it was"))
            .arg(number);
    }
    const QString special = box.specialValueText().trimmed();
    if (*value > static_cast<double>(box.maximum()))
        return DecimalBox::tr("%1 is more than the largest value allowed here; %2 is used instead")
            .arg(number, wholeTextOf(box, box.maximum()));
    if (*value < smallest)
        return DecimalBox::tr("%1 is less than the smallest value allowed here; %2 is used instead")
            .arg(number,
                 special.isEmpty() ? wholeTextOf(box, box.minimum()) : QStringLiteral("\"%1\"").arg(special));
    return {};
}

template <class Box>
QString refusalOf(const Box& box, bool whole, double smallest) {
    // Not what Qt calls modified: a character typed in place of the special text, to which the unit is added,
    // is not.
    const bool isSpecialValue = !box.specialValueText().isEmpty() && box.value() == box.minimum();
    const QString shown = isSpecialValue ? box.specialValueText()
                                         : box.prefix() + box.textFromValue(box.value()) + box.suffix();
    return box.text() == shown ? QString() : problemOf(box, box.text(), whole, smallest);
}

/// Tells the user at the field, once typing has ended, that what was typed is refused or beyond the range.
template <class Box>
class TypedCheck : public QObject {
  public:
    explicit TypedCheck(Box* box) : QObject(box) { box->installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        // A widget that is being destroyed still loses focus and pointer, but is no Box any more.
        auto* const box = dynamic_cast<Box*>(watched);
        if (!box) return false;
        const bool ends =
            event->type() == QEvent::FocusOut ||
            (event->type() == QEvent::KeyPress && (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Return ||
                                                   static_cast<QKeyEvent*>(event)->key() == Qt::Key_Enter));
        if (!ends || !box->isVisible()) return false;
        if (const QString why = box->refusal(); !why.isEmpty()) tellAtField(*box, why);
        return false;
    }
};

// Any text can be typed, so that the field can say at the end why it is not taken.
QValidator::State stateOf(const std::optional<double>& value) {
    return value ? QValidator::Acceptable : QValidator::Intermediate;
}

}  // namespace

DecimalBox::DecimalBox(QWidget* parent) : QDoubleSpinBox(parent) {
    setKeyboardTracking(false);
    new TypedCheck<DecimalBox>(this);
    connect(this, &QDoubleSpinBox::valueChanged, this, [this] {
        if (!unit_.empty()) showUnit();
    });
}

QString DecimalBox::refusal() const {
    return refusalOf(*this, decimals() == 0, smallest_.value_or(minimum()));
}

void DecimalBox::setUnit(const std::string& unit) {
    unit_ = unit;
    if (unit_.empty()) setSuffix({});
    showUnit();
}

void DecimalBox::showUnit() {
    if (unit_.empty()) return;
    if (const QString unit = unitSuffix(unit_, value()); unit != suffix()) setSuffix(unit);
}

QString DecimalBox::typed(const QString& text) const {
    return withoutUnits(*this, text);
}

QString DecimalBox::textFromValue(double value) const {
    return QString::number(value, 'f', decimals());
}

double DecimalBox::valueFromText(const QString& text) const {
    return isSpecial(*this, text) ? minimum() : readTyped(typed(text), decimals() == 0).value_or(value());
}

QValidator::State DecimalBox::validate(QString& text, int&) const {
    if (isSpecial(*this, text)) return QValidator::Acceptable;
    return stateOf(readTyped(typed(text), decimals() == 0));
}

// Qt's version removes group separators, which it may take a decimal comma or point for.
void DecimalBox::fixup(QString&) const {}

NumberBox::NumberBox(QWidget* parent, int digits, QString widest)
    : DecimalBox(parent), digits_(digits), widest_(std::move(widest)) {
    setRange(std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
    setDecimals(9);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setAlignment(Qt::AlignRight);
}

QString NumberBox::textFromValue(double value) const {
    const QString whole = wholeText(value);
    if (!isVisible() || fits(whole)) return whole;
    if (const QString brief = QString::number(value, 'g', digits_);
        brief.size() < whole.size() && brief.toDouble() == whole.toDouble() && fits(brief))
        return brief;
    if (hasFocus()) return whole;
    QString shortest = whole;
    for (int digits = digits_ - 1; digits > 0 && !fits(shortest); --digits)
        for (const QString& one : {formatNumber(value, digits), QString::number(value, 'g', digits)})
            if (one.size() < shortest.size() && !fits(shortest)) shortest = one;
    return shortest;
}

QString NumberBox::wholeText(double value) const {
    return formatNumber(value, digits_);
}

// A number that was rounded for its field is not rounded itself where its text is read again.
double NumberBox::valueFromText(const QString& text) const {
    return text == prefix() + textFromValue(value()) + suffix() ? value() : DecimalBox::valueFromText(text);
}

bool NumberBox::fits(const QString& number) const {
    constexpr int inset = 2;  // of the text in a line edit, on either side
    const QMargins margins = lineEdit()->textMargins();
    const int room = lineEdit()->contentsRect().width() - margins.left() - margins.right() - 2 * inset;
    return fontMetrics().horizontalAdvance(prefix() + number + suffix()) <= room;
}

void NumberBox::showAgain() {
    if (lineEdit()->isModified() || (!specialValueText().isEmpty() && value() == minimum())) return;
    const QSignalBlocker quiet(lineEdit());
    if (const QString now = prefix() + textFromValue(value()) + suffix(); now != lineEdit()->text())
        lineEdit()->setText(now);
}

void NumberBox::resizeEvent(QResizeEvent* event) {
    DecimalBox::resizeEvent(event);
    showAgain();
}

void NumberBox::showEvent(QShowEvent* event) {
    DecimalBox::showEvent(event);
    showAgain();
}

void NumberBox::focusInEvent(QFocusEvent* event) {
    showAgain();
    DecimalBox::focusInEvent(event);
}

void NumberBox::focusOutEvent(QFocusEvent* event) {
    DecimalBox::focusOutEvent(event);
    lineEdit()->setModified(false);
    showAgain();
}

// The special text stands for a value close to 0, whose own step would be tiny.
void NumberBox::stepBy(int steps) {
    if (!specialValueText().isEmpty() && value() == minimum() && decimals() > 0 && steps > 0)
        setValue(std::min(0.1, maximum() / 1000));
    else
        DecimalBox::stepBy(steps);
}

QSize NumberBox::sizeHint() const {
    QSize size = DecimalBox::sizeHint();
    const QFontMetrics metrics = fontMetrics();
    size.setWidth(
        std::max(metrics.horizontalAdvance(widest_ + (unit().empty() ? suffix() : unitSuffix(unit()))),
                 metrics.horizontalAdvance(specialValueText())) +
        30);
    return size;
}

WholeBox::WholeBox(QWidget* parent) : QSpinBox(parent) {
    setKeyboardTracking(false);
    new TypedCheck<WholeBox>(this);
}

QString WholeBox::refusal() const {
    return refusalOf(*this, true, minimum());
}

QString WholeBox::textFromValue(int value) const {
    return QString::number(value);
}

int WholeBox::valueFromText(const QString& text) const {
    if (isSpecial(*this, text)) return minimum();
    const double number = readTyped(withoutUnits(*this, text), true).value_or(value());
    return static_cast<int>(
        std::clamp(number, static_cast<double>(minimum()), static_cast<double>(maximum())));
}

QValidator::State WholeBox::validate(QString& text, int&) const {
    if (isSpecial(*this, text)) return QValidator::Acceptable;
    return stateOf(readTyped(withoutUnits(*this, text), true));
}

void WholeBox::fixup(QString&) const {}

}  // namespace ks::ui
