#include "ui/runs/user/text_faults.h"

#include "core/run/user/shown_variant.h"

namespace ks::ui {

void TextFaults::put(const std::string& analysis, const std::string& mark, const QStringList& faults) {
    if (faults.isEmpty()) return;
    QStringList& known = faults_[{analysis, mark}];
    const qsizetype before = known.size();
    known += faults;
    known.removeDuplicates();
    if (known.size() > before) emit changed();
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
    const QString why =
        tr("the access check of this text found %1").arg(found->second.join(QStringLiteral(", ")));
    judged.text = why.toStdString();
    if (!verdict.text.empty())
        judged.text += tr("; values: %1").arg(QString::fromStdString(verdict.text)).toStdString();
    return judged;
}

Verdict TextFaults::judged(const Run& run) const {
    const std::string& text = run.request.kernel_source;
    if (faults_.empty() || !run.variant.from_user() || text.empty()) return run.verdict;
    return judged(run.request.analysis, text_mark(text), run.verdict);
}

}  // namespace ks::ui
