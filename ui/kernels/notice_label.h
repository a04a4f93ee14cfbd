#pragma once

#include <QLabel>

namespace ks::ui {

/// A notice that is read whole: it takes as many lines as it needs, and one if it fits into that. The tool
/// tip is the same text.
class NoticeLabel : public QLabel {
  public:
    explicit NoticeLabel(QWidget* parent = nullptr) : QLabel(parent) {
        QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
    }
    void setWhole(const QString& text) {
        setText(text);
        setToolTip(text);
    }
    QSize sizeHint() const override { return {0, lineHeight()}; }
    QSize minimumSizeHint() const override { return {0, lineHeight()}; }

  private:
    int lineHeight() const {
        const QMargins margins = contentsMargins();
        return fontMetrics().height() + margins.top() + margins.bottom();
    }
};

}  // namespace ks::ui
