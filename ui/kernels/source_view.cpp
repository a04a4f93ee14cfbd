#include "ui/kernels/source_view.h"

#include <QMouseEvent>
#include <QRegularExpression>
#include <QTextBlock>

namespace ks::ui {
namespace {

QRegularExpressionMatch includeIn(const QString& line) {
    static const QRegularExpression directive(QStringLiteral("^\\s*#\\s*include\\s+\"([^\"]+)\""));
    return directive.match(line);
}

}  // namespace

SourceView::SourceView(QWidget* parent) : CodeView(parent) {
    setAccessibleName(tr("Kernel source"));
    setWhatsThis(tr("The kernel file of the chosen variant. Names of included files are links."));
}

void SourceView::setSource(const QString& file, const QString& text) {
    if (file == file_ && text == toPlainText()) return;
    file_ = file;
    forgetMarkedLine();
    setPlainText(text);
    showMarks();
}

QList<QTextEdit::ExtraSelection> SourceView::ownMarks() const {
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
    return marks;
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
