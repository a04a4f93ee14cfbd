#include "ui/xpcs/xpcs_page.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/image/detector_view.h"
#include "ui/image/frame_slider.h"
#include "ui/image/image_controls.h"
#include "ui/models/file_tree_model.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/plots/palette.h"
#include "ui/xpcs/page.h"
#include "ui/xpcs/run_curves.h"

namespace ks::ui::xpcs {
namespace {

// Up to here the first run brings a two-time map unasked; beyond, the map takes as long as the curves.
constexpr std::size_t mostFramesForTwoTime = 1000;
constexpr int controlsWidth = 276;

}  // namespace

std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<XpcsPage>(context);
}

XpcsPage::XpcsPage(PageContext& context)
    : context_(context),
      image_(new DetectorView),
      slider_(new FrameSlider),
      controls_(new ImageControls),
      curves_(new CurvePlot),
      twoTime_(new MapPlot),
      form_(new PartitionForm),
      binsWidget_(new QWidget),
      binsView_(new QTableView(binsWidget_)) {
    makeBinsWidget();
    makeCentre();
    connectParts();
    showCurves();
    showTwoTime();
}

XpcsPage::~XpcsPage() = default;

void XpcsPage::makeBinsWidget() {
    binsView_->setModel(&bins_);
    binsView_->setAccessibleName(tr("Bins"));
    binsView_->setSelectionBehavior(QAbstractItemView::SelectRows);
    binsView_->setSelectionMode(QAbstractItemView::SingleSelection);
    binsView_->setShowGrid(false);
    binsView_->setAlternatingRowColors(true);
    binsView_->verticalHeader()->hide();
    binsView_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    binsView_->horizontalHeader()->setHighlightSections(false);
    binsView_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    binsView_->horizontalHeader()->setSectionResizeMode(BinTableModel::QColumn, QHeaderView::Stretch);
    auto* heading = new QLabel(tr("Bins"));
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    const auto button = [&](const QString& text, const QString& name, bool on) {
        auto* made = new QToolButton;
        made->setText(text);
        made->setAccessibleName(name);
        made->setToolTip(name);
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, [this, on] { bins_.setAll(on); });
        return made;
    };
    auto* line = new QHBoxLayout;
    line->addWidget(heading, 1);
    line->addWidget(button(tr("All"), tr("Switch all bins on"), true));
    line->addWidget(button(tr("None"), tr("Switch all bins off"), false));
    auto* rows = new QVBoxLayout(binsWidget_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->addLayout(line);
    rows->addWidget(binsView_, 1);
}

void XpcsPage::makeCentre() {
    const QString hint = tr("Drop an HDF5 file here or open the demo");
    image_->setEmptyText(hint);
    image_->setAccessibleName(tr("Detector image"));
    image_->setValueTitle(tr("counts"));
    controls_->attach(image_);
    controls_->setMaximumWidth(controlsWidth);
    slider_->setFrameCount(0);
    curves_->setAccessibleName(tr("Correlation curves"));
    curves_->setYAxis(QStringLiteral("g\u2082"));
    curves_->setLogX(true);
    twoTime_->setAccessibleName(tr("Two-time map"));
    twoTime_->setValueAxis(QStringLiteral("C"));

    auto* left = new QWidget;
    auto* imageRows = new QVBoxLayout(left);
    imageRows->setContentsMargins(0, 0, 0, 0);
    imageRows->setSpacing(8);
    imageRows->addWidget(image_, 1);
    imageRows->addWidget(slider_);
    auto* top = new QWidget;
    auto* topLine = new QHBoxLayout(top);
    topLine->setContentsMargins(0, 0, 0, 0);
    topLine->setSpacing(8);
    auto* side = new QVBoxLayout;
    side->addWidget(controls_);
    side->addStretch(1);
    topLine->addWidget(left, 1);
    topLine->addLayout(side);
    auto* bottom = new QSplitter(Qt::Horizontal);
    bottom->addWidget(curves_);
    bottom->addWidget(twoTime_);
    bottom->setStretchFactor(0, 4);
    bottom->setStretchFactor(1, 3);
    bottom->setSizes({400, 300});
    bottom->setChildrenCollapsible(false);
    auto* both = new QSplitter(Qt::Vertical);
    both->setObjectName(QStringLiteral("xpcsSplitter"));
    both->addWidget(top);
    both->addWidget(bottom);
    both->setStretchFactor(0, 1);
    both->setStretchFactor(1, 1);
    both->setChildrenCollapsible(false);
    both->setSizes({300, 280});
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 8, 8, 8);
    all->addWidget(both);
}

