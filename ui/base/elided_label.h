#pragma once

#include <QLabel>
#include <QResizeEvent>
#include <QStringList>
#include <algorithm>
#include <utility>

namespace ks::ui {

/// One line of text that is replaced by a shorter version, or ends in an ellipsis, where there is no room.
/// The tool tip is the full text.
class ElidedLabel : public QLabel {
  public:
    explicit ElidedLabel(QWidget* parent = nullptr) : QLabel(parent) {
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        setTextFormat(Qt::PlainText);
    }
    /// @param shorter shorter versions, longest first: the first one that fits is shown
    void setWhole(const QString& text, QStringList shorter = {}) {
        whole_ = text;
        shorter_ = std::move(shorter);
        setToolTip(text);
        elide();
    }
    const QString& whole() const { return whole_; }
    /// Reserves the width of such a text, whatever is shown, so that neighbours do not move when the text
    /// changes.
    void setUsual(const QString& text) {
        usual_ = text;
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
        updateGeometry();
    }
    QSize sizeHint() const override {
        QSize size = QLabel::sizeHint();
        if (!usual_.isEmpty()) size.setWidth(fontMetrics().horizontalAdvance(usual_) + 2);
        return size;
    }
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        elide();
    }

  private:
    void elide() {
        const int room = contentsRect().width();
        const QFontMetrics metrics = fontMetrics();
        const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= room; };
        const auto fitting = std::ranges::find_if(shorter_, fits);
        const QString& said = fits(whole_) || shorter_.isEmpty() ? whole_
                              : fitting == shorter_.end()        ? shorter_.last()
                                                                 : *fitting;
        setText(metrics.elidedText(said, Qt::ElideRight, room));
    }
    QString whole_, usual_;
    QStringList shorter_;
};

}  // namespace ks::ui
