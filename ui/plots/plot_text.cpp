#include "ui/plots/plot_text.h"

#include "ui/base/palette.h"

namespace ks::ui {

WrappedText::WrappedText(QCustomPlot& plot, const QString& text, const QPalette& palette)
    : QCPItemText(&plot) {
    setClipToAxisRect(false);
    setText(text);
    setFont(plot.font());
    setColor(mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.7));
}

void WrappedText::draw(QCPPainter* painter) {
    painter->setFont(mainFont());
    painter->setPen(mainColor());
    painter->drawText(QRectF(parentPlot()->viewport()).adjusted(6, 4, -6, -4),
                      Qt::AlignCenter | Qt::TextWordWrap, text());
}

void ElidedTitle::draw(QCPPainter* painter) {
    painter->setFont(mainFont());
    painter->setPen(mainTextColor());
    painter->drawText(rect(), Qt::AlignCenter | Qt::TextSingleLine,
                      QFontMetrics(mainFont()).elidedText(text(), Qt::ElideMiddle, rect().width()));
}

}  // namespace ks::ui
