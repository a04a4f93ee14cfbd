#include "ui/plots/plot_text.h"

#include <QStringList>
#include <algorithm>

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

namespace {

constexpr double besideBadge = 6;  ///< of its text
constexpr int mostBadgeLines = 4;

int badgeLineHeight(const QFontMetrics& metrics) {
    return metrics.height() + 2;
}

QStringList badgeLines(const QFontMetrics& metrics, const QString& note, double width) {
    const int room = static_cast<int>(std::max(width - 2 * besideBadge, 0.0));
    QStringList lines = firstLines(note, metrics, room, mostBadgeLines).split(QLatin1Char('\n'));
    for (QString& line : lines) line = metrics.elidedText(line, Qt::ElideRight, room);
    return lines;
}

}  // namespace

int badgeHeight(const QFontMetrics& metrics, const QString& note, double width) {
    return note.isEmpty()
               ? 0
               : static_cast<int>(badgeLines(metrics, note, width).size()) * badgeLineHeight(metrics);
}

void paintBadge(QPainter& painter, const QRectF& line, const QString& note, const QColor& text,
                const QColor& ground) {
    const QFontMetrics metrics(painter.font());
    double top = line.top();
    for (const QString& shown : badgeLines(metrics, note, line.width())) {
        const double width = metrics.horizontalAdvance(shown) + 2 * besideBadge;
        const QRectF box(line.right() - width, top, width, badgeLineHeight(metrics));
        painter.fillRect(box, ground);
        painter.setPen(text);
        painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, shown);
        top = box.bottom();
    }
}

void paintBadge(QPainter& painter, const QRectF& line, const QString& note, const QPalette& palette) {
    paintBadge(painter, line, note, palette.color(QPalette::HighlightedText),
               palette.color(QPalette::Highlight));
}

Badge::Badge(QCustomPlot& plot, const QString& note, const QPalette& palette)
    : QCPItemText(&plot), ground_(palette.color(QPalette::Highlight)) {
    setClipToAxisRect(false);
    setText(note);
    setFont(plot.font());
    setColor(palette.color(QPalette::HighlightedText));
}

void Badge::draw(QCPPainter* painter) {
    painter->setFont(mainFont());
    const QRectF axes = parentPlot()->axisRect()->rect(), all = parentPlot()->viewport();
    const double width = axes.right() - all.left() - 4,
                 height = badgeHeight(QFontMetrics(mainFont()), text(), width);
    paintBadge(*painter, {all.left() + 4, axes.top() - height, width, height}, text(), mainColor(), ground_);
}

void ElidedTitle::draw(QCPPainter* painter) {
    painter->setFont(mainFont());
    painter->setPen(mainTextColor());
    // Over the whole plot, as nothing else is shown.
    const QRect all = parentPlot()->viewport();
    const QRect line(all.left(), rect().top(), all.width(), rect().height());
    painter->drawText(line, Qt::AlignCenter | Qt::TextSingleLine, shown(all.width()));
}

QString ElidedTitle::shown(int width) const {
    const QFontMetrics metrics(mainFont());
    const QString head = note_.isEmpty() ? text() : text() + QStringLiteral(", ");
    const int room = width - metrics.horizontalAdvance(head);
    // A note cut to less than a word is useless.
    const bool noted =
        room >= metrics.horizontalAdvance(note_.left(6)) + metrics.horizontalAdvance(u'\u2026');
    if (note_.isEmpty() || !noted) return metrics.elidedText(text(), Qt::ElideMiddle, width);
    return head + metrics.elidedText(note_, Qt::ElideRight, room);
}

