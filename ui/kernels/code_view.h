#pragma once

#include <QHash>
#include <QList>
#include <QPalette>
#include <QPlainTextEdit>
#include <QString>
#include <QStringList>
#include <QSyntaxHighlighter>
#include <QTextCharFormat>
#include <QTextDocument>
#include <utility>
#include <vector>

namespace ks::ui {

/// Syntax colours of OpenCL C: keywords, types, address spaces, built-in functions, numbers, strings,
/// directives and comments.
class KernelHighlighter : public QSyntaxHighlighter {
  public:
    explicit KernelHighlighter(QTextDocument* document);

    /// Colours for a dark or a light background.
    void setPalette(const QPalette& palette);

  protected:
    void highlightBlock(const QString& text) override;

  private:
    enum Kind { Word, Type, Space, BuiltIn, Number, Text, Directive, Comment, KindCount };

    std::vector<QTextCharFormat> formats_;
    bool dark_ = false;
};

/// Program text with syntax colours and a margin with line numbers, for reading and copying. Lines are
/// counted from 0, as blocks are.
class CodeView : public QPlainTextEdit {
    Q_OBJECT
  public:
    /// Background of a line.
    enum class Ground { plain, included, removed, added, changed, absent, chosen };
    /// Mark of a line in the margin.
    enum class Mark { error, warning };

    explicit CodeView(QWidget* parent = nullptr);

    /// Margin text of each line; empty: its number.
    void setLabels(const QStringList& labels);
    const QStringList& labels() const { return labels_; }
    /// Of each line; those beyond the list are plain.
    void setGrounds(const QList<Ground>& grounds);
    void setMarks(const QHash<int, Mark>& marks);
    const QHash<int, Mark>& marks() const { return marks_; }
    /// Centres a line in the view and marks it.
    void goToLine(int line);
    /// The line marked by goToLine(); -1: none.
    int markedLine() const { return marked_; }
    /// Marks all matches of a text, case-insensitively by default; empty: none. Returns their number.
    int setSearched(const QString& text, QTextDocument::FindFlags flags = {});
    QColor colourOf(Ground ground) const;

  signals:
    void marginClicked(int line);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Additional marks in the text.
    virtual QList<QTextEdit::ExtraSelection> ownMarks() const { return {}; }
    /// Call when the result of ownMarks() has changed.
    void showMarks();
    void forgetMarkedLine() { marked_ = -1; }
    /// Shows another document, using the plain text layout. Ownership does not change.
    void useDocument(QTextDocument& document);

  private:
    class Margin;
    int marginWidth() const;
    void paintMargin(QPaintEvent* event);
    void placeMargin();
    void take();
    QString labelOf(int line) const;
    int lineAt(int y) const;
    /// The visible lines that begin at or above y, each with its place in the viewport.
    std::vector<std::pair<int, QRectF>> linesTo(int y) const;

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
