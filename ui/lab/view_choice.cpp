#include "ui/lab/view_choice.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>
#include <memory>
#include <vector>

#include "ui/base/elided_label.h"
#include "ui/base/layouts.h"
#include "ui/base/wrapping_row.h"
#include "ui/tools/tool_page.h"

namespace ks::ui::lab {

ViewChoice::ViewChoice(const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      time_(named(new QComboBox, tr("Time"),
                  tr("Which time is plotted and ranked: the time of the kernels alone, or the time from the "
                     "request to its result"))),
      problem_(named(new QComboBox, tr("Problem that is drawn"),
                     tr("Plot the times of one problem, or of all problems in groups"))),
      problemLabel_(new QLabel(tr("&Problem"))),
      difference_(named(new ElidedLabel, tr("Problems that differ"),
                        tr("Only rows of the same problem are compared and ranked"))),
      subject_(named(new ElidedLabel, tr("Problem of the plotted times"))),
      log_(new QCheckBox(tr("&Logarithmic"))) {
    build(actions);
    connect(time_, &QComboBox::currentIndexChanged, this, &ViewChoice::changed);
    connect(problem_, &QComboBox::currentIndexChanged, this, &ViewChoice::changed);
    connect(log_, &QCheckBox::clicked, this, &ViewChoice::setLogarithmicByHand);
    setCompared({});
}

ViewChoice::~ViewChoice() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void ViewChoice::build(const QList<QAction*>& actions) {
    time_->addItem(tr("Kernels"));
    time_->addItem(tr("End to end"));
    log_->setToolTip(tr("Use a logarithmic axis, on which equal distances are equal ratios of times"));
    problem_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* timeLabel = new QLabel(tr("T&ime"));
    timeLabel->setBuddy(time_);
    problemLabel_->setBuddy(problem_);
    subject_->hide();
    auto* buttons = new WrappingRow({}, 0);
    ToolPage::addButtons(*buttons, actions);
    auto* line = inColumns(
        {new WrappingRow({timeLabel, time_, log_, problemLabel_, problem_}), Cell::space(), buttons});
    // Always there: the times do not move when a problem differs.
    auto* notes = inColumns({{subject_, 1}, {difference_, 1}}, 8);
    notes->addStrut(difference_->sizeHint().height());
    setLayout(inRows({line, notes}, 2, {8, 4, 8, 2}));
}

void ViewChoice::setSubject(const QString& text) {
    subject_->setWhole(text);
    subject_->setVisible(!text.isEmpty());
}

QString ViewChoice::subject() const {
    return subject_->whole();
}

void ViewChoice::setCompared(const ComparedList& all) {
    QStringList texts = problemTexts(problemsOf(all));
    const bool several = texts.size() > 1;
    if (several) texts << tr("all, in groups");
    problem_->setVisible(several);
    problemLabel_->setVisible(several);
    const QString difference = differenceText(all);
    difference_->setWhole(difference);
    difference_->setVisible(!difference.isEmpty());
    QStringList shown;
    for (int i = 0; i < problem_->count(); ++i) shown << problem_->itemText(i);
    if (texts == shown) return;
    const QSignalBlocker quiet(problem_);
    const QString chosen = problem_->currentText();
    problem_->clear();
    problem_->addItems(texts);
    problem_->setCurrentIndex(std::max<int>(0, static_cast<int>(texts.indexOf(chosen))));
}

void ViewChoice::showOne(const Compared& of, const ComparedList& all) {
    setCompared(all);
    ComparedList others = all;
    std::erase_if(others, [&of](const auto& one) { return one.get() == &of; });
    const std::vector<LabProblem> problems = problemsOf(all), beside = problemsOf(others),
                                  own = problemsOf({std::make_shared<const Compared>(of)});
    const auto among = [](const std::vector<LabProblem>& some, const LabProblem& problem) {
        return std::ranges::find(some, problem) != some.end();
    };
    const std::optional<std::size_t> now = problem();
    if (own.empty() || !now || among(own, problems.at(*now))) return;
    const auto common =
        std::ranges::find_if(own, [&](const LabProblem& problem) { return among(beside, problem); });
    if (common == own.end()) return;
    const QSignalBlocker quiet(problem_);
    problem_->setCurrentIndex(static_cast<int>(std::ranges::find(problems, *common) - problems.begin()));
}

double BenchSample::*ViewChoice::time() const {
    return time_->currentIndex() == 0 ? &BenchSample::kernel : &BenchSample::total;
}

std::optional<std::size_t> ViewChoice::problem() const {
    const int last = problem_->count() - 1, at = problem_->currentIndex();
    if (last > 0 && at == last) return std::nullopt;
    return static_cast<std::size_t>(std::max(at, 0));
}

void ViewChoice::setLogarithmicByHand(bool on) {
    logByHand_ = on;
    log_->setChecked(on);
    emit logarithmicWanted(on);
}

void ViewChoice::showLogarithmic(bool on) {
    log_->setChecked(on);
}

QString ViewChoice::difference() const {
    return difference_->whole();
}

}  // namespace ks::ui::lab
