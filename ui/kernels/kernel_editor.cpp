#include "ui/kernels/kernel_editor.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>
#include <utility>
#include <vector>

#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr int indentStep = 4;

int indentOf(const QString& line) {
    int blanks = 0;
    while (blanks < line.size() && (line[blanks] == u' ' || line[blanks] == u'\t')) ++blanks;
    return blanks;
}

bool isRedo(const QKeyEvent& event) {
    return QKeySequence(event.keyCombination()) == KernelEditor::redoKey();
}

/// Blocks touched by the selection; a line is not included if the selection ends before its first character.
std::vector<QTextBlock> chosenBlocks(const QTextCursor& cursor) {
    const QTextDocument& document = *cursor.document();
    QTextBlock block = document.findBlock(cursor.selectionStart());
    QTextBlock last = document.findBlock(cursor.selectionEnd());
    if (last != block && cursor.selectionEnd() == last.position()) last = last.previous();
    std::vector<QTextBlock> all;
    for (; block.isValid(); block = block.next()) {
        all.push_back(block);
        if (block == last) break;
    }
    return all;
}

}  // namespace

KernelEditor::KernelEditor(QWidget* parent) : CodeView(parent) {
    setReadOnly(false);
    setTextInteractionFlags(Qt::TextEditorInteraction);
    setAccessibleName(tr("Your kernel"));
    setWhatsThis(
        tr("The text of your kernel. F7 saves, builds and runs it; lines that the compiler rejects are "
           "marked on the left."));
    followDocument();
    connect(this, &QPlainTextEdit::cursorPositionChanged, this,
            [this] { emit messageHereChanged(messageHere()); });
}

void KernelEditor::followDocument() {
    lines_ = blockCount();
    connect(document(), &QTextDocument::contentsChange, this, &KernelEditor::moveMessages);
    connect(document(), &QTextDocument::contentsChanged, this, &KernelEditor::returnMessages);
}

void KernelEditor::showDocument(QTextDocument& other) {
    if (&other == document()) return;
    disconnect(document(), &QTextDocument::contentsChange, this, &KernelEditor::moveMessages);
    disconnect(document(), &QTextDocument::contentsChanged, this, &KernelEditor::returnMessages);
    messages_.clear();
    given_.clear();
    setMarks({});
    forgetMarkedLine();
    useDocument(other);
    followDocument();
}

void KernelEditor::replaceText(const QString& text) {
    const int line = textCursor().blockNumber();
    showMessages({});
    QTextCursor cursor(document());
    cursor.select(QTextCursor::Document);
    cursor.insertText(text);
    setTextCursor(QTextCursor(document()->findBlockByNumber(std::min(line, blockCount() - 1))));
}

void KernelEditor::setMessages(const QHash<int, Message>& messages) {
    given_ = messages;
    givenFor_ = messages.isEmpty() ? QString() : toPlainText();
    isOther_ = false;
    showMessages(messages);
}

void KernelEditor::returnMessages() {
    if (given_.isEmpty()) return;
    // A document counts its end as well.
    const bool isSame = document()->characterCount() == givenFor_.size() + 1 && toPlainText() == givenFor_;
    if (std::exchange(isOther_, !isSame) && isSame) showMessages(given_);
}

void KernelEditor::showMessages(const QHash<int, Message>& messages) {
    messages_ = messages;
    QHash<int, Mark> marks;
    for (auto at = messages_.begin(); at != messages_.end(); ++at) marks.insert(at.key(), at->mark);
    setMarks(marks);
    forgetMarkedLine();
    showMarks();
    emit messageHereChanged(messageHere());
}

QString KernelEditor::messageHere() const {
    return messages_.value(textCursor().blockNumber()).text;
}

// Messages stay with their lines while lines are added and removed above them.
void KernelEditor::moveMessages(int position) {
    const int more = blockCount() - std::exchange(lines_, blockCount());
    if (messages_.isEmpty() || more == 0) return;
    const int at = document()->findBlock(position).blockNumber();
    QHash<int, Message> moved;
    for (auto one = messages_.begin(); one != messages_.end(); ++one) {
        const int line = one.key() > at ? std::max(one.key() + more, at) : one.key();
        moved.insert(line, *one);
    }
    messages_ = moved;
    // The text is still changing: its layout must not be queried.
    QMetaObject::invokeMethod(
        this,
        [this] {
            QHash<int, Mark> marks;
            for (auto one = messages_.begin(); one != messages_.end(); ++one)
                marks.insert(one.key(), one->mark);
            setMarks(marks);
            showMarks();
        },
        Qt::QueuedConnection);
}

