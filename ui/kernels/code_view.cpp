#include "ui/kernels/code_view.h"

#include <QFontDatabase>
#include <QMouseEvent>
#include <QPainter>
#include <QTextBlock>
#include <algorithm>

#include "ui/base/palette.h"
#include "ui/kernels/kernel_highlighter.h"

namespace ks::ui {
namespace {

constexpr int marginGap = 6;
constexpr int markWidth = 12;
constexpr int tabWidth = 4;

QColor colourOf(CodeView::Mark mark, bool dark) {
    if (mark == CodeView::Mark::error) return dark ? QColor(0xff, 0x7b, 0x72) : QColor(0xc6, 0x28, 0x28);
    return dark ? QColor(0xe3, 0xb3, 0x41) : QColor(0xb2, 0x6a, 0x00);
}

}  // namespace

/// The margin at the left of the text.
class CodeView::Margin : public QWidget {
  public:
    explicit Margin(CodeView* view) : QWidget(view), view_(*view) {}
    QSize sizeHint() const override { return {view_.marginWidth(), 0}; }

  protected:
    void paintEvent(QPaintEvent* event) override { view_.paintMargin(event); }
    void mousePressEvent(QMouseEvent* event) override {
        if (const int line = view_.lineAt(event->pos().y()); line >= 0) emit view_.marginClicked(line);
    }
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }

  private:
    CodeView& view_;
};

CodeView::CodeView(QWidget* parent)
    : QPlainTextEdit(parent), margin_(new Margin(this)), colours_(new KernelHighlighter(document())) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::placeMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& part, int down) {
        if (down != 0)
            margin_->scroll(0, down);
        else
            margin_->update(0, part.y(), margin_->width(), part.height());
    });
    take();
}

void CodeView::useDocument(QTextDocument& document) {
    // Ends with the displayed document, which may outlive the parts of the view and would otherwise still
    // notify them.
    colours_->setDocument(&document);
    colours_->setParent(&document);
    setDocument(&document);
    take();
}

void CodeView::take() {
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(QWidget::font().pointSizeF());
    document()->setDefaultFont(fixed);
    margin_->setFont(fixed);
    setTabStopDistance(tabWidth * QFontMetricsF(fixed).horizontalAdvance(QLatin1Char(' ')));
    colours_->setPalette(palette());
    showMarks();
    placeMargin();
}

void CodeView::setLabels(const QStringList& labels) {
    labels_ = labels;
    placeMargin();
    margin_->update();
}

void CodeView::setGrounds(const QList<Ground>& grounds) {
    grounds_ = grounds;
    showMarks();
    margin_->update();
}

void CodeView::setMarks(const QHash<int, Mark>& marks) {
    marks_ = marks;
    placeMargin();
    margin_->update();
}

void CodeView::goToLine(int line) {
    const QTextBlock block = document()->findBlockByNumber(line);
    if (!block.isValid()) return;
    marked_ = line;
    setTextCursor(QTextCursor(block));
    centerCursor();
    showMarks();
}

int CodeView::setSearched(const QString& text, QTextDocument::FindFlags flags) {
    searched_ = text;
    searchFlags_ = flags;
    showMarks();
    if (text.isEmpty()) return 0;
    int count = 0;
    for (QTextCursor at = document()->find(text, 0, flags); !at.isNull();
         at = document()->find(text, at, flags))
        ++count;
    return count;
}

QColor CodeView::colourOf(Ground ground) const {
    const QColor base = palette().color(QPalette::Base);
    const bool dark = isDark(palette());
    switch (ground) {
        case Ground::plain:
            break;
        case Ground::included:
            return mixed(palette().color(QPalette::Text), base, 0.06);
        case Ground::removed:
            return mixed(QColor(0xd7, 0x3a, 0x49), base, dark ? 0.30 : 0.18);
        case Ground::added:
            return mixed(QColor(0x2e, 0xa0, 0x43), base, dark ? 0.32 : 0.20);
        case Ground::changed:
            return mixed(QColor(0xd2, 0x99, 0x22), base, dark ? 0.28 : 0.20);
        case Ground::absent:
            return mixed(palette().color(QPalette::Window), base, 0.9);
        case Ground::chosen:
            return mixed(palette().color(QPalette::Highlight), base, 0.25);
    }
    return base;
}