void XpcsPage::connectParts() {
    connect(slider_, &FrameSlider::frameChanged, this, &XpcsPage::readFrame);
    connect(form_, &PartitionForm::changed, this, &XpcsPage::makePartition);
    connect(&bins_, &BinTableModel::switched, this, &XpcsPage::binsSwitched);
    connect(binsView_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() != BinTableModel::OnColumn)
            pickBin(bins_.bins()[static_cast<std::size_t>(index.row())].label);
    });
    connect(image_, &DetectorView::clicked, this, [this](const QPointF& at, Qt::MouseButton button) {
        if (button != Qt::LeftButton || !partition_) return;
        const int column = static_cast<int>(std::floor(at.x())), row = static_cast<int>(std::floor(at.y()));
        const int width = static_cast<int>(partition_->width()),
                  height = static_cast<int>(partition_->height());
        if (column < 0 || row < 0 || column >= width || row >= height) return;
        if (const int label = partition_->labels()[static_cast<std::size_t>(row * width + column)]; label > 0)
            pickBin(label);
    });
    connect(image_, &DetectorView::hovered, this, [this](int column, int row, const QString& value) {
        emit cursorMoved(cursorText(column, row, value));
    });
    connect(image_, &DetectorView::hoverLeft, this, [this] { emit cursorMoved({}); });
    connect(curves_, &CurvePlot::pointHovered, this, &Page::cursorMoved);
    connect(twoTime_, &MapPlot::pointHovered, this, &Page::cursorMoved);
}

std::optional<Geometry> XpcsPage::geometry() const {
    if (!file_ || !file_->geometry) return std::nullopt;
    const PartitionChoice choice = form_->choice();
    Geometry used = choice.swapped ? file_->geometry->swapped() : *file_->geometry;
    // Rings move the centre of the experiment, here as in the run.
    if (choice.rings) {
        used.beam_x = choice.ring.x;
        used.beam_y = choice.ring.y;
    }
    return used;
}

QString XpcsPage::cursorText(int column, int row, const QString& value) const {
    QString text = tr("x %1  y %2  I %3").arg(column).arg(row).arg(value);
    const std::optional<Geometry> where = geometry();
    if (where && where->complete())
        text += tr("  q %1 1/\u00c5").arg(formatNumber(where->q(column + 0.5, row + 0.5), 4));
    return text;
}

QStringList XpcsPage::labelDatasets() const {
    FileTreeModel tree;
    tree.setTree(file_->tree, {});
    QStringList names;
    for (const QString& path : tree.labelPaths()) {
        // A pixel mask has the shape of a partition too, but its numbers are flags.
        const bool likely = path.contains(QStringLiteral("qmask")) || path.contains(QStringLiteral("roi")) ||
                            path.contains(QStringLiteral("label")) ||
                            path.contains(QStringLiteral("partition"));
        const QString name = file_->path + QStringLiteral("::") + path;
        if (likely) names.prepend(name);
    }
    return names;
}

void XpcsPage::setFile(std::shared_ptr<const OpenFile> file) {
    file_ = std::move(file);
    picked_ = 0;
    partition_.reset();
    context_.jobs.drop(QStringLiteral("xpcs partition"));
    image_->setLabels(nullptr);
    slider_->setPlaying(false);
    slider_->setFrameCount(static_cast<int>(file_->frames->frames()));
    slider_->setFrame(0);
    readFrame(0);
    form_->propose(file_->geometry, file_->frames->height(), file_->frames->width(), labelDatasets());
    showCurves();
    showTwoTime();
}

bool XpcsPage::useObject(const QString& path) {
    if (!file_) return false;
    form_->setDataset(file_->path + QStringLiteral("::") + path);
    return true;
}

void XpcsPage::readFrame(int frame) {
    if (!file_) return;
    context_.jobs.start(
        Jobs::Lane::files, QStringLiteral("xpcs frame"),
        [frames = file_->frames, frame] {
            auto image = std::make_shared<Array>(frames->type(),
                                                 std::vector<std::size_t>{frames->height(), frames->width()});
            frames->read(static_cast<std::size_t>(frame), 1, image->bytes());
            return std::shared_ptr<const Array>(std::move(image));
        },
        [this](const std::shared_ptr<const Array>& image) {
            const bool other = !image_->frame() || image_->frame()->shape() != image->shape();
            image_->setFrame(image);
            if (partition_ && other) image_->setLabels(partition_);
        },
        [this](const Error& error) {
            slider_->setPlaying(false);
            emit failed(error);
        });
}

