#include "ui/kernels/trial/trial_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/base/quantile.h"
#include "core/judge/questions.h"
#include "core/run/bench.h"
#include "core/run/bench_statistics.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/kernels/state_colours.h"

namespace ks::ui {
namespace {

QString trialTr(const char* text) {
    return QCoreApplication::translate("KernelTrial", text);
}

bool isRight(const Verdict& verdict) {
    return verdict.state == Verdict::State::pass || verdict.state == Verdict::State::sampled;
}

/// The place of the largest error as a link; empty if it cannot be shown.
QString placeText(const TrialResult& result, const QPalette& palette) {
    const QString where = QString::fromStdString(result.verdict.where).toHtmlEscaped();
    if (where.isEmpty() || !result.placeCanBeShown) return {};
    const QString link = QStringLiteral("<a href='%1' style='color:%2'>%3</a>")
                             .arg(QLatin1String(worstPlaceLink), palette.color(QPalette::Link).name(), where);
    return trialTr("largest error: %1").arg(link);
}

QString verdictText(const TrialResult& result, const QPalette& palette) {
    using State = Finding::State;
    const Verdict& verdict = result.verdict;
    if (accessesOutweigh(result)) {
        const QString found = stateText(State::no,
                                        trialTr("wrong: the access check of this text found %1")
                                            .arg(result.accesses.faults.join(QStringLiteral(", "))),
                                        palette);
        if (!isRight(verdict)) return found;
        return found + QStringLiteral(" ") +
               (verdict.state == Verdict::State::pass
                    ? trialTr("(all values of this run are right)")
                    : counted(verdict.samples, trialTr("(1 value of this run is right)"),
                              trialTr("(%1 values of this run are right)")));
    }
    switch (verdict.state) {
        case Verdict::State::unchecked:
            return trialTr("not checked");
        case Verdict::State::pass:
            return stateText(State::yes, trialTr("right: all values"), palette);
        case Verdict::State::sampled:
            return stateText(State::yes,
                             trialTr("right: %1 (sample)")
                                 .arg(counted(verdict.samples, trialTr("1 value"), trialTr("%1 values"))),
                             palette);
        case Verdict::State::fail:
            break;
    }
    return stateText(State::no, trialTr("wrong"), palette) + QStringLiteral(" ") +
           QString::fromStdString(without_verdict(verdict.text)).toHtmlEscaped();
}

/// With the decimals of `like` at three significant digits, so that both ends of a range match.
QString factorText(double value, double like) {
    const int before = like > 0 ? static_cast<int>(std::floor(std::log10(like))) + 1 : 1;
    return QString::number(value, 'f', std::clamp(3 - before, 0, 8));
}

QString rangeText(const RatioInterval& ratio) {
    return trialTr("%1 to %2").arg(factorText(ratio.low, ratio.high), factorText(ratio.high, ratio.high));
}

}  // namespace

bool accessesOutweigh(const TrialResult& result) {
    return !result.accesses.faults.isEmpty() && result.verdict.state != Verdict::State::fail;
}

QString guardZonesTip() {
    return trialTr(
        "The 64 KiB pattern before and after each buffer is intact after the run.\nReads outside of buffers, "
        "writes further away, local memory and data races\nare not checked here; use Check accesses "
        "(Shift+F7).");
}

QString timesText(const TrialTimes& times, const QString& base) {
    const QString of = base.toHtmlEscaped();
    if (times.own.empty() || times.base.empty())
        return trialTr("not compared with %1: %2").arg(of, times.failure.toHtmlEscaped());
    const RatioInterval slower = ratio_of_medians(times.base, times.own),
                        faster = ratio_of_medians(times.own, times.base);
    const std::size_t own = times.own.size(), other = times.base.size();
    const QString runs = own == other
                             ? trialTr("%1 each").arg(counted(own, trialTr("1 run"), trialTr("%1 runs")))
                             : trialTr("%1 and %2 runs, because one run of %3 takes longer than %4 s")
                                   .arg(own)
                                   .arg(other)
                                   .arg(own < other ? trialTr("your kernel") : of)
                                   .arg(slow_run_seconds);
    const QString medians =
        trialTr("kernels %1 (%2: %3)")
            .arg(formatDuration(quantile(times.own, 0.5)), of, formatDuration(quantile(times.base, 0.5)));
    const Order order = order_of(times.base, times.own);
    if (!faster.known())
        return trialTr("%1: %2 \u00d7 as fast, not significant with fewer than %3 runs each (%4)")
            .arg(medians, factorText(faster.value, faster.value))
            .arg(runs_for_an_order(2))
            .arg(runs);
    if (order == Order::shorter)
        return trialTr("%1: <b>%2 \u00d7 as fast</b> (%3, %4)")
            .arg(medians, factorText(faster.value, faster.value), rangeText(faster), runs);
    if (order == Order::longer)
        return trialTr("%1: <b>takes %2 \u00d7 as long</b> (%3, %4)")
            .arg(medians, factorText(slower.value, slower.value), rangeText(slower), runs);
    return trialTr("%1: <b>no significant difference</b> (%2 \u00d7 as fast, %3)")
        .arg(medians, rangeText(faster), runs);
}

QString trialText(const TrialResult& result, const QPalette& palette) {
    QStringList parts{verdictText(result, palette)};
    if (isRight(result.verdict) && !result.accesses.racesLookedFor)
        parts << trialTr("local memory and races not checked (Shift+F7 checks them)");
    if (const QString place = placeText(result, palette); !place.isEmpty()) parts << place;
    if (result.times && !result.times->own.empty() && !result.times->base.empty())
        parts << timesText(*result.times, result.base);
    else
        parts << trialTr("kernels %1 in one run").arg(formatDuration(result.kernelNanoseconds));
    if (result.times && (result.times->own.empty() || result.times->base.empty()))
        parts << timesText(*result.times, result.base);
    if (result.times && !result.times->base.empty() && !result.baseNote.isEmpty())
        parts << result.baseNote.toHtmlEscaped();
    if (!result.note.isEmpty()) parts << result.note.toHtmlEscaped();
    if (!result.problem.isEmpty()) parts << result.problem.toHtmlEscaped();
    if (!result.printed.isEmpty())
        parts << trialTr("printed: <code>%1</code>").arg(result.printed.toHtmlEscaped());
    if (result.guarded) parts << trialTr("guard zones intact");
    return parts.join(QStringLiteral(" &nbsp;\u00b7&nbsp; "));
}

}  // namespace ks::ui
