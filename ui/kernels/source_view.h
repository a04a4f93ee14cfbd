#pragma once

#include <QString>

#include "ui/kernels/code_view.h"

namespace ks::ui {

/// Text of a kernel file for reading and copying. Names of included files are links.
class SourceView : public CodeView {
    Q_OBJECT
  public:
    explicit SourceView(QWidget* parent = nullptr);

    /// Shows another file from its first line.
    void setSource(const QString& file, const QString& text);
    const QString& file() const { return file_; }
    /// Counted from 1; centres the line in the view and marks it.
    void showLine(int line) { goToLine(line - 1); }

  signals:
    /// "gpu/runtime/polynomial.cl", as written in the directive.
    void includeClicked(const QString& name);

  protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    QList<QTextEdit::ExtraSelection> ownMarks() const override;

  private:
    /// Of the directive at this point of the viewport; empty: there is none.
    QString includeAt(const QPoint& at) const;

    QString file_;
};

}  // namespace ks::ui
