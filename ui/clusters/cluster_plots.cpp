#include "ui/clusters/cluster_plots.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QSignalBlocker>
#include <algorithm>

#include "core/base/error.h"
#include "ui/base/layouts.h"
#include "ui/plots/histogram_content.h"

namespace ks::ui::clusters {
namespace {

using ks::clusters::Cluster;
using ks::clusters::DetectorLayout;

constexpr int perDecade = 20, wholeBins = 60;

QVector<double> valuesOf(const std::vector<Cluster>& clusters, ClusterQuantity quantity,
                         const DetectorLayout& layout, std::optional<std::size_t> layer) {
    QVector<double> values;
    for (const Cluster& cluster : clusters)
        if (!layer || layout.layer_of(cluster.module) == *layer) values << valueOf(cluster, quantity);
    return values;
}

}  // namespace

double valueOf(const Cluster& cluster, ClusterQuantity quantity) {
    switch (quantity) {
        case ClusterQuantity::size:
            return cluster.size;
        case ClusterQuantity::widthX:
            return cluster.width_x();
        case ClusterQuantity::widthY:
            return cluster.width_y();
        case ClusterQuantity::charge:
            break;
    }
    return static_cast<double>(cluster.charge);
}

QVector<HistogramSeries> clusterHistograms(const std::vector<ClustersOfRun>& runs, ClusterQuantity quantity,
                                           const DetectorLayout& layout, std::optional<std::size_t> layer) {
    // All clusters first: the kept ones are drawn above them.
    struct Part {
        const ClustersOfRun* run;
        bool kept;
        QVector<double> values;
    };
    std::vector<Part> parts;
    const bool cut =
        std::any_of(runs.begin(), runs.end(), [](const ClustersOfRun& run) { return run.uncut; });
    for (const bool kept : {false, true}) {
        if (!kept && !cut) continue;
        for (const ClustersOfRun& run : runs) {
            const auto* clusters = !kept && run.uncut ? run.uncut : run.clusters;
            parts.push_back({&run, kept, valuesOf(*clusters, quantity, layout, layer)});
        }
    }
    QVector<QVector<double>> all;
    for (const Part& part : parts) all << part.values;
    const QVector<double> edges =
        quantity == ClusterQuantity::charge ? logEdges(all, perDecade) : wholeEdges(all, wholeBins);
    QVector<HistogramSeries> series;
    if (edges.isEmpty()) return series;
    for (const Part& part : parts)
        series << HistogramSeries{part.kept ? QCoreApplication::translate("clusters", "kept")
                                            : QCoreApplication::translate("clusters", "all"),
                                  part.kept ? 1 : 0,
                                  runs.size() > 1 ? part.run->name : QString(),
                                  edges,
                                  binned(part.values, edges),
                                  undrawnOf(part.values, quantity == ClusterQuantity::charge)};
    return series;
}

using ks::clusters::DetectorLayout;

ClusterPlots::ClusterPlots(Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      quantity_(new QComboBox),
      layer_(new QComboBox),
      log_(new QCheckBox(tr("&Log counts"))),
      plot_(new HistogramPlot) {
    build();
    setRuns({}, nullptr);
}

ClusterPlots::~ClusterPlots() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void ClusterPlots::build() {
    quantity_->addItems({tr("Size"), tr("Width in x"), tr("Width in y"), tr("Charge")});
    named(quantity_, tr("Quantity of the histogram"), tr("Which quantity of the clusters is plotted"));
    quantity_->setCurrentIndex(static_cast<int>(ClusterQuantity::charge));
    named(layer_, tr("Detector layer of the histogram"), tr("Detector layer whose clusters are plotted"));
    log_->setToolTip(tr("Logarithmic axis of counts"));
    plot_->setCounted(tr("Clusters"), tr("cluster"));
    setLayout(inRows({inColumns({quantity_, layer_, log_, Cell::space()}, 8), {plot_, 1}}, 4, {0, 4, 0, 0}));
    connect(quantity_, &QComboBox::currentIndexChanged, this, &ClusterPlots::fill);
    connect(layer_, &QComboBox::currentIndexChanged, this, &ClusterPlots::fill);
    connect(log_, &QCheckBox::toggled, plot_, &HistogramPlot::setLogY);
    connect(plot_, &HistogramPlot::logYChanged, log_, &QCheckBox::setChecked);
    connect(plot_, &HistogramPlot::markDragged, this, &ClusterPlots::drag);
    connect(plot_, &HistogramPlot::pointHovered, this, &ClusterPlots::pointHovered);
}

void ClusterPlots::setRuns(std::vector<ShownRun> runs, const DetectorLayout* layout) {
    runs_ = std::move(runs);
    if (layout != layout_ || layer_->count() == 0) {
        layout_ = layout;
        fillLayers();
    }
    fill();
}

void ClusterPlots::fillLayers() {
    const QSignalBlocker quiet(layer_);
    layer_->clear();
    layer_->addItem(tr("All layers"));
    if (layout_)
        for (const ks::clusters::Layer& one : layout_->layers)
            layer_->addItem(QString::fromStdString(one.name));
    layer_->setVisible(layer_->count() > 1);
}

void ClusterPlots::setQuantity(ClusterQuantity quantity) {
    quantity_->setCurrentIndex(static_cast<int>(quantity));
}

ClusterQuantity ClusterPlots::quantity() const {
    return static_cast<ClusterQuantity>(quantity_->currentIndex());
}

void ClusterPlots::setLayer(std::optional<std::size_t> layer) {
    layer_->setCurrentIndex(layer ? static_cast<int>(*layer) + 1 : 0);
}

std::optional<std::size_t> ClusterPlots::layer() const {
    return layer_->currentIndex() > 0 ? std::optional(static_cast<std::size_t>(layer_->currentIndex() - 1))
                                      : std::nullopt;
}

// Runs with many events have millions of clusters.
void ClusterPlots::fill() {
    const ClusterQuantity what = quantity();
    const bool charge = what == ClusterQuantity::charge;
    const QString unit = charge ? tr("adc") : what == ClusterQuantity::size ? tr("digis") : tr("px");
    plot_->setXAxis(quantity_->currentText(), unit);
    plot_->setLogX(charge);
    plot_->setFigureName(charge ? QStringLiteral("charges") : QStringLiteral("sizes"));
    plot_->setBinText(charge ? std::function<QString(double, double)>() : [unit](double from, double to) {
        const QString first = QString::number(from + 0.5, 'f', 0), last = QString::number(to - 0.5, 'f', 0);
        const QString values = first == last ? first : first + QStringLiteral("\u2013") + last;
        return values + QLatin1Char(' ') +
               (first == last && first == QLatin1String("1") && unit == tr("digis") ? tr("digi") : unit);
    });
    if (!layout_ || runs_.empty()) {
        jobs_.drop(this, QStringLiteral("histogram of clusters"));
        plot_->setMarks({});
        plot_->setEmptyText(layout_ ? tr("Press Run (F5) to see histograms of the clusters here.")
                                    : tr("Open digis to see histograms of their clusters here."));
        plot_->setSeries({});
        return;
    }
    struct Filled {
        QVector<HistogramSeries> series;
        bool any;  ///< clusters
    };
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("histogram of clusters"),
        [runs = runs_, what, layout = layout_, one = layer()] {
            std::vector<ClustersOfRun> all;
            for (auto shown = runs.rbegin(); shown != runs.rend(); ++shown) {
                const int number = shown->run->number();
                const QString name = number > 0 ? tr("run %1").arg(number) : tr("preview");
                all.push_back({shown->wrong ? tr("%1 (wrong)").arg(name) : name, &shown->run->clusters(),
                               shown->uncut.get()});
            }
            const bool any = std::ranges::any_of(all, [&](const ClustersOfRun& run) {
                return !valuesOf(run.uncut ? *run.uncut : *run.clusters, what, *layout, one).isEmpty();
            });
            return Filled{clusterHistograms(all, what, *layout, one), any};
        },
        [this, charge](const Filled& filled) {
            const QVector<HistogramSeries>& series = filled.series;
            plot_->setEmptyText(filled.any && charge
                                    ? tr("The charge of each cluster in this layer is 0, which a "
                                         "logarithmic axis does not have.")
                                    : tr("No clusters in this layer."));
            // Growing bins are equally wide on a logarithmic axis.
            const bool grow = !series.isEmpty() && series[0].edges.last() - series[0].edges.first() >
                                                       static_cast<double>(series[0].counts.size()) + 0.5;
            plot_->setLogX(quantity() == ClusterQuantity::charge || grow);
            plot_->setSeries(series);
            showCut();
        });
}

void ClusterPlots::setCut(const std::string& text) {
    cut_.reset();
    if (layout_) {
        try {
            cut_.emplace(text, *layout_);
        } catch (const Error&) {
            // The form reports its error.
        }
    }
    showCut();
}

void ClusterPlots::showCut() {
    QVector<HistogramMark> marks;
    marked_.clear();
    if (cut_ && quantity() == ClusterQuantity::charge && !plot_->series().isEmpty()) {
        for (const ChargeCut::Group& group : cut_->groups()) {
            if (layer() &&
                std::find(group.layers.begin(), group.layers.end(), *layer()) == group.layers.end())
                continue;
            const ChargeCut::Group moved = layer() ? ChargeCut::Group{group.cut, {*layer()}} : group;
            const QString name = cut_->name(moved);
            // Nothing is cut: the line is at the left end.
            const double at = moved.cut > 0 ? moved.cut : plot_->series()[0].edges.first();
            const QString value = moved.cut > 0 ? tr("cut %1").arg(moved.cut) : tr("no cut; drag to set one");
            marks << HistogramMark{at, 2,
                                   name.isEmpty() ? value : QStringLiteral("%1 (%2)").arg(value, name)};
            marked_.push_back(moved.layers);
        }
    }
    plot_->setMarks(marks);
}

void ClusterPlots::drag(int mark, double charge, bool final) {
    if (!cut_ || mark < 0) return;
    // Lines that meet during a drag are merged; the drag still moves the layers with which it started.
    if (held_.empty() && static_cast<std::size_t>(mark) < marked_.size())
        held_ = marked_[static_cast<std::size_t>(mark)];
    const double minimum = plot_->series().isEmpty() ? 0 : plot_->series()[0].edges.first();
    cut_->set(held_, charge <= minimum ? 0 : roundedCharge(charge));
    if (final) held_.clear();
    showCut();
    emit cutDragged(QString::fromStdString(cut_->text()), final);
}

}  // namespace ks::ui::clusters
