#pragma once

#include <QDoubleSpinBox>
#include <QString>

namespace ks::ui {

/// Range of a field whose parameter names no minimum or maximum.
inline constexpr double unboundedNumber = 1e300;

/// A field for a number of any size, shown as short as it is: "0", "65535", "0.0123 px". A typed number
/// counts when it is complete; the wheel changes only a field that has the focus, elsewhere it scrolls the
/// form. Where the field has a special text (QAbstractSpinBox::specialValueText), the first step up from it
/// leads to a number of the range's size.
class NumberBox : public QDoubleSpinBox {
  public:
    /// @param digits shown at most
    /// @param widest text that has room in its narrowest width, besides unit and special text
    explicit NumberBox(QWidget* parent = nullptr, int digits = 7, QString widest = QStringLiteral("0000000"));

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void wheelEvent(QWheelEvent* event) override;

  private:
    bool isSpecial(const QString& text) const;
    QString withoutSuffix(const QString& text) const;

    int digits_;
    QString widest_;
};

}  // namespace ks::ui
