#pragma once

#include <limits>

#include <QDoubleSpinBox>

#include "ui/plots/palette.h"

namespace ks::ui {

/// A field for a pixel value of any size, shown as short as it is: "0", "65535", "0.0123".
class ValueBox : public QDoubleSpinBox {
  public:
    explicit ValueBox(QWidget* parent = nullptr) : QDoubleSpinBox(parent) {
        setRange(std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
        setDecimals(9);
        setKeyboardTracking(false);
        setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        setAlignment(Qt::AlignRight);
    }
    QString textFromValue(double value) const override { return formatNumber(value, 9); }
    double valueFromText(const QString& text) const override { return text.trimmed().toDouble(); }
    QValidator::State validate(QString& text, int&) const override {
        bool number = false;
        text.trimmed().toDouble(&number);
        return number ? QValidator::Acceptable : QValidator::Intermediate;
    }
    QSize sizeHint() const override {
        QSize size = QDoubleSpinBox::sizeHint();
        size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000000")) + 28);
        return size;
    }
    QSize minimumSizeHint() const override { return sizeHint(); }
};

}  // namespace ks::ui
