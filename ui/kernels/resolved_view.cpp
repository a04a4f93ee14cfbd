#include "ui/kernels/resolved_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPlainTextDocumentLayout>
#include <QTextBlock>
#include <QToolTip>
#include <utility>

namespace ks::ui {

ResolvedView::ResolvedView(QWidget* parent) : CodeView(parent) {
    setAccessibleName(tr("Kernel source with its included files"));
    setWhatsThis(
        tr("The kernel as the compiler sees it: included files are inserted on a grey background, with their "
           "own line numbers. Click a directive to fold the file that it includes."));
    connect(this, &CodeView::marginClicked, this, &ResolvedView::toggleFold);
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &ResolvedView::placeChanged);
}

void ResolvedView::setSource(ResolvedSource source) {
    source_ = std::move(source);
    folded_.clear();
    QStringList lines, labels;
    QList<Ground> grounds;
    for (const SourceLine& line : source_.lines) {
        lines << QString::fromStdString(line.text);
        labels << QString::number(line.place.line);
        grounds << (line.depth > 0 ? Ground::included : Ground::plain);
    }
    forgetMarkedLine();
    setPlainText(lines.join(QLatin1Char('\n')));
    setLabels(labels);
    setGrounds(grounds);
    emit placeChanged();
}

SourcePlace ResolvedView::place() const {
    const auto line = static_cast<std::size_t>(textCursor().blockNumber());
    return line < source_.lines.size() ? source_.lines[line].place : SourcePlace{};
}

bool ResolvedView::showPlace(const SourcePlace& place) {
    const std::optional<std::size_t> line = source_.find(place);
    if (!line) return false;
    if (!document()->findBlockByNumber(static_cast<int>(*line)).isVisible()) setFolded(false);
    goToLine(static_cast<int>(*line));
    return true;
}

bool ResolvedView::isDirective(int line) const {
    const auto at = static_cast<std::size_t>(line);
    return line >= 0 && at < source_.lines.size() && source_.lines[at].include;
}

void ResolvedView::toggleFold(int line) {
    if (!isDirective(line)) return;
    if (!folded_.remove(line)) folded_.insert(line);
    showFolds();
}

void ResolvedView::setFolded(bool all) {
    folded_.clear();
    if (all)
        for (int i = 0; i < blockCount(); ++i)
            if (isDirective(i)) folded_.insert(i);
    showFolds();
}

void ResolvedView::showFolds() {
    bool hidden = false;
    std::size_t folded = 0;  // depth of the directive that hides lines
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const auto line = static_cast<std::size_t>(block.blockNumber());
        if (line >= source_.lines.size()) break;
        const std::size_t depth = source_.lines[line].depth;
        hidden = hidden && depth > folded;
        block.setVisible(!hidden);
        block.setLineCount(hidden ? 0 : 1);
        if (!hidden && folded_.contains(block.blockNumber())) {
            hidden = true;
            folded = depth;
        }
    }
    document()->markContentsDirty(0, document()->characterCount());
    if (auto* layout = qobject_cast<QPlainTextDocumentLayout*>(document()->documentLayout())) {
        layout->requestUpdate();
        emit layout->documentSizeChanged(layout->documentSize());
    }
    if (!textCursor().block().isVisible()) {
        QTextBlock above = textCursor().block();
        while (above.isValid() && !above.isVisible()) above = above.previous();
        setTextCursor(QTextCursor(above));
    }
    showMarks();
    viewport()->update();
}

QList<QTextEdit::ExtraSelection> ResolvedView::ownMarks() const {
    QList<QTextEdit::ExtraSelection> marks;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (!isDirective(block.blockNumber())) continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        mark.format.setForeground(palette().color(QPalette::Link));
        mark.format.setFontUnderline(true);
        if (folded_.contains(block.blockNumber())) mark.format.setFontItalic(true);
        marks << mark;
    }
    return marks;
}

bool ResolvedView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QPoint inside = viewport()->mapFrom(this, help->pos());
        const auto line = static_cast<std::size_t>(cursorForPosition(inside).blockNumber());
        if (line < source_.lines.size() && source_.lines[line].depth > 0)
            QToolTip::showText(help->globalPos(),
                               QStringLiteral("%1:%2")
                                   .arg(QString::fromStdString(source_.lines[line].place.file))
                                   .arg(source_.lines[line].place.line),
                               this);
        else
            QToolTip::hideText();
        return true;
    }
    return CodeView::event(event);
}

void ResolvedView::mouseMoveEvent(QMouseEvent* event) {
    CodeView::mouseMoveEvent(event);
    const bool on = isDirective(cursorForPosition(event->pos()).blockNumber());
    viewport()->setCursor(on ? Qt::PointingHandCursor : Qt::IBeamCursor);
}

void ResolvedView::mouseReleaseEvent(QMouseEvent* event) {
    CodeView::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !textCursor().hasSelection())
        toggleFold(cursorForPosition(event->pos()).blockNumber());
}

}  // namespace ks::ui
