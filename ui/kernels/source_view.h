#pragma once

#include <QPlainTextEdit>
#include <QString>

namespace ks::ui {

class KernelHighlighter;

/// Text of a kernel file with the numbers of its lines, to be read and copied. Names of included files are
/// links.
class SourceView : public QPlainTextEdit {
    Q_OBJECT
  public:
    explicit SourceView(QWidget* parent = nullptr);

    /// Shows another file from its first line.
    void setSource(const QString& file, const QString& text);
    const QString& file() const { return file_; }
    /// Counted from 1; puts it in the middle of the view and marks it.
    void showLine(int line);

  signals:
    /// "gpu/runtime/polynomial.cl", as the directive names it.
    void includeClicked(const QString& name);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

  private:
    class Margin;
    int marginWidth() const;
    void paintMargin(QPaintEvent* event);
    void placeMargin();
    void markIncludes();
    void take();
    /// Of the directive at this place of the viewport; empty: there is none.
    QString includeAt(const QPoint& at) const;

    Margin* margin_;
    KernelHighlighter* colours_;
    QString file_;
    int marked_ = 0;  ///< line; 0: none
};

}  // namespace ks::ui
