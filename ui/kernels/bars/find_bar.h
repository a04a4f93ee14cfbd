#pragma once

#include <QTextDocument>
#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QToolButton;

namespace ks::ui {

class CodeView;
class ReplaceRow;

/// Finds a text in a view of code: Ctrl+F in the view shows it, Esc hides it. In one that is edited Ctrl+H
/// shows a row below that replaces what was found.
class FindBar : public QWidget {
    Q_OBJECT
  public:
    /// @param view outlives the bar
    explicit FindBar(CodeView& view, QWidget* parent = nullptr);

    /// With what is selected in the view.
    void begin();
    void beginReplacing();
    void next();
    void previous();
    void end();
    QLineEdit& field() { return *field_; }
    QLabel& found() { return *found_; }
    /// Pressed: capitals and small letters are not the same.
    QToolButton& matchCase() { return *matchCase_; }
    /// Null where the text can only be read.
    ReplaceRow* replaceRow() { return replace_; }
    /// For a menu. Null: replaceAction() where the text can only be read.
    QAction* findAction() { return findAction_; }
    QAction* replaceAction() { return replaceAction_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* makeSearch();
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
