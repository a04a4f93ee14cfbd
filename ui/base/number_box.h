#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>
#include <QString>
#include <optional>
#include <string>

namespace ks::ui {

/// Range of a field whose parameter has no minimum or maximum.
inline constexpr double unboundedNumber = 1e300;

/// A field for a number with a fixed count of decimals. Every number field is a DecimalBox, NumberBox or
/// WholeBox, so that all read (readNumber()) and show numbers alike: with a decimal point and without groups,
/// whatever the locale. Groups of digits are understood where they leave no doubt (readGroupedNumber()). A
/// typed number is committed when it is complete (Enter, or loss of focus) and is clamped to the range. Text
/// that is no number, or for a count no whole one, leaves the value unchanged. In both cases a tip at the
/// field says so, and nothing is run with the value instead (holdForFields()). A field with a special text
/// (QAbstractSpinBox::specialValueText) shows it once emptied.
class DecimalBox : public QDoubleSpinBox {
  public:
    explicit DecimalBox(QWidget* parent = nullptr);

    /// Shown after the number, in the singular after 1. Both are understood where they are typed.
    /// @param unit as ParameterSpec::unit
    void setUnit(const std::string& unit);
    const std::string& unit() const { return unit_; }
    /// The smallest number that may be typed, if the special text has a position of its own below it.
    void setSmallest(double value) { smallest_ = value; }

    /// Why what was typed and is not committed yet is not taken as it is; empty: it is, or nothing was typed.
    QString refusal() const;

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;

    /// The text of a value in a field that has room for it, for messages.
    virtual QString wholeText(double value) const { return textFromValue(value); }

  protected:
    /// The text without prefix and suffix.
    QString typed(const QString& text) const;
    /// To be called where the value changes without a signal.
    void showUnit();

  private:
    std::string unit_;
    std::optional<double> smallest_;
};

/// A field for a number of any magnitude, shown as short as possible: "0", "65535", "0.0123 px". What is
/// wider than the field is shortened ("1e+09"), and rounded where that is not sufficient, but not while the
/// field has the focus: a part of a number would look like another number. If it has a special text
/// (QAbstractSpinBox::specialValueText), the first step up from it leads to a number of the magnitude of the
/// range.
class NumberBox : public DecimalBox {
  public:
    static constexpr int usualDigits = 7;
    /// @param digits maximum number of digits shown
    /// @param widest text that fits at the minimum width, besides unit and special text
    explicit NumberBox(QWidget* parent = nullptr, int digits = usualDigits,
                       QString widest = QStringLiteral("0000000"));

    QString textFromValue(double value) const override;
    QString wholeText(double value) const override;
    double valueFromText(const QString& text) const override;
    void stepBy(int steps) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    bool fits(const QString& number) const;
    /// The same value, for another width or focus.
    void showAgain();

    int digits_;
    QString widest_;
};

/// A field for a count.
class WholeBox : public QSpinBox {
  public:
    explicit WholeBox(QWidget* parent = nullptr);

    /// As DecimalBox::refusal().
    QString refusal() const;

    QString textFromValue(int value) const override;
    int valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;
};

}  // namespace ks::ui