void XpcsPage::makePartition() {
    if (!file_) return;
    const PartitionChoice choice = form_->choice();
    partition_.reset();
    emit inputsChanged();
    if (!choice.rings && choice.dataset.isEmpty()) {
        form_->setSummary(tr("Name a dataset with a label for each pixel."));
        return;
    }
    const std::size_t height = file_->frames->height(), width = file_->frames->width();
    context_.jobs.start(
        choice.rings ? Jobs::Lane::general : Jobs::Lane::files, QStringLiteral("xpcs partition"),
        [choice, height, width, where = geometry()] {
            const std::string name = choice.dataset.toStdString();
            auto partition = std::make_shared<const QPartition>(
                choice.rings ? QPartition::from_rings(height, width, choice.ring)
                             : QPartition::from_array(io::read_array(name, 2), name));
            if (partition->height() != height || partition->width() != width)
                throw Error(ErrorKind::input,
                            "the labels are " + std::to_string(partition->height()) + " x " +
                                std::to_string(partition->width()) + ", the frames " +
                                std::to_string(height) + " x " + std::to_string(width),
                            name);
            const double unknown = std::numeric_limits<double>::quiet_NaN();
            auto meanings = where ? partition->meanings(*where)
                                  : std::vector<BinMeaning>(partition->bins(), BinMeaning{unknown, unknown});
            return Partitioned{std::move(partition), std::move(meanings)};
        },
        [this](Partitioned made) { showPartition(std::move(made)); },
        [this](const Error& error) {
            form_->setSummary(QString::fromUtf8(error.what()));
            bins_.setBins({}, false);
            image_->setLabels(nullptr);
            emit failed(error);
        });
}

void XpcsPage::showPartition(Partitioned made) {
    partition_ = std::move(made.partition);
    meanings_ = std::move(made.meanings);
    std::vector<BinRow> rows;
    for (std::size_t bin = 0; bin < partition_->bins(); ++bin) {
        const int label = static_cast<int>(bin) + 1;
        rows.push_back(
            {label, meanings_[bin].q, partition_->bin_size(bin), binColour(label, isDark(palette())), true});
    }
    const auto filled =
        std::find_if(rows.begin(), rows.end(), [](const BinRow& row) { return row.pixels > 0; });
    if (picked_ == 0 && filled != rows.end() && file_->frames->frames() <= mostFramesForTwoTime)
        picked_ = filled->label;
    bins_.setBins(std::move(rows), true);
    form_->setSummary(tr("%1 pixels in %2 bins").arg(partition_->selected()).arg(partition_->bins()));
    const auto& frame = image_->frame();
    if (frame && frame->shape() == std::vector<std::size_t>{partition_->height(), partition_->width()})
        image_->setLabels(partition_);
    showRings();
    binsSwitched();
}

void XpcsPage::showRings() {
    const PartitionChoice choice = form_->choice();
    const std::optional<Geometry> where = geometry();
    image_->setBeam(where ? std::optional<QPointF>({where->beam_x, where->beam_y}) : std::nullopt);
    std::vector<RingOutline> rings;
    for (std::size_t ring = 0; choice.rings && ring <= choice.ring.n; ++ring) {
        RingOutline outline;
        outline.radius = choice.ring.r0 + static_cast<double>(ring) * choice.ring.width;
        if (where && where->complete())
            outline.label = tr("q %1").arg(formatNumber(where->q_of_radius(outline.radius), 3));
        rings.push_back(std::move(outline));
    }
    image_->setRings(choice.ring.x, choice.ring.y, std::move(rings));
}

void XpcsPage::binsSwitched() {
    std::vector<bool> shown;
    for (const BinRow& row : bins_.bins()) shown.push_back(row.on);
    image_->setVisibleBins(std::move(shown));
    showCurves();
    emit inputsChanged();
}

QString XpcsPage::missing() const {
    if (!file_) return tr("there are no frames: open a file or the demo first");
    if (!partition_) return tr("there are no bins: choose rings, or a dataset with labels");
    if (bins_.labelsOff().size() == partition_->bins()) return tr("all bins are switched off");
    return {};
}

void XpcsPage::apply(const ParameterSet& given) {
    if (given.contains("swap_xy")) form_->setSwapped(boolean(given, "swap_xy"));
}

