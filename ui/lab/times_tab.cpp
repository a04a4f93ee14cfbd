#include <QComboBox>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/quantile.h"
#include "ui/base/form_parts.h"
#include "ui/lab/lab_tabs.h"
#include "ui/lab/strip_plot.h"
#include "ui/lab/view_choice.h"

namespace ks::ui::lab {
namespace {

/// If medians differ by more, they coincide on a linear axis.
constexpr double linearRange = 20;

double rangeOfMedians(const std::vector<Strip>& strips) {
    double low = HUGE_VAL, high = 0;
    for (const Strip& one : strips) {
        if (one.samples.empty()) continue;
        const double median = quantile(one.samples, 0.5);
        low = std::min(low, median);
        high = std::max(high, median);
    }
    return low > 0 && high > 0 ? high / low : 1;
}

/// Why an entry has no samples, or few.
QString noteOf(const Entry& entry, bool running) {
    const BenchRow& row = *entry.row;
    if (!row.samples.empty()) return fewerRuns(entry);
    if (row.not_run.empty())
        return running && !entry.of->complete ? QObject::tr("running") : QObject::tr("not timed");
    // Further lines are those of a compiler.
    const QString why = QString::fromStdString(row.not_run).section(QLatin1Char('\n'), 0, 0);
    return whyNotTimed(row, why);
}

void showTimes(const LabView& view, StripPlot& plot, ViewChoice& choice) {
    std::vector<Strip> strips;
    std::vector<std::size_t> stripOf(view.here.size());
    for (std::size_t i = 0; i < view.here.size(); ++i) {
        const Entry& entry = view.here[i];
        stripOf[i] = strips.size();
        strips.push_back({view.nameOf(entry), entry.of->name(), view.colourOf(*entry.of),
                          rankText(entry.rank), is_wrong(*entry.row), noteOf(entry, view.running),
                          entry.row->times(view.time), view.groupOf(entry)});
    }
    std::vector<StripTie> ties;
    for (const std::vector<std::size_t>& set : view.ties) {
        const std::shared_ptr<const Compared>& source = view.here[set.front()].of;
        const bool isOne = std::ranges::all_of(set, [&](std::size_t i) { return view.here[i].of == source; });
        StripTie tie{isOne ? view.colourOf(*source) : 0, {}};
        for (const std::size_t i : set) tie.strips.push_back(stripOf[i]);
        std::ranges::sort(tie.strips);
        ties.push_back(std::move(tie));
    }
    const QString time = choice.times().currentText(),
                  few = view.running ? QString() : tooFewRepeats(view.here, view.time);
    plot.setTitle(few.isEmpty() ? time : QObject::tr("%1 (%2)").arg(time, few));
    plot.setEmptyText(view.running ? QObject::tr("Waiting for the first samples")
                                   : QObject::tr("Tick variants at the left and press Run (F5): every timed "
                                                 "run appears here as a dot"));
    const bool logarithmic = choice.logarithmicByHand().value_or(rangeOfMedians(strips) > linearRange);
    {
        const QSignalBlocker notByHand(&plot);
        plot.setLogarithmic(logarithmic);
    }
    choice.showLogarithmic(logarithmic);
    plot.setStrips(std::move(strips), std::move(ties));
}

}  // namespace

LabTab timesTab(const LabParts& parts) {
    ViewChoice& choice = parts.choice;
    auto* plot = new StripPlot;
    QObject::connect(&choice, &ViewChoice::logarithmicWanted, plot, &StripPlot::setLogarithmic);
    QObject::connect(plot, &StripPlot::logarithmicChanged, &choice, [&choice](bool on) {
        if (choice.logarithmicByHand() != on) choice.setLogarithmicByHand(on);
    });
    const QString title = QObject::tr("Times");
    return {
        {title,
         QObject::tr(
             "Every timed run as a dot, with median and quartiles. The rank is next to the name; "
             "a range of ranks is a tie. Lines on the right join variants whose order is not "
             "significant (p > 0.01): another measurement may reverse the order. Where they are similar, the "
             "addresses of buffers in this process can make an order significant, too."),
         scrolled(plot, title),
         {{title, plot, QStringLiteral("times")}}},
        [plot, &choice](const LabView& view) { showTimes(view, *plot, choice); }};
}

}  // namespace ks::ui::lab
