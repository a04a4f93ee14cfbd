#include "ui/kernels/difference_view.h"

#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <algorithm>

#include "ui/base/layouts.h"
#include "ui/kernels/bars/find_bar.h"
#include "ui/kernels/code_view.h"

namespace ks::ui {
namespace {

using Kind = DifferenceRow::Kind;

CodeView::Ground groundOf(Kind kind, bool isLeft) {
    switch (kind) {
        case Kind::same:
            break;
        case Kind::changed:
            return CodeView::Ground::changed;
        case Kind::removed:
            return isLeft ? CodeView::Ground::removed : CodeView::Ground::absent;
        case Kind::added:
            return isLeft ? CodeView::Ground::absent : CodeView::Ground::added;
    }
    return CodeView::Ground::plain;
}

}  // namespace

DifferenceView::DifferenceView(QWidget* parent)
    : QWidget(parent),
      left_(named(new CodeView, tr("Text on the left"))),
      right_(named(new CodeView, tr("Text on the right"))),
      summary_(named(new QLabel, tr("Differing lines"))),
      next_(new QToolButton),
      previous_(new QToolButton) {
    const auto set = [this](QToolButton* button, const QString& text, const QString& tip, Qt::Key key,
                            void (DifferenceView::*act)()) {
        button->setText(text);
        button->setShortcut(QKeySequence(Qt::ALT | key));
        button->setToolTip(QStringLiteral("%1 (%2)").arg(
            tip, QKeySequence(Qt::ALT | key).toString(QKeySequence::NativeText)));
        button->setAccessibleName(tip);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, act);
    };
    summary_->setWordWrap(true);
    set(previous_, QStringLiteral("\u2191"), tr("Previous difference"), Qt::Key_Up,
        &DifferenceView::previous);
    set(next_, QStringLiteral("\u2193"), tr("Next difference"), Qt::Key_Down, &DifferenceView::next);
    auto* both = new QSplitter;
    both->setChildrenCollapsible(false);
    setLayout(inRows({inColumns({{summary_, 1}, previous_, next_}, {}, {8, 4, 8, 4}), {both, 1}}, 0));
    for (CodeView* view : {left_, right_}) {
        both->addWidget(boxed(inRows({{view, 1}, new FindBar(*view)}, 0)));
        CodeView* const other = view == left_ ? right_ : left_;
        for (const auto bars :
             {&QAbstractScrollArea::verticalScrollBar, &QAbstractScrollArea::horizontalScrollBar})
            connect((view->*bars)(), &QScrollBar::valueChanged, (other->*bars)(), &QScrollBar::setValue);
    }
}

DifferenceView::Side DifferenceView::sideOf(const QString& text) {
    Side side{lines_of(text.toStdString()), {}};
    for (std::size_t line = 1; line <= side.lines.size(); ++line) side.numbers.push_back(line);
    return side;
}

DifferenceView::Side DifferenceView::sideOf(const ResolvedSource& source) {
    Side side;
    for (const SourceLine& line : source.lines)
        if (line.compiled) {
            side.lines.push_back(line.text);
            side.numbers.push_back(line.place.line);
        }
    return side;
}

void DifferenceView::setTexts(const QString& left, const QString& right) {
    setSides(sideOf(left), sideOf(right));
}

void DifferenceView::setSources(const ResolvedSource& left, const ResolvedSource& right) {
    setSides(sideOf(left), sideOf(right));
}

void DifferenceView::setNothing(const QString& why) {
    setSides({}, {});
    summary_->setText(why);
}

void DifferenceView::setSides(const Side& left, const Side& right) {
    const std::vector<DifferenceRow> rows = line_difference(left.lines, right.lines);
    fill(*left_, rows, left, true);
    fill(*right_, rows, right, false);
    stretches_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].kind != Kind::same && (i == 0 || rows[i - 1].kind == Kind::same))
            stretches_.push_back(static_cast<int>(i));
    const auto count = [&](Kind kind) { return std::ranges::count(rows, kind, &DifferenceRow::kind); };
    summary_->setText(stretches_.empty() ? tr("The texts are identical")
                                         : tr("%1 changed, %2 removed, %3 added")
                                               .arg(count(Kind::changed))
                                               .arg(count(Kind::removed))
                                               .arg(count(Kind::added)));
    for (QToolButton* button : {next_, previous_}) button->setEnabled(!stretches_.empty());
}

void DifferenceView::fill(CodeView& view, const std::vector<DifferenceRow>& rows, const Side& side,
                          bool isLeft) {
    QStringList texts, labels;
    QList<CodeView::Ground> grounds;
    for (const DifferenceRow& row : rows) {
        const std::optional<std::size_t> line = isLeft ? row.left : row.right;
        texts << (line ? QString::fromStdString(side.lines[*line]) : QString());
        labels << (line ? QString::number(side.numbers[*line]) : QString());
        grounds << groundOf(row.kind, isLeft);
    }
    view.setPlainText(texts.join(QLatin1Char('\n')));
    view.setLabels(labels);
    view.setGrounds(grounds);
}

int DifferenceView::row() const {
    return left_->markedLine();
}

void DifferenceView::goTo(int row) {
    left_->goToLine(row);
    right_->goToLine(row);
}

void DifferenceView::next() {
    const auto found = std::ranges::upper_bound(stretches_, row());
    if (!stretches_.empty()) goTo(found == stretches_.end() ? stretches_.front() : *found);
}

void DifferenceView::previous() {
    const auto found = std::ranges::lower_bound(stretches_, row());
    if (!stretches_.empty()) goTo(found == stretches_.begin() ? stretches_.back() : *(found - 1));
}

}  // namespace ks::ui
