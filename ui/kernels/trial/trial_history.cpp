#include "ui/kernels/trial/trial_history.h"

#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QTextDocumentFragment>
#include <algorithm>

#include "core/base/quantile.h"
#include "core/run/bench_statistics.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/kernels/state_colours.h"
#include "ui/kernels/trial/trial_text.h"

namespace ks::ui {
namespace {

constexpr std::size_t keptTrials = 30;  ///< of a kernel

QString ratioText(const TrialTimes& times) {
    const RatioInterval faster = ratio_of_medians(times.own, times.base);
    const bool sure = order_of(times.base, times.own) != Order::undecided;
    const double slower = 1 / faster.value;
    const QString value = faster.value < 0.1
                              ? QStringLiteral("1/%1").arg(slower, 0, 'f', slower < 100 ? 1 : 0)
                              : QString::number(faster.value, 'f', faster.value < 10 ? 2 : 1);
    return QStringLiteral("%1%2 \u00d7").arg(sure ? QString() : QStringLiteral("\u2248"), value);
}

bool isWrong(const TrialResult& result) {
    return result.verdict.state == Verdict::State::fail || accessesOutweigh(result);
}

}  // namespace

QString trialRow(const TrialResult& result) {
    const bool wrong = isWrong(result);
    const bool timed = result.times && !result.times->own.empty();
    const double kernels = timed ? quantile(result.times->own, 0.5) : result.kernelNanoseconds;
    QString row = wrong ? TrialHistory::tr("\u2717 wrong  ") : QStringLiteral("\u2713 ");
    row += formatDuration(kernels);
    if (timed && !result.times->base.empty()) row += QStringLiteral("  ") + ratioText(*result.times);
    return row;
}

TrialHistory::TrialHistory(QWidget* parent)
    : QWidget(parent), title_(new QLabel), list_(named(new QListWidget, tr("Last runs of this kernel"))) {
    title_->setContentsMargins(8, 6, 8, 4);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setWhatsThis(
        tr("Results of the latest runs of this kernel, newest first: right or wrong, kernel time, and speed "
           "relative to its base; below, the time of day, the text that was run, and the faults that an "
           "access check of this "
           "text found."));
    setLayout(inRows({title_, {list_, 1}}, 0));
    hide();
    new Restyled(this, Restyled::By::palette, [this] { fill(); });
}

TrialHistory::Entry& TrialHistory::entryOf(const KernelTrial& trial) {
    std::vector<Entry>& all = known_[{trial.analysis, trial.id}].entries;
    const auto known = std::ranges::find(all, trial.number, &Entry::number);
    if (known != all.end()) return *known;
    all.insert(all.begin(), Entry{trial.number, QDateTime::currentDateTime(), trial.textMark, {}, {}});
    if (all.size() > keptTrials) all.pop_back();
    return all.front();
}

void TrialHistory::take(const KernelTrial& trial, const TrialResult& result) {
    entryOf(trial).result = result;
    fill();
}

void TrialHistory::take(const KernelTrial& trial, const Error& error) {
    if (error.kind() == ErrorKind::cancelled) return;
    entryOf(trial).error = error;
    fill();
}

void TrialHistory::take(const QString& analysis, const QString& id, const QString& textMark,
                        const AccessResult& found) {
    known_[{analysis, id}].checks[textMark] = found;
    fill();
}

AccessResult TrialHistory::accessesOf(const QString& analysis, const QString& id,
                                      const QString& textMark) const {
    AccessResult all;
    if (const auto kernel = known_.find({analysis, id}); kernel != known_.end())
        if (const auto check = kernel->second.checks.find(textMark); check != kernel->second.checks.end())
            all = check->second;
    if (knownFaults_) all.faults += knownFaults_(analysis, textMark);
    all.faults.removeDuplicates();
    return all;
}

void TrialHistory::setKnownFaults(
    std::function<QStringList(const QString& analysis, const QString& textMark)> known) {
    knownFaults_ = std::move(known);
    fill();
}

void TrialHistory::showOf(const QString& analysis, const QString& id) {
    shown_ = {analysis, id};
    fill();
}

void TrialHistory::rename(const QString& analysis, const QString& from, const QString& to) {
    auto node = known_.extract({analysis, from});
    if (node.empty()) return;
    node.key() = {analysis, to};
    known_.erase({analysis, to});
    known_.insert(std::move(node));
}

void TrialHistory::drop(const QString& analysis, const QString& id) {
    known_.erase({analysis, id});
    fill();
}

void TrialHistory::fill() {
    list_->clear();
    const auto known = known_.find(shown_);
    const bool none = known == known_.end() || known->second.entries.empty();
    title_->setText(shown_.second.isEmpty() ? tr("No kernel is open")
                    : none                  ? tr("No F7 run of this kernel")
                                            : tr("Latest F7 runs"));
    // It keeps its place: the list above would move under the pointer that chooses a kernel.
    const auto hasRun = [](const auto& one) { return !one.second.entries.empty(); };
    setVisible(std::ranges::any_of(known_, hasRun));
    if (none) return;
    for (const Entry& entry : known->second.entries) {
        TrialResult result = entry.result;
        result.accesses = accessesOf(shown_.first, shown_.second, entry.textMark);
        const QString row = entry.error ? tr("\u2717 %1").arg(QString::fromStdString(entry.error->message()))
                                        : trialRow(result),
                      time = entry.when.toString(QStringLiteral("HH:mm")),
                      of = entry.textMark.isEmpty() ? time : tr("%1, text %2").arg(time, entry.textMark);
        QStringList lines{row, of};
        if (!entry.error && accessesOutweigh(result))
            lines << tr("access check: %1").arg(result.accesses.faults.join(QStringLiteral(", ")));
        auto* item = new QListWidgetItem(lines.join(QLatin1Char('\n')), list_);
        const QString whole =
            entry.error ? QString::fromUtf8(entry.error->what())
                        : QTextDocumentFragment::fromHtml(trialText(result, palette())).toPlainText();
        item->setToolTip(entry.when.toString(QStringLiteral("HH:mm:ss\n")) + whole);
        if (entry.error || isWrong(result)) item->setForeground(stateColour(Finding::State::no, palette()));
    }
}

}  // namespace ks::ui
