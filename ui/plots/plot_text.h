#pragma once

#include <qcustomplot.h>
#include <QString>

namespace ks::ui {

/// A text in the middle of the whole plot, broken into lines where the plot is narrow.
class WrappedText : public QCPItemText {
    Q_OBJECT
  public:
    WrappedText(QCustomPlot& plot, const QString& text, const QPalette& palette);

  protected:
    void draw(QCPPainter* painter) override;
};

/// A heading over a plot that is cut with an ellipsis where the plot is narrow.
class ElidedTitle : public QCPTextElement {
    Q_OBJECT
  public:
    explicit ElidedTitle(QCustomPlot& plot) : QCPTextElement(&plot) {}

  protected:
    void draw(QCPPainter* painter) override;
    QSize minimumOuterSizeHint() const override {
        return {0, QCPTextElement::minimumOuterSizeHint().height()};
    }
};

}  // namespace ks::ui
