#pragma once

#include <QSet>

#include "core/kernels/resolved_source.h"
#include "ui/kernels/code_view.h"

namespace ks::ui {

/// A kernel with the files that it includes in place. The margin numbers each line as its file does; a click
/// on a directive, or beside it, folds what it includes.
class ResolvedView : public CodeView {
    Q_OBJECT
  public:
    explicit ResolvedView(QWidget* parent = nullptr);

    void setSource(ResolvedSource source);
    const ResolvedSource& source() const { return source_; }
    /// Unfolds what hides it. False where there is no such place.
    bool showPlace(const SourcePlace& place);
    /// Of the line with the cursor.
    SourcePlace place() const;
    void setFolded(bool all);
    bool isFolded(int line) const { return folded_.contains(line); }
    void toggleFold(int line);

  signals:
    void placeChanged();

  protected:
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    QList<QTextEdit::ExtraSelection> ownMarks() const override;

  private:
    bool isDirective(int line) const;
    void showFolds();

    ResolvedSource source_;
    QSet<int> folded_;
};

}  // namespace ks::ui