void CodeView::showMarks() {
    QList<QTextEdit::ExtraSelection> marks;
    if (!searched_.isEmpty())
        for (QTextCursor at = document()->find(searched_, 0, searchFlags_); !at.isNull();
             at = document()->find(searched_, at, searchFlags_)) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = at;
            mark.format.setBackground(isDark(palette()) ? QColor(0x6b, 0x56, 0x0c)
                                                        : QColor(0xff, 0xe5, 0x8a));
            marks << mark;
        }
    marks << ownMarks();
    setExtraSelections(marks);
    viewport()->update();
}

// Behind the text, over the whole width: marks of the text itself leave gaps behind slanted letters.
void CodeView::paintEvent(QPaintEvent* event) {
    {
        QPainter painter(viewport());
        for (const auto& [line, place] : linesTo(event->rect().bottom())) {
            const Ground ground = line == marked_ ? Ground::chosen : grounds_.value(line, Ground::plain);
            if (ground != Ground::plain)
                painter.fillRect(QRectF(0, place.top(), viewport()->width(), place.height()),
                                 colourOf(ground));
        }
    }
    QPlainTextEdit::paintEvent(event);
}

std::vector<std::pair<int, QRectF>> CodeView::linesTo(int y) const {
    std::vector<std::pair<int, QRectF>> lines;
    QRectF place = blockBoundingGeometry(firstVisibleBlock()).translated(contentOffset());
    for (QTextBlock block = firstVisibleBlock(); block.isValid() && place.top() <= y; block = block.next()) {
        if (!block.isVisible()) continue;
        place.setHeight(blockBoundingRect(block).height());
        lines.emplace_back(block.blockNumber(), place);
        place.moveTop(place.bottom());
    }
    return lines;
}

QString CodeView::labelOf(int line) const {
    if (isReadOnly() && document()->isEmpty()) return {};  // there is no line yet
    return labels_.isEmpty() ? QString::number(line + 1) : labels_.value(line);
}

int CodeView::marginWidth() const {
    qsizetype digits = QString::number(std::max(blockCount(), 100)).size();
    for (const QString& label : labels_) digits = std::max(digits, label.size());
    return 2 * marginGap + (marks_.isEmpty() ? 0 : markWidth) +
           static_cast<int>(digits) * QFontMetrics(document()->defaultFont()).horizontalAdvance(u'0');
}

void CodeView::placeMargin() {
    setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    margin_->setGeometry(inside.left(), inside.top(), marginWidth(), inside.height());
}

void CodeView::paintMargin(QPaintEvent* event) {
    QPainter painter(margin_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(),
                     mixed(palette().color(QPalette::Window), palette().color(QPalette::Base), 0.6));
    const QColor number = mixed(palette().color(QPalette::Text), palette().color(QPalette::Base), 0.6);
    for (const auto& [line, place] : linesTo(event->rect().bottom())) {
        painter.setPen(number);
        painter.drawText(QRectF(0, place.top(), margin_->width() - marginGap, place.height()),
                         Qt::AlignRight | Qt::AlignVCenter, labelOf(line));
        if (const auto mark = marks_.find(line); mark != marks_.end()) {
            const double size = std::min(place.height() * 0.55, 9.0);
            painter.setPen(Qt::NoPen);
            painter.setBrush(ui::colourOf(*mark, isDark(palette())));
            painter.drawEllipse(QPointF(marginGap / 2.0 + size / 2, place.center().y()), size / 2, size / 2);
        }
    }
}

int CodeView::lineAt(int y) const {
    const auto lines = linesTo(y);
    return lines.empty() || y >= lines.back().second.bottom() ? -1 : lines.back().first;
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
}

void CodeView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) take();
}

}  // namespace ks::ui
