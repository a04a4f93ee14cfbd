#pragma once

#include <QString>
#include <QTextDocument>
#include <QWidget>

class QLineEdit;
class QAction;
class QLabel;
class QToolButton;

namespace ks::ui {

class CodeView;

/// Replaces matches in a text: the selected one, or all of them in one undo step.
class ReplaceRow : public QWidget {
    Q_OBJECT
  public:
    /// @param view outlives the row
    explicit ReplaceRow(CodeView& view, QWidget* parent = nullptr);

    /// The replacement.
    void setSearched(const QString& text, QTextDocument::FindFlags flags);
    /// Replaces the selection if it is a match, and selects the next match.
    void replace();
    void replaceAll();
    QLineEdit& field() { return *field_; }

  signals:
    void replaced(int places);

  private:
    bool isSelected() const;

    CodeView& view_;
    QString searched_;
    QTextDocument::FindFlags flags_;
    QLineEdit* field_;
};

/// Searches in a code view: Ctrl+F in the view shows the bar, Esc hides it. If the text can be edited, Ctrl+H
/// also shows a row for replacing.
class FindBar : public QWidget {
    Q_OBJECT
  public:
    /// @param view outlives the bar
    explicit FindBar(CodeView& view, QWidget* parent = nullptr);

    /// Starts with the text selected in the view.
    void begin();
    void beginReplacing();
    void next();
    void previous();
    void end();
    QLineEdit& field() { return *field_; }
    QLabel& found() { return *found_; }
    /// Pressed: the search is case-sensitive.
    QToolButton& matchCase() { return *matchCase_; }
    /// Null if the text is read-only.
    ReplaceRow* replaceRow() { return replace_; }
    /// For a menu. replaceAction() is null if the text is read-only.
    QAction* findAction() { return findAction_; }
    QAction* replaceAction() { return replaceAction_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QLayout* makeSearch();
    QAction* addShortcut(const QString& text, const QKeySequence& key, void (FindBar::*act)());
    QTextDocument::FindFlags flags() const;
    void search();
    void showCount(int count);
    void step(bool back);

    CodeView& view_;
    QLineEdit* field_;
    QLabel* found_;
    QToolButton* matchCase_;
    ReplaceRow* replace_ = nullptr;
    QAction *findAction_ = nullptr, *replaceAction_ = nullptr;
};

}  // namespace ks::ui
