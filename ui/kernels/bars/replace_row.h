#pragma once

#include <QString>
#include <QTextDocument>
#include <QWidget>

class QLineEdit;

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

}  // namespace ks::ui
