#include "ui/kernels/code_view.h"

#include <QFontDatabase>
#include <QMouseEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>
#include <QTextBlock>
#include <algorithm>
#include <array>

#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr int inComment = 1;  ///< state of a line that ends within a comment

QSet<QString> words(const char* text) {
    const QStringList list = QString::fromLatin1(text).split(QLatin1Char(' '));
    return {list.begin(), list.end()};
}

/// Kind of a known name; -1: an ordinary one.
int kindOf(const QString& name, int word, int type, int space, int builtIn) {
    static const QSet<QString> language = words(
        "break case const continue default do else enum extern for goto if inline restrict return sizeof "
        "static struct switch typedef union volatile while __attribute__");
    static const QSet<QString> spaces = words(
        "kernel __kernel global __global local __local constant __constant private __private read_only "
        "write_only read_write __read_only __write_only __read_write generic __generic");
    static const QSet<QString> plain = words(
        "void bool size_t ptrdiff_t intptr_t uintptr_t sampler_t event_t image1d_t image2d_t image3d_t "
        "image1d_array_t image2d_array_t image1d_buffer_t unsigned signed");
    static const QSet<QString> functions = words(
        "get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups get_work_dim "
        "get_global_offset barrier mem_fence work_group_barrier printf fma mad native_exp2 native_exp exp "
        "exp2 sqrt rsqrt native_rsqrt native_recip sin cos native_sin native_cos log log2 pow fabs fmin fmax "
        "min max clamp select dot cross length normalize distance floor ceil round trunc all any vload2 "
        "vload4 vload8 vload16 vstore2 vstore4 vstore8 vstore16 popcount mul24 mad24 abs "
        "async_work_group_copy wait_group_events read_imagef read_imagei read_imageui write_imagef "
        "write_imagei write_imageui");
    static const QRegularExpression scalar(
        QStringLiteral("^(u?(char|short|int|long)|float|double|half)(2|3|4|8|16)?$"));
    static const QRegularExpression generated(
        QStringLiteral("^(convert_|as_|atomic_|atom_|native_|half_|sub_group_|work_group_)\\w+$"));
    if (language.contains(name)) return word;
    if (spaces.contains(name)) return space;
    if (plain.contains(name) || scalar.match(name).hasMatch()) return type;
    if (functions.contains(name) || generated.match(name).hasMatch()) return builtIn;
    return -1;
}

constexpr int marginGap = 6;
constexpr int markWidth = 12;
constexpr int tabWidth = 4;

QColor colourOf(CodeView::Mark mark, bool dark) {
    if (mark == CodeView::Mark::error) return dark ? QColor(0xff, 0x7b, 0x72) : QColor(0xc6, 0x28, 0x28);
    return dark ? QColor(0xe3, 0xb3, 0x41) : QColor(0xb2, 0x6a, 0x00);
}

}  // namespace

KernelHighlighter::KernelHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
    setPalette(QPalette());
}

void KernelHighlighter::setPalette(const QPalette& palette) {
    const bool dark = isDark(palette);
    if (!formats_.empty() && dark == dark_) return;
    dark_ = dark;
    struct Look {
        const char *light, *dark;
        bool bold;
    };
    constexpr std::array<Look, KindCount> looks{{{"#0033b3", "#7aa6ff", true},
                                                 {"#00627a", "#56c8d8", false},
                                                 {"#8a3ffc", "#c7a0ff", true},
                                                 {"#795e26", "#e3c878", false},
                                                 {"#1750eb", "#9cc4ff", false},
                                                 {"#067d17", "#8fd48f", false},
                                                 {"#9e4a06", "#f0a868", false},
                                                 {"#5f6b76", "#98a5b1", false}}};
    formats_.clear();
    for (const Look& look : looks) {
        QTextCharFormat format;
        format.setForeground(QColor(QLatin1String(dark ? look.dark : look.light)));
        if (look.bold) format.setFontWeight(QFont::DemiBold);
        formats_.push_back(format);
    }
    formats_[Comment].setFontItalic(true);
    rehighlight();
}

void KernelHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression token(QStringLiteral(
        "(?<directive>^\\s*#\\s*\\w+)|(?<line>//.*$)|(?<block>/\\*)|(?<text>\"(?:[^\"\\\\]|\\\\.)*\"?)|"
        "(?<number>\\b(?:0[xX][0-9a-fA-F]+|\\d+\\.?\\d*(?:[eE][+-]?\\d+)?|\\.\\d+)[uUlLfF]*)|"
        "(?<name>[A-Za-z_]\\w*)"));
    setCurrentBlockState(0);
    qsizetype from = 0;
    const auto comment = [&](qsizetype begin) {
        const qsizetype end = text.indexOf(QLatin1String("*/"), begin);
        const qsizetype stop = end < 0 ? text.size() : end + 2;
        if (end < 0) setCurrentBlockState(inComment);
        setFormat(static_cast<int>(from), static_cast<int>(stop - from), formats_[Comment]);
        from = stop;
    };
    if (previousBlockState() == inComment) comment(0);
    while (from < text.size()) {
        const QRegularExpressionMatch match = token.match(text, from);
        if (!match.hasMatch()) return;
        from = match.capturedStart();
        if (match.hasCaptured(u"block")) {
            comment(from + 2);
            continue;
        }
        int kind = Directive;
        if (match.hasCaptured(u"line"))
            kind = Comment;
        else if (match.hasCaptured(u"text"))
            kind = Text;
        else if (match.hasCaptured(u"number"))
            kind = Number;
        else if (match.hasCaptured(u"name"))
            kind = kindOf(match.captured(), Word, Type, Space, BuiltIn);
        if (kind >= 0)
            setFormat(static_cast<int>(from), static_cast<int>(match.capturedLength()),
                      formats_[static_cast<std::size_t>(kind)]);
        from = match.capturedEnd();
    }
}

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
    if ((isReadOnly() || !isEnabled()) && document()->isEmpty()) return {};  // there is no line yet
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
