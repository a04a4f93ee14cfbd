#include "ui/shell/general/source_view.h"

#include <QFontDatabase>
#include <QMouseEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QTextBlock>
#include <algorithm>

#include "ui/base/palette.h"
#include "ui/shell/general/kernel_highlighter.h"

namespace ks::ui {
namespace {

constexpr int marginGap = 6;
constexpr int tabWidth = 4;

QRegularExpressionMatch includeIn(const QString& line) {
    static const QRegularExpression directive(QStringLiteral("^\\s*#\\s*include\\s+\"([^\"]+)\""));
    return directive.match(line);
}

}  // namespace

/// At the left of the text.
class SourceView::Margin : public QWidget {
  public:
    explicit Margin(SourceView* view) : QWidget(view), view_(*view) {}
    QSize sizeHint() const override { return {view_.marginWidth(), 0}; }

  protected:
    void paintEvent(QPaintEvent* event) override { view_.paintMargin(event); }

  private:
    SourceView& view_;
};

SourceView::SourceView(QWidget* parent)
    : QPlainTextEdit(parent), margin_(new Margin(this)), colours_(new KernelHighlighter(document())) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Kernel source"));
    setWhatsThis(tr("The kernel file of the chosen variant. Names of included files are links."));
    viewport()->setMouseTracking(true);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &SourceView::placeMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& part, int down) {
        if (down != 0)
            margin_->scroll(0, down);
        else
            margin_->update(0, part.y(), margin_->width(), part.height());
    });
    take();
}

void SourceView::take() {
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(QWidget::font().pointSizeF());
    document()->setDefaultFont(fixed);
    margin_->setFont(fixed);
    setTabStopDistance(tabWidth * QFontMetricsF(fixed).horizontalAdvance(QLatin1Char(' ')));
    colours_->setPalette(palette());
    markIncludes();
    placeMargin();
}

void SourceView::setSource(const QString& file, const QString& text) {
    if (file == file_ && text == toPlainText()) return;
    file_ = file;
    marked_ = 0;
    setPlainText(text);
    markIncludes();
}

void SourceView::showLine(int line) {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) return;
    marked_ = line;
    setTextCursor(QTextCursor(block));
    centerCursor();
    markIncludes();
}

void SourceView::markIncludes() {
    QList<QTextEdit::ExtraSelection> marks;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const QRegularExpressionMatch match = includeIn(block.text());
        if (!match.hasMatch()) continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.cursor.setPosition(block.position() + static_cast<int>(match.capturedStart(1)));
        mark.cursor.setPosition(block.position() + static_cast<int>(match.capturedEnd(1)),
                                QTextCursor::KeepAnchor);
        mark.format.setForeground(palette().color(QPalette::Link));
        mark.format.setFontUnderline(true);
        marks << mark;
    }
    if (const QTextBlock block = document()->findBlockByNumber(marked_ - 1); marked_ > 0 && block.isValid()) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setBackground(
            mixed(palette().color(QPalette::Highlight), palette().color(QPalette::Base), 0.25));
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    setExtraSelections(marks);
}

int SourceView::marginWidth() const {
    const auto digits = QString::number(std::max(blockCount(), 100)).size();
    return 2 * marginGap +
           static_cast<int>(digits) * QFontMetrics(document()->defaultFont()).horizontalAdvance(u'0');
}

void SourceView::placeMargin() {
    setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    margin_->setGeometry(inside.left(), inside.top(), marginWidth(), inside.height());
}

void SourceView::paintMargin(QPaintEvent* event) {
    QPainter painter(margin_);
    painter.fillRect(event->rect(),
                     mixed(palette().color(QPalette::Window), palette().color(QPalette::Base), 0.6));
    painter.setPen(mixed(palette().color(QPalette::Text), palette().color(QPalette::Base), 0.6));
    QRectF place = blockBoundingGeometry(firstVisibleBlock()).translated(contentOffset());
    for (QTextBlock block = firstVisibleBlock(); block.isValid() && place.top() <= event->rect().bottom();
         block = block.next()) {
        place.setHeight(blockBoundingRect(block).height());
        painter.drawText(QRectF(0, place.top(), margin_->width() - marginGap, place.height()),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(block.blockNumber() + 1));
        place.moveTop(place.bottom());
    }
}

void SourceView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
}

void SourceView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) take();
}

QString SourceView::includeAt(const QPoint& at) const {
    const QTextCursor cursor = cursorForPosition(at);
    const QRegularExpressionMatch match = includeIn(cursor.block().text());
    const int column = cursor.positionInBlock();
    const bool on = match.hasMatch() && column >= match.capturedStart(1) && column <= match.capturedEnd(1);
    return on ? match.captured(1) : QString();
}

void SourceView::mouseMoveEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseMoveEvent(event);
    viewport()->setCursor(includeAt(event->pos()).isEmpty() ? Qt::IBeamCursor : Qt::PointingHandCursor);
}

void SourceView::mouseReleaseEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseReleaseEvent(event);
    const QString name = includeAt(event->pos());
    if (event->button() == Qt::LeftButton && !name.isEmpty() && !textCursor().hasSelection())
        emit includeClicked(name);
}

}  // namespace ks::ui
