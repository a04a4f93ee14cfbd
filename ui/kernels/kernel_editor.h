#pragma once

#include <QHash>
#include <QString>

#include "ui/kernels/code_view.h"

namespace ks::ui {

/// Text of a kernel that is written here. Tab and Shift+Tab move the chosen lines by a step, Return keeps the
/// indentation and adds a step after "{", Home goes to the first letter of the line, Ctrl+/ makes comments of
/// lines or takes that back.
class KernelEditor : public CodeView {
    Q_OBJECT
  public:
    explicit KernelEditor(QWidget* parent = nullptr);

    /// Another text: it cannot be undone.
    void setText(const QString& text);
    /// Another document, which stays its owner's, with its own steps of undo; messages go.
    void showDocument(QTextDocument& document);
    /// Another text as one step, which can be undone; the cursor stays at its line.
    void replaceText(const QString& text);
    /// What the compiler says of lines, counted from 0.
    struct Message {
        Mark mark = Mark::error;
        QString text;
    };
    void setMessages(const QHash<int, Message>& messages);
    /// Of the line with the cursor; empty: there is none.
    QString messageHere() const;
    /// Makes comments of the chosen lines, or takes that back.
    void toggleComments();

  signals:
    void messageHereChanged(const QString& text);
    /// Ctrl+S, wherever the window has another use for it.
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

    QHash<int, Message> messages_;
    int lines_ = 1;  ///< before the newest change
};

}  // namespace ks::ui
