#pragma once

#include <limits>

#include <QDoubleSpinBox>

#include "ui/plots/palette.h"

namespace ks::ui {

/// A field for a pixel value of any size, shown as short as it is: "0", "65535", "0.0123".
class ValueBox : public QDoubleSpinBox {
  public:
    /// @param digits shown at most
    /// @param width logical pixels beside the text of `widest`
    explicit ValueBox(QWidget* parent = nullptr, int digits = 9,
                      const QString& widest = QStringLiteral("0000000"), int width = 28)
        : QDoubleSpinBox(parent), digits_(digits), widest_(widest), width_(width) {
        setRange(std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
        setDecimals(9);
        setKeyboardTracking(false);
        setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        setAlignment(Qt::AlignRight);
    }
    QString textFromValue(double value) const override { return formatNumber(value, digits_); }
    double valueFromText(const QString& text) const override { return text.trimmed().toDouble(); }
    QValidator::State validate(QString& text, int&) const override {
        bool number = false;
        text.trimmed().toDouble(&number);
        return number ? QValidator::Acceptable : QValidator::Intermediate;
    }
    QSize sizeHint() const override {
        QSize size = QDoubleSpinBox::sizeHint();
        size.setWidth(fontMetrics().horizontalAdvance(widest_) + width_);
        return size;
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

  private:
    int digits_;
    QString widest_;
    int width_;
};

}  // namespace ks::ui
