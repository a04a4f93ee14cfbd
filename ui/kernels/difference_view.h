#pragma once

#include <QString>
#include <QWidget>
#include <cstddef>
#include <string>
#include <vector>

#include "core/kernels/line_difference.h"
#include "core/kernels/resolved_source.h"

class QLabel;
class QToolButton;

namespace ks::ui {

class CodeView;

/// Two texts side by side, with coloured backgrounds for removed, added and changed lines. They scroll
/// together.
class DifferenceView : public QWidget {
    Q_OBJECT
  public:
    explicit DifferenceView(QWidget* parent = nullptr);

    void setTexts(const QString& left, const QString& right);
    /// The lines for the compiler; the margin shows their numbers in their files.
    void setSources(const ResolvedSource& left, const ResolvedSource& right);
    /// No texts, and the reason in place of the number of differing lines.
    void setNothing(const QString& why);
    /// A block of differing lines, given by its first row.
    const std::vector<int>& stretches() const { return stretches_; }
    void next();
    void previous();
    /// Row that is marked; -1: none.
    int row() const;
    CodeView& left() { return *left_; }
    CodeView& right() { return *right_; }
    QLabel& summary() { return *summary_; }

  private:
    void goTo(int row);
    struct Side {
        std::vector<std::string> lines;
        std::vector<std::size_t> numbers;  ///< of the lines, for the margin
    };
    void setSides(const Side& left, const Side& right);
    void fill(CodeView& view, const std::vector<DifferenceRow>& rows, const Side& side, bool isLeft);
    static Side sideOf(const QString& text);
    static Side sideOf(const ResolvedSource& source);

    CodeView *left_, *right_;
    QLabel* summary_;
    QToolButton *next_, *previous_;
    std::vector<int> stretches_;
};

}  // namespace ks::ui