QList<QTextEdit::ExtraSelection> KernelEditor::ownMarks() const {
    QList<QTextEdit::ExtraSelection> marks;
    const bool dark = isDark(palette());
    for (auto at = messages_.begin(); at != messages_.end(); ++at) {
        const QTextBlock block = document()->findBlockByNumber(at.key());
        if (!block.isValid()) continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.cursor.setPosition(block.position() + indentOf(block.text()));
        mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(at->mark == Mark::error ? (dark ? QColor(0xff, 0x7b, 0x72) : Qt::red)
                                                              : QColor(0xd2, 0x99, 0x22));
        marks << mark;
    }
    return marks;
}

bool KernelEditor::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int line = cursorForPosition(viewport()->mapFrom(this, help->pos())).blockNumber();
        QToolTip::showText(help->globalPos(), messages_.value(line).text, this);
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool comment = key->key() == Qt::Key_Slash && key->modifiers() == Qt::ControlModifier;
        if (key->matches(QKeySequence::Save) || comment || isRedo(*key)) {
            event->accept();
            return true;
        }
    }
    return CodeView::event(event);
}

void KernelEditor::keyPressEvent(QKeyEvent* event) {
    const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    if (event->matches(QKeySequence::Save)) {
        emit saveWanted();
    } else if (isRedo(*event)) {
        redo();
    } else if (event->key() == Qt::Key_Tab && plain && !textCursor().hasSelection()) {
        const int column = textCursor().positionInBlock();
        insertPlainText(QString(indentStep - column % indentStep, QLatin1Char(' ')));
    } else if (event->key() == Qt::Key_Tab && plain) {
        shiftLines(true);
    } else if (event->key() == Qt::Key_Backtab) {
        shiftLines(false);
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && plain) {
        breakLine();
    } else if (event->key() == Qt::Key_Home && plain) {
        goHome(event->modifiers().testFlag(Qt::ShiftModifier));
    } else if (event->key() == Qt::Key_Slash && event->modifiers().testFlag(Qt::ControlModifier)) {
        toggleComments();
    } else {
        CodeView::keyPressEvent(event);
    }
}

void KernelEditor::shiftLines(bool right) {
    QTextCursor step(document());
    step.beginEditBlock();
    for (const QTextBlock& block : chosenBlocks(textCursor())) {
        step.setPosition(block.position());
        if (right) {
            if (!block.text().isEmpty()) step.insertText(QString(indentStep, QLatin1Char(' ')));
        } else {
            const bool tab = block.text().startsWith(QLatin1Char('\t'));
            step.setPosition(block.position() + (tab ? 1 : std::min(indentOf(block.text()), indentStep)),
                             QTextCursor::KeepAnchor);
            step.removeSelectedText();
        }
    }
    step.endEditBlock();
}

void KernelEditor::breakLine() {
    QTextCursor cursor = textCursor();
    cursor.beginEditBlock();
    cursor.removeSelectedText();
    const QString before = cursor.block().text().left(cursor.positionInBlock());
    QString indent = before.left(indentOf(before));
    if (before.trimmed().endsWith(QLatin1Char('{'))) indent += QString(indentStep, QLatin1Char(' '));
    cursor.insertText(QLatin1Char('\n') + indent);
    cursor.endEditBlock();
    setTextCursor(cursor);
    ensureCursorVisible();
}

void KernelEditor::goHome(bool choose) {
    QTextCursor cursor = textCursor();
    const QTextBlock block = cursor.block();
    const int first = block.position() + indentOf(block.text());
    cursor.setPosition(cursor.position() == first ? block.position() : first,
                       choose ? QTextCursor::KeepAnchor : QTextCursor::MoveAnchor);
    setTextCursor(cursor);
}

void KernelEditor::toggleComments() {
    const std::vector<QTextBlock> blocks = chosenBlocks(textCursor());
    const auto isComment = [](const QTextBlock& block) {
        return block.text().trimmed().isEmpty() || block.text().trimmed().startsWith(QLatin1String("//"));
    };
    const bool all = std::ranges::all_of(blocks, isComment);
    QTextCursor step(document());
    step.beginEditBlock();
    for (const QTextBlock& block : blocks) {
        if (block.text().trimmed().isEmpty()) continue;
        const int indent = indentOf(block.text());
        step.setPosition(block.position() + indent);
        if (!all) {
            step.insertText(QStringLiteral("// "));
            continue;
        }
        const int length = block.text().mid(indent).startsWith(QLatin1String("// ")) ? 3 : 2;
        step.setPosition(block.position() + indent + length, QTextCursor::KeepAnchor);
        step.removeSelectedText();
    }
    step.endEditBlock();
}

}  // namespace ks::ui