namespace {

constexpr const char *wholeTitle = "wholeTitle", *briefTitle = "briefTitle";  ///< properties of an axis

/// "Kerne... (ms)" or "(ms)" if there is no room for "Kernels (ms)".
QString shortTitle(const QString& whole, const QFontMetrics& metrics, int room) {
    if (metrics.horizontalAdvance(whole) <= room) return whole;
    const qsizetype end = whole.endsWith(QLatin1Char(')')) ? whole.lastIndexOf(QStringLiteral(" (")) : -1;
    if (end <= 0) return metrics.elidedText(whole, Qt::ElideRight, room);
    const QString unit = whole.mid(end);
    const int rest = room - metrics.horizontalAdvance(unit);
    return rest > metrics.horizontalAdvance(whole.left(1) + QChar(0x2026))
               ? metrics.elidedText(whole.left(end), Qt::ElideRight, rest) + unit
               : metrics.elidedText(unit.trimmed(), Qt::ElideRight, room);
}

/// It is centred on the axis, not on the plot. Panels above and below have titles of their own.
int roomForTitle(const QCPAxis& axis, const QCustomPlot& plot) {
    const QRect axes = axis.axisRect()->rect(), all = plot.viewport();
    if (axis.orientation() == Qt::Horizontal)
        return 2 * std::min(axes.center().x() - all.left(), all.right() - axes.center().x());
    int top = all.top(), bottom = all.bottom();
    for (const QCPAxisRect* other : plot.axisRects()) {
        if (other->bottom() < axes.top()) top = std::max(top, (other->bottom() + axes.top()) / 2);
        if (other->top() > axes.bottom()) bottom = std::min(bottom, (axes.bottom() + other->top()) / 2);
    }
    return 2 * std::min(axes.center().y() - top, bottom - axes.center().y());
}

/// Whether a title appeared or vanished.
bool fitTitles(QCustomPlot& plot) {
    bool changed = false;
    for (const QCPAxisRect* rect : plot.axisRects())
        for (QCPAxis* axis : rect->axes()) {
            const QString whole = axis->property(wholeTitle).toString();
            if (whole.isEmpty()) continue;
            const bool wasEmpty = axis->label().isEmpty();
            const QFontMetrics metrics(axis->labelFont());
            const QString brief = axis->property(briefTitle).toString();
            const int room = roomForTitle(*axis, plot);
            const bool fits = brief.isEmpty() || metrics.horizontalAdvance(whole) <= room;
            axis->setLabel(shortTitle(fits ? whole : brief, metrics, room));
            changed |= axis->label().isEmpty() != wasEmpty;
        }
    return changed;
}

}  // namespace

void setTitle(QCPAxis& axis, const QString& whole, const QString& brief) {
    axis.setProperty(wholeTitle, whole);
    axis.setProperty(briefTitle, brief);
    axis.setLabel(whole);
}

void keepTitlesInside(QCustomPlot& plot) {
    QObject::connect(&plot, &QCustomPlot::afterLayout, &plot, [&plot] {
        if (!fitTitles(plot)) return;
        // The margins were measured without a title that has appeared, as in a plot that had no size before.
        for (const auto phase :
             {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
            plot.plotLayout()->update(phase);
        fitTitles(plot);
    });
}

QString Undrawn::text() const {
    const qsizetype count = undefined_ + infinite_ + beyond_ + notPositive_;
    if (count == 0) return {};
    QStringList kinds;
    if (undefined_ > 0) kinds << QObject::tr("NaN");
    if (infinite_ > 0) kinds << QObject::tr("infinite");
    if (beyond_ > 0) kinds << QObject::tr("beyond \u00b1%1").arg(largestDrawn, 0, 'g', 3);
    if (notPositive_ > 0) kinds << QObject::tr("0 or less");
    const QString last = kinds.takeLast();
    return (count == 1 ? QObject::tr("%1 of %2 values is %3, not drawn")
                       : QObject::tr("%1 of %2 values are %3, not drawn"))
        .arg(count)
        .arg(all_)
        .arg(kinds.isEmpty() ? last : QObject::tr("%1 or %2").arg(kinds.join(QStringLiteral(", ")), last));
}

QString wrapped(const QString& text, const QFontMetrics& metrics, int width) {
    QStringList lines;
    for (const QString& paragraph : text.split(QLatin1Char('\n'))) {
        QString line;
        for (const QString& word : paragraph.split(QLatin1Char(' '))) {
            const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
            if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width) {
                lines << line;
                line = word;
            } else {
                line = longer;
            }
        }
        lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

QString firstLines(const QString& text, const QFontMetrics& metrics, int width, int most) {
    QStringList lines = wrapped(text, metrics, width).split(QLatin1Char('\n'));
    if (lines.size() > most) {
        const QString rest = lines.mid(most - 1).join(QLatin1Char(' '));
        lines = lines.mid(0, most - 1) << metrics.elidedText(rest, Qt::ElideRight, width);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace ks::ui
