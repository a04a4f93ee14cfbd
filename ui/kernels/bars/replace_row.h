#pragma once

#include <QString>
#include <QTextDocument>
#include <QWidget>

class QLineEdit;

namespace ks::ui {

class CodeView;

/// Replaces places of a text by another text: the one that is selected, or all of them as one step of undo.
class ReplaceRow : public QWidget {
    Q_OBJECT
  public:
    /// @param view outlives the row
    explicit ReplaceRow(CodeView& view, QWidget* parent = nullptr);

    /// What is replaced.
    void setSearched(const QString& text, QTextDocument::FindFlags flags);
    /// The place that is selected, if it is one, and selects the next one.
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
