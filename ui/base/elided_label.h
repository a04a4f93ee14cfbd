#pragma once

#include <QLabel>
#include <QResizeEvent>

namespace ks::ui {

/// A line that ends in three dots where it has no room; the whole is its tool tip.
class ElidedLabel : public QLabel {
  public:
    explicit ElidedLabel(QWidget* parent = nullptr) : QLabel(parent) {
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        setTextFormat(Qt::PlainText);
    }
    void setWhole(const QString& text) {
        whole_ = text;
        setToolTip(text);
        elide();
    }
    const QString& whole() const { return whole_; }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        elide();
    }

  private:
    void elide() { setText(fontMetrics().elidedText(whole_, Qt::ElideRight, contentsRect().width())); }
    QString whole_;
};

}  // namespace ks::ui
