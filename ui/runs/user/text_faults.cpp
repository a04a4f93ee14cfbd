#include "ui/runs/user/text_faults.h"

#include <utility>

#include "core/run/user/shown_variant.h"

namespace ks::ui {
namespace {

const QString separator = QStringLiteral(", ");

/// In front of the faults.
QString foundText() {
    return TextFaults::tr("the access check of this text found ");
}

}  // namespace

void TextFaults::put(const std::string& analysis, const std::string& mark, const QStringList& faults) {
    if (faults.isEmpty()) return;
    QStringList& known = faults_[{analysis, mark}];
    const qsizetype before = known.size();
    known += faults;
    known.removeDuplicates();
    if (known.size() > before) emit changed();
}

QStringList TextFaults::of(const std::string& analysis, const std::string& mark) const {
    const auto found = faults_.find({analysis, mark});
    return found == faults_.end() ? QStringList() : found->second;
}

Verdict TextFaults::judged(const std::string& analysis, const std::string& mark,
                           const Verdict& verdict) const {
    const auto found = faults_.find({analysis, mark});
    if (found == faults_.end() || verdict.state == Verdict::State::fail) return verdict;
    Verdict judged = verdict;
    judged.state = Verdict::State::fail;
    judged.where = wrong_accesses;
    judged.worst_error.reset();
    judged.place = {};
    judged.text = (foundText() + found->second.join(separator)).toStdString();
    if (!verdict.text.empty())
        judged.text += tr("; values: %1").arg(QString::fromStdString(verdict.text)).toStdString();
    return judged;
}

Verdict TextFaults::judged(const Run& run) const {
    const std::string& text = run.request.kernel_source;
    if (faults_.empty() || !run.variant.from_user() || text.empty()) return run.verdict;
    return judged(run.request.analysis, text_mark(text), run.verdict);
}

bool TextFaults::judge(BenchReport& report) const {
    bool changed = false;
    for (BenchPoint& point : report.points)
        for (BenchRow& row : point.rows) {
            if (row.text_mark.empty()) continue;
            Verdict verdict = judged(report.plan.analysis, row.text_mark, row.verdict);
            if (verdict.state == row.verdict.state) continue;
            row.verdict = std::move(verdict);
            changed = true;
        }
    return changed;
}

void TextFaults::learn(const Run& run) {
    const QString text = QString::fromStdString(run.verdict.text);
    if (run.verdict.where != wrong_accesses || !run.variant.from_user() || !text.startsWith(foundText()))
        return;
    put(run.request.analysis, text_mark(run.request.kernel_source),
        text.mid(foundText().size()).section(QLatin1Char(';'), 0, 0).split(separator));
}

}  // namespace ks::ui
