#pragma once

#include <QHash>
#include <QList>
#include <QPlainTextEdit>
#include <QString>
#include <QStringList>
#include <QTextDocument>

namespace ks::ui {

class KernelHighlighter;

/// Text of a program in its colours, with a margin at the left that numbers its lines, to be read and copied.
/// Lines are counted from 0, as blocks are.
class CodeView : public QPlainTextEdit {
    Q_OBJECT
  public:
    /// What stands behind a line.
    enum class Ground { plain, included, removed, added, changed, absent, chosen };
    /// What stands beside a line in the margin.
    enum class Mark { error, warning };

    explicit CodeView(QWidget* parent = nullptr);

    /// What the margin says of each line; empty: its number.
    void setLabels(const QStringList& labels);
    /// Of each line; those beyond the list are plain.
    void setGrounds(const QList<Ground>& grounds);
    void setMarks(const QHash<int, Mark>& marks);
    const QHash<int, Mark>& marks() const { return marks_; }
    /// Puts a line in the middle of the view and marks it.
    void goToLine(int line);
    /// The line that goToLine() marked; -1: none.
    int markedLine() const { return marked_; }
    /// Marks all places of a text, by default in any case; empty: none. Returns how many there are.
    int setSearched(const QString& text, QTextDocument::FindFlags flags = {});
    QColor colourOf(Ground ground) const;

  signals:
    void marginClicked(int line);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Further marks in the text.
    virtual QList<QTextEdit::ExtraSelection> ownMarks() const { return {}; }
    /// After what ownMarks() gives is another.
    void showMarks();
    void forgetMarkedLine() { marked_ = -1; }
    /// Shows another document, with the layout of plain text; it stays its owner's.
    void useDocument(QTextDocument& document);

  private:
    class Margin;
    int marginWidth() const;
    void paintMargin(QPaintEvent* event);
    void placeMargin();
    void take();
    QString labelOf(int line) const;
    int lineAt(int y) const;

    Margin* margin_;
    KernelHighlighter* colours_;
    QStringList labels_;
    QList<Ground> grounds_;
    QHash<int, Mark> marks_;
    QString searched_;
    QTextDocument::FindFlags searchFlags_;
    int marked_ = -1;
};

}  // namespace ks::ui