void XpcsPage::fill(Request& request) const {
    request.inputs["frames"] = {file_->name.toStdString(), {}};
    const PartitionChoice choice = form_->choice();
    const std::vector<int> off = bins_.labelsOff();
    if (off.empty()) {
        const std::string name =
            choice.rings ? "rings:" + choice.ring.to_string() : choice.dataset.toStdString();
        request.inputs["partition"] = {name, {}};
    } else {
        std::vector<std::int32_t> labels = partition_->labels();
        for (std::int32_t& label : labels)
            if (std::find(off.begin(), off.end(), label) != off.end()) label = 0;
        request.inputs["partition"] = {"bins chosen in the window",
                                       Array::of({partition_->height(), partition_->width()}, labels)};
    }
    request.parameters["two_time_bin"] = std::int64_t{picked_};
    request.parameters["swap_xy"] = choice.swapped;
}

void XpcsPage::pickBin(int label) {
    picked_ = label;
    const bool there =
        std::any_of(runs_.begin(), runs_.end(), [&](const RunRow& r) { return twoTimeBin(*r.run) == label; });
    for (int row = 0; row < bins_.rowCount(); ++row)
        if (bins_.bins()[static_cast<std::size_t>(row)].label == label) binsView_->selectRow(row);
    showTwoTime();
    if (!there) emit runRequested();
}

void XpcsPage::setRuns(const std::vector<RunRow>& runs) {
    runs_ = runs;
    showCurves();
    showTwoTime();
}

void XpcsPage::showCurves() {
    const G2Curves curves = g2Curves(runs_, bins_.labelsOff());
    curves_->setEmptyText(file_ ? tr("Press Run (F5): the correlation curves appear here")
                                : tr("Correlation curves appear here after a run"));
    curves_->setXAxis(tr("delay"), curves.delayUnit);
    curves_->setSeries(curves.series);
    curves_->setDifferenceVisible(runs_.size() > 1);
}

void XpcsPage::showTwoTime() {
    twoTime_->setEmptyText(file_ ? tr("Click a bin in the image or in the table\nfor its two-time map")
                                 : tr("Two-time map of the picked bin"));
    for (const RunRow& row : runs_) {
        if (picked_ != 0 && twoTimeBin(*row.run) != picked_) continue;
        QString unit;
        std::optional<MapData> map = twoTimeMap(*row.run, &unit);
        if (!map) continue;
        twoTime_->setTitle(tr("two-time, bin %1, run %2").arg(twoTimeBin(*row.run)).arg(row.number));
        twoTime_->setXAxis(QStringLiteral("t\u2081"), unit);
        twoTime_->setYAxis(QStringLiteral("t\u2082"), unit);
        twoTime_->setMap(std::move(*map));
        return;
    }
    twoTime_->setTitle({});
    twoTime_->setMap({});
}

std::vector<NamedPlot> XpcsPage::plots() const {
    return {
        {tr("Correlation curves"), curves_}, {tr("Two-time map"), twoTime_}, {tr("Detector image"), image_}};
}

void XpcsPage::save(QSettings& settings) const {
    settings.setValue(QStringLiteral("colourMap"), controls_->colourMap());
    settings.setValue(QStringLiteral("overlayOpacity"), controls_->overlayOpacity());
    settings.setValue(QStringLiteral("rings"), controls_->ringsVisible());
    settings.setValue(QStringLiteral("logDelay"), curves_->logX());
}

void XpcsPage::restore(QSettings& settings) {
    try {
        controls_->setColourMap(
            settings.value(QStringLiteral("colourMap"), controls_->colourMap()).toString());
    } catch (const Error&) {
        // A colour map of another version: the standard one stays.
        settings.remove(QStringLiteral("colourMap"));
    }
    controls_->setOverlayOpacity(
        settings.value(QStringLiteral("overlayOpacity"), controls_->overlayOpacity()).toDouble());
    controls_->setRingsVisible(settings.value(QStringLiteral("rings"), controls_->ringsVisible()).toBool());
    curves_->setLogX(settings.value(QStringLiteral("logDelay"), true).toBool());
}

void XpcsPage::changeEvent(QEvent* event) {
    Page::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !partition_) return;
    std::vector<BinRow> rows = bins_.bins();
    for (BinRow& row : rows) row.colour = binColour(row.label, isDark(palette()));
    bins_.setBins(std::move(rows), true);
}

}  // namespace ks::ui::xpcs
