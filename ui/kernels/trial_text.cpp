#include "ui/kernels/trial_text.h"

#include <QCoreApplication>

#include "ui/base/palette.h"

namespace ks::ui {
namespace {

QString trialTr(const char* text) {
    return QCoreApplication::translate("KernelTrial", text);
}

QString verdictText(const Verdict& verdict, bool dark) {
    const auto coloured = [](const char* colour, const QString& text) {
        return QStringLiteral("<b style='color:%1'>%2</b>").arg(QLatin1String(colour), text);
    };
    switch (verdict.state) {
        case Verdict::State::unchecked:
            return trialTr("not checked");
        case Verdict::State::pass:
            return coloured(dark ? "#56d364" : "#1a7f37", trialTr("right: all values"));
        case Verdict::State::sampled:
            return coloured(dark ? "#56d364" : "#1a7f37",
                            trialTr("right: %1 values of a sample").arg(verdict.samples));
        case Verdict::State::fail:
            break;
    }
    return coloured(dark ? "#ff7b72" : "#c62828", trialTr("wrong")) + QStringLiteral(" ") +
           QString::fromStdString(verdict.text).toHtmlEscaped();
}

QString timesText(double own, double base) {
    if (base <= 0 || own <= 0) return {};
    const double ratio = base / own;
    return ratio >= 1 ? trialTr("%1 times as fast").arg(formatNumber(ratio, 3))
                      : trialTr("%1 times as slow").arg(formatNumber(1 / ratio, 3));
}

}  // namespace

QString trialText(const Run& run, const Run* base, const QPalette& palette) {
    const auto own = static_cast<double>(total(run.timings, StageKind::kernel));
    QStringList parts{verdictText(run.verdict, isDark(palette)),
                      trialTr("kernels %1").arg(formatDuration(own))};
    // A wrong kernel may be fast since it leaves work out.
    if (base && run.verdict.state != Verdict::State::fail) {
        const auto other = static_cast<double>(total(base->timings, StageKind::kernel));
        parts << trialTr("%1 takes %2: %3 in one run each, of which the page Lab makes many")
                     .arg(QString::fromStdString(base->variant.id).toHtmlEscaped(), formatDuration(other),
                          timesText(own, other));
    }
    if (run.request.guarded) parts << trialTr("no kernel wrote outside its buffers");
    return parts.join(QStringLiteral(" &nbsp;\u00b7&nbsp; "));
}

}  // namespace ks::ui
