#pragma once

#include <QHash>
#include <QKeySequence>
#include <QString>

#include "ui/kernels/code_view.h"

namespace ks::ui {

/// Editor for a kernel text. Tab and Shift+Tab indent the selected lines by one step, Return keeps the
/// indentation and adds a step after "{", Home goes to the first character of the line, Ctrl+/ toggles
/// comments.
class KernelEditor : public CodeView {
    Q_OBJECT
  public:
    explicit KernelEditor(QWidget* parent = nullptr);

    /// Shows another document with its own undo steps and clears the messages. Ownership does not change.
    void showDocument(QTextDocument& document);
    /// Replaces the text as one undo step; the cursor stays on its line.
    void replaceText(const QString& text);
    /// Compiler messages by line, counted from 0.
    struct Message {
        Mark mark = Mark::error;
        QString text;
    };
    /// They are those of the present text: once it was edited and is the same again, they are shown again.
    void setMessages(const QHash<int, Message>& messages);
    const QHash<int, Message>& messages() const { return messages_; }
    /// Of the line with the cursor; empty: there is none.
    QString messageHere() const;
    /// Ctrl+Y: redoes, as does the system's key.
    static QKeySequence redoKey() { return QKeySequence(Qt::CTRL | Qt::Key_Y); }
    /// Toggles comments on the selected lines.
    void toggleComments();

  signals:
    void messageHereChanged(const QString& text);
    /// Handles Ctrl+S here, whatever else the window uses it for.
    void saveWanted();

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QList<QTextEdit::ExtraSelection> ownMarks() const override;

  private:
    void shiftLines(bool right);
    void breakLine();
    void goHome(bool choose);
    void followDocument();
    void moveMessages(int position);
    void showMessages(const QHash<int, Message>& messages);
    /// Shows the given messages again if the text is the one that they were given for.
    void returnMessages();

    QHash<int, Message> messages_, given_;
    QString givenFor_;      ///< the text that given_ is of
    bool isOther_ = false;  ///< the text was edited since
    int lines_ = 1;         ///< before the newest change
};

}  // namespace ks::ui
