#include "ui/lab/strip_plot.h"

#include <qcustomplot.h>
#include <algorithm>
#include <utility>

#include "ui/base/csv_field.h"
#include "ui/lab/strip_marks.h"
#include "ui/plots/plot_view.h"

namespace ks::ui::lab {

StripPlot::StripPlot(QWidget* parent)
    : ToolPlot(
          tr("Times of the variants"), [this] { marks_->resetZoom(); }, parent),
      marks_(new StripMarks(plot_)),
      logSwitch_(view_->addSwitch(QStringLiteral("logX"), tr("&Logarithmic times"),
                                  tr("Equal ratios of times are equally far apart"),
                                  [this](bool on) { setLogarithmic(on); })) {
    present();
}

void StripPlot::draw(QCustomPlot& plot, const QPalette& palette) const {
    StripMarks& marks = &plot == plot_ ? *marks_ : *new StripMarks(&plot);  // a child of the plot
    marks.present(strips_, ties_, palette, title_, logarithmic_, emptyText_);
}

void StripPlot::present() {
    ToolPlot::present();
    setMinimumHeight(strips_.empty() ? 0 : marks_->leastHeight());
}

QString StripPlot::describe(const QPointF& at) const {
    return marks_->describe(at);
}

void StripPlot::setStrips(std::vector<Strip> strips, std::vector<StripTie> ties) {
    strips_ = std::move(strips);
    ties_ = std::move(ties);
    present();
    updateGeometry();
}

void StripPlot::setTitle(const QString& title) {
    title_ = title;
    present();
}

void StripPlot::setLogarithmic(bool on) {
    logSwitch_->setChecked(on);
    if (logarithmic_ == on) return;
    logarithmic_ = on;
    present();
    view_->fit();
    emit logarithmicChanged(on);
}

QSize StripPlot::sizeHint() const {
    return {420, marks_->leastHeight()};
}

QSize StripPlot::figureSize() const {
    return {800, std::max(marks_->leastHeight(), 160)};
}

std::string StripPlot::csv() const {
    const bool grouped =
        std::ranges::any_of(strips_, [](const Strip& one) { return !one.problem.isEmpty(); });
    std::string text = grouped ? "problem,variant,source,rank,sample,nanoseconds\n"
                               : "variant,source,rank,sample,nanoseconds\n";
    for (const Strip& one : strips_)
        for (std::size_t i = 0; i < one.samples.size(); ++i)
            text += (grouped ? csvField(one.problem) + ',' : std::string()) + csvField(one.name) + ',' +
                    csvField(one.source) + ',' + one.rank.toStdString() + ',' + std::to_string(i + 1) + ',' +
                    csvNumber(one.samples[i]) + '\n';
    return text;
}

}  // namespace ks::ui::lab
