#pragma once

#include <QPalette>
#include <QSyntaxHighlighter>
#include <QTextCharFormat>
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

}  // namespace ks::ui
