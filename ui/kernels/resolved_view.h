#pragma once

#include <QSet>

#include "core/kernels/resolved_source.h"
#include "ui/kernels/code_view.h"

namespace ks::ui {

/// A kernel with its included files inserted. The margin shows the line numbers of each file; clicking a
/// directive, or the margin next to it, folds the file that it includes.
class ResolvedView : public CodeView {
    Q_OBJECT
  public:
    explicit ResolvedView(QWidget* parent = nullptr);

    void setSource(ResolvedSource source);
    const ResolvedSource& source() const { return source_; }
    /// Goes to the place, unfolding it if necessary. False if there is no such place.
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
