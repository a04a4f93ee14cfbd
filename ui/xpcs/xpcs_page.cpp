#include "ui/xpcs/xpcs_page.h"

#include <QEvent>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/io/files/data_name.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/image/colours/image_controls.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/profile_panel.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/image/tools/edge_tool.h"
#include "ui/image/view/detector_view.h"
#include "ui/image/view/view_place.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/run_source.h"
#include "ui/xpcs/page.h"
#include "ui/xpcs/run_curves.h"

namespace ks::ui::xpcs {
namespace {

constexpr double minDelays = 63;

QString oneFrame() {
    return XpcsPage::tr("the file has one frame, but correlation needs at least two: open a series");
}

}  // namespace

std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<XpcsPage>(context);
}

XpcsPage::XpcsPage(PageContext& context)
    : AnalysisPage({QStringLiteral("xpcs")}),
      context_(context),
      runs_([this](const Run& run) { return file_ && readFrom(run, "frames", *file_); }),
      image_(new ImagePanel(context.jobs, *context.mask, *context.geometry)),
      curves_(new CurvePlot),
      errors_(new CurvePlot),
      twoTime_(new MapPlot),
      profile_(new ProfilePanel(*image_, context.jobs)),
      form_(new PartitionForm),
      inputs_(new QWidget),
      bins_(new BinsPanel),
      edges_(new EdgeTool(this)),
      maker_(new PartitionMaker(context.jobs, this)) {
    auto* rows = new QVBoxLayout(inputs_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(16);
    rows->addWidget(form_);
    rows->addWidget(bins_);
    rows->addWidget(&image_->geometryForm());
    makeCentre();
    connectParts();
    connectPartition();
    keepSteps();
    showCurves();
    showTwoTime();
}

XpcsPage::~XpcsPage() {
    disconnectParts();
}

std::vector<Demo> XpcsPage::demos() const {
    return {Demo{{{"kind", std::string("speckle")}, {"frame_time", 0.001}, {"geometry", true}},
                 QStringLiteral("h5"),
                 QStringLiteral("rings")},
            {{{"kind", std::string("seed")}, {"geometry", true}},
             QStringLiteral("h5"),
             QStringLiteral("beats"),
             tr("XPCS: rings that beat, as in the published notebook")}};
}

OwnParameters XpcsPage::ownParameters() const {
    return {{QStringLiteral("two_time_bin"), QStringLiteral("file_mask"), QStringLiteral("swap_xy"),
             QStringLiteral("wavelength"), QStringLiteral("distance"), QStringLiteral("beam_x"),
             QStringLiteral("beam_y"), QStringLiteral("pixel_size"), QStringLiteral("pixel_size_y")}};
}

void XpcsPage::makeCentre() {
    image_->view().setEmptyText(tr("Drop an HDF5 file here or open the demo"));
    image_->view().setAccessibleName(tr("Detector image"));
    curves_->setAccessibleName(tr("Correlation curves"));
    curves_->setYAxis(QStringLiteral("g\u2082"));
    errors_->setAccessibleName(tr("Errors of the correlation curves"));
    errors_->setYAxis(QStringLiteral("error of g\u2082"));
    for (CurvePlot* const plot : {curves_, errors_}) plot->setLogX(true);
    twoTime_->setAccessibleName(tr("Two-time map"));
    twoTime_->setValueAxis(QStringLiteral("C"));
    setBody(image_,
            {{tr("g\u2082"), curves_, false, tr("g\u2082 of each bin over the delay, for the ticked runs")},
             {tr("Profile"), profile_, true, tr("Mean counts over q or radius, with the bin edges")},
             {tr("Two-time"), twoTime_, true, tr("Two-time correlation of the selected bin")},
             {tr("Error of g\u2082"), errors_, true, tr("Error of each bin's g\u2082 over the delay")}});
}

std::vector<PicturePlace> XpcsPage::pictures() const {
    return {placeIn(*this, image_->view())};
}

void XpcsPage::connectParts() {
    connect(bins_, &BinsPanel::picked, this, &XpcsPage::pickBin);
    connect(&bins_->model(), &BinTableModel::switched, this, &XpcsPage::binsSwitched);
    connect(&image_->view(), &DetectorView::clicked, this, [this](const QPointF& at, Qt::MouseButton button) {
        if (button != Qt::LeftButton || !partition() || profile_->kind() != ProfilePanel::Azimuthal) return;
        const auto column = static_cast<std::ptrdiff_t>(std::floor(at.x())),
                   row = static_cast<std::ptrdiff_t>(std::floor(at.y()));
        const auto width = static_cast<std::ptrdiff_t>(partition()->width()),
                   height = static_cast<std::ptrdiff_t>(partition()->height());
        if (column < 0 || row < 0 || column >= width || row >= height) return;
        if (const int label = partition()->labels()[static_cast<std::size_t>(row * width + column)];
            label > 0)
            pickBin(label);
    });
    connect(image_, &ImagePanel::cursorMoved, this, &Page::cursorMoved);
    connect(image_, &ImagePanel::hint, this, &Page::hint);
    connect(image_, &ImagePanel::failed, this, &Page::failed);
    connect(profile_, &ProfilePanel::failed, this, &Page::failed);
    for (CurvePlot* const plot : {curves_, errors_})
        connect(plot, &CurvePlot::pointHovered, this, &Page::cursorMoved);
    connect(&profile_->plot(), &CurvePlot::pointHovered, this, &Page::cursorMoved);
    connect(twoTime_, &MapPlot::pointHovered, this, &Page::cursorMoved);
    connect(context_.desk.get(), &Desk::offered, this,
            [this](const QString& of, const std::vector<Offer>&, const Variant* next) {
                if (of == analysis()) makesMap_ = !next || makesTwoTime(*next);
            });
}

void XpcsPage::setFile(std::shared_ptr<const OpenFile> file) {
    quiet_ = true;
    maker_->drop();
    file_ = std::move(file);
    picked_ = 0;
    mapWaits_ = false;
    noMap_.clear();
    waitingOff_.clear();
    offWaits_.reset();
    byHand_ = false;
    editWaits_ = false;
    binsWait_ = false;
    runs_.setPreview(nullptr);
    for (CurvePlot* const plot : {curves_, errors_}) plot->resetZoom();
    made_ = {};
    bins_->model().setBins({}, false);
    image_->view().setLabels(nullptr);
    image_->setFile(file_);
    if (file_)
        form_->propose(image_->geometry(), file_->frames->height(), file_->frames->width(), labelDatasets());
    proposed_ = {form_->fields(), {}};
    steps_->settle();
    showCurves();
    showTwoTime();
    quiet_ = false;
}

bool XpcsPage::useObject(const QString& path) {
    if (!file_) return false;
    form_->setDataset(file_->path + QStringLiteral("::") + path);
    return true;
}

QString XpcsPage::missing() const {
    if (!file_) return tr("no frames: open a file or the demo first");
    if (file_->frames->frames() < 2) return oneFrame();
    if (maker_->busy() || binsWait_) return tr("the bins are being computed");
    if (!partition()) return tr("no bins: define rings or choose a dataset with labels");
    if (partition()->selected() == 0) return tr("no bin contains a pixel");
    if (bins_->model().labelsOff().size() == partition()->bins()) return tr("all bins are turned off");
    return {};
}

void XpcsPage::apply(const ParameterSet& given) {
    if (given.contains("swap_xy")) context_.geometry->setSwapped(boolean(given, "swap_xy"));
}

bool XpcsPage::renewInputs() {
    if (!made_.states.changed()) return false;
    makePartition();
    return true;
}

std::map<std::string, FileRecord> XpcsPage::inputRecords() const {
    if (made_.record.hash.empty()) return {};
    return {{"partition", made_.record}};
}

void XpcsPage::fill(Request& request) const {
    request.inputs["frames"] = {file_->name.toStdString(), {}};
    const PartitionInput& input = *made_.input;
    const std::vector<int> off = bins_->model().labelsOff();
    if (off.empty() && made_.plain) {
        request.inputs["partition"] = {"rings:" + plainRings(input.choice.recipe)->to_string(), {}};
    } else if (off.empty() && input.choice.source == PartitionChoice::Labels &&
               !io::DataName::parse(input.choice.dataset.toStdString()).object.empty()) {
        request.inputs["partition"] = {input.choice.dataset.toStdString(), {}};
    } else {
        std::vector<std::int32_t> labels = partition()->labels();
        // The run masks these pixels itself and counts them.
        for (const auto& [pixel, label] : made_.masked) labels[pixel] = label;
        std::vector<std::int32_t> becomes(partition()->bins() + 1);
        for (std::size_t label = 0; label < becomes.size(); ++label)
            becomes[label] = static_cast<std::int32_t>(label);
        for (const int label : off) becomes[static_cast<std::size_t>(label)] = 0;
        for (std::int32_t& label : labels) label = becomes[static_cast<std::size_t>(label)];
        request.inputs["partition"] = {"bins chosen in the window",
                                       Array::of({partition()->height(), partition()->width()}, labels)};
    }
    const bool has = picked_ > 0 && std::find(off.begin(), off.end(), picked_) == off.end() &&
                     partition()->bin_size(static_cast<std::size_t>(picked_) - 1) > 0 && makesMap_;
    request.parameters["two_time_bin"] = has ? ParameterValue(std::int64_t{picked_}) : ParameterValue();
    context_.mask->fill(request);
    fillOwn(request.parameters);
}

FileValues XpcsPage::fileValues() const {
    if (!file_) return {};
    const std::optional<double> time = file_->frames->frame_time();
    return {.parameters = {{QStringLiteral("saturation"), context_.mask->saturationText()},
                           {QStringLiteral("frame_time"),
                            time ? QStringLiteral("%1 s").arg(*time, 0, 'g', 6) : QString()}}};
}

void XpcsPage::fillOwn(ParameterSet& parameters) const {
    if (made_.input) image_->fillGeometry(parameters, made_.input->geometry, made_.input->located);
}

void XpcsPage::setOutdated(const QStringList& labels) {
    if (labels == outdated_) return;
    outdated_ = labels;
    showCurves();
    showTwoTime();
}

AnalysisPage::Reduced XpcsPage::reduce(Request& request, double share) const {
    request.parameters["two_time_bin"] = {};
    if (share >= 1) return Reduced::whole;
    // The first D delays of T frames take D (2 T - D) of T^2 products. Fewer delays than a tile
    // has save nothing.
    const std::int64_t first = integer(request.parameters, "first_frame");
    const std::int64_t last = optional_integer(request.parameters, "last_frame")
                                  .value_or(static_cast<std::int64_t>(file_->frames->frames()) - 1);
    const auto frames = static_cast<double>(std::max<std::int64_t>(last - first + 1, 1));
    const double delays = std::max(minDelays, frames * (1 - std::sqrt(1 - share)));
    if (delays >= frames) return Reduced::whole;
    const auto wanted = optional_integer(request.parameters, "max_delay");
    const auto reduced = static_cast<std::int64_t>(delays);
    if (wanted && *wanted <= reduced) return Reduced::whole;
    request.parameters["max_delay"] = reduced;
    return Reduced::part;
}

void XpcsPage::setPreview(std::shared_ptr<const Run> run) {
    if (runs_.setPreview(std::move(run))) showCurves();
}

void XpcsPage::pickBin(int label) {
    picked_ = label;
    mapWaits_ = false;
    noMap_.clear();
    bins_->select(label);
    for (CurvePlot* plot : {curves_, errors_}) plot->setPickedBin(label);
    drawer().raise(twoTime_);
    if (!hasMap(label)) noMap_ = askForMap(label);
    showTwoTime();
}

bool XpcsPage::showPlace(const VerdictPlace& place) {
    const auto bin = place.find("bin");
    if (bin == place.end() || !made_.partition || bin->second < 1 || bin->second > made_.partition->bins())
        return false;
    pickBin(static_cast<int>(bin->second));
    return true;
}

QString XpcsPage::askForMap(int label) {
    if (const QString none = whyNoMap(label); !none.isEmpty()) return none;
    const std::vector<const RunRow*> runs = runsOfTheseBins();
    const auto able =
        std::ranges::find_if(runs, [](const RunRow* row) { return makesTwoTime(row->run->variant); });
    std::optional<Supplement> wanted;
    if (able != runs.end()) wanted = twoTimeSupplement(**able, label);
    if (!wanted)
        return (runs_.ticked().empty() ? tr("Press Run (F5) to compute\nthe two-time map of bin %1")
                                       : tr("Bin %1 has changed since the last run:\npress Run (F5)"))
            .arg(label);
    ++mapsAsked_;
    wanted->ended = [page = QPointer(this), asked = mapsAsked_](const std::optional<Error>& why) {
        if (page) page->mapEnded(asked, why);
    };
    mapWaits_ = true;
    emit supplementWanted(*wanted);
    return tr("Computing the two-time map of bin %1").arg(label);
}

void XpcsPage::mapEnded(int asked, const std::optional<Error>& why) {
    if (!mapWaits_ || asked != mapsAsked_ || !why) return;
    mapWaits_ = false;
    noMap_ = tr("No two-time map of bin %1:\n%2;\nclick the bin again")
                 .arg(picked_)
                 .arg(QString::fromStdString(why->message()));
    showTwoTime();
}

QString XpcsPage::whyNoMap(int label) const {
    const std::vector<const RunRow*> runs = runsOfTheseBins();
    const auto able = [](const RunRow* row) { return makesTwoTime(row->run->variant); };
    if (runs.empty() || std::ranges::any_of(runs, able)) return {};
    return tr("The variant %1 makes no two-time maps:\nuse another one for bin %2")
        .arg(QString::fromStdString(runs.front()->run->variant.id))
        .arg(label);
}

bool XpcsPage::hasMap(int label) const {
    return std::ranges::any_of(runs_.ticked(), [&](const RunRow& row) {
        return runs_.isOfData(row) && (twoTimeBin(*row.run) == label || maps_.find(row.number, label));
    });
}

std::vector<const RunRow*> XpcsPage::runsOfTheseBins() const {
    if (!missing().isEmpty()) return {};
    Request asked;
    fill(asked);
    const Request& now = asked;
    const auto same = [&](const Run& run, const char* role) {
        const auto one = now.inputs.find(role), other = run.request.inputs.find(role);
        const bool is = one != now.inputs.end(), was = other != run.request.inputs.end();
        return is && was ? one->second == other->second : is == was;
    };
    std::vector<const RunRow*> found;
    for (const RunRow& row : runs_.ticked())
        if (runs_.isOfData(row) && same(*row.run, "partition") && same(*row.run, "mask") &&
            readContents(*row.run, made_.record))
            found.push_back(&row);
    return found;
}

void XpcsPage::setRuns(const std::vector<RunRow>& runs) {
    runs_.setTicked(runs);
    for (const RunRow& row : runs) maps_.keep(row);
    if (!mapWaits_ || hasMap(picked_)) {
        mapWaits_ = false;
        noMap_ = picked_ == 0 || hasMap(picked_) ? QString() : whyNoMap(picked_);
    }
    showCurves();
    showTwoTime();
}

void XpcsPage::runChanged(const RunRow& row) {
    maps_.keep(row);
    runs_.replace(row);
    if (hasMap(picked_)) {
        mapWaits_ = false;
        noMap_.clear();
    }
    showTwoTime();
}

void XpcsPage::showCurves() {
    // Runs of other files are labelled as such; a preview replaces them all.
    const Run* const preview = runs_.preview().get();
    const std::vector<RunRow> shown =
        preview ? std::vector<RunRow>{{0, runs_.preview(), true, false}} : runs_.ticked();
    const G2Curves curves = g2Curves(shown, bins_->model().labelsOff(), file_.get());
    const bool single = file_ && file_->frames->frames() < 2;
    curves_->setEmptyText(single  ? capitalised(oneFrame())
                          : file_ ? tr("Press Run (F5) to see the correlation curves here")
                                  : tr("Correlation curves appear here after a run"));
    errors_->setEmptyText(single  ? capitalised(oneFrame())
                          : file_ ? tr("Press Run (F5) to see the errors of the curves here")
                                  : tr("Errors of the correlation curves appear here after a run"));
    QString note;
    if (preview) {
        const std::size_t delays = preview->result.at("g2").values.shape()[1];
        const auto frames = preview->result.facts.value("frames", std::size_t{0});
        note = delays < frames ? tr("preview: delays up to %1 frames").arg(delays - 1)
                               : tr("live: press Run to keep it");
    } else if (!shown.empty()) {
        note = single ? capitalised(oneFrame()) : outdatedText(outdated_, 1);
    }
    // Bins with the same number need not be the same bins.
    const auto otherBins = [&](const CurveSeries& one) {
        return !one.foreign && one.basis != curves.series.front().basis;
    };
    if (std::ranges::any_of(curves.series, otherBins)) {
        if (!note.isEmpty()) note += QLatin1Char('\n');
        note += tr("not compared: runs with other bins");
    }
    const bool inQ =
        std::ranges::any_of(curves.series, [](const CurveSeries& one) { return !one.labelInFull.isEmpty(); });
    const auto show = [&](CurvePlot& plot, const QVector<CurveSeries>& series) {
        plot.setXAxis(tr("delay"), curves.delayUnit);
        plot.setNote(note);
        plot.setLegendTitle(inQ ? tr("bin, q (1/\u00c5)") : tr("bin"));
        plot.setPickedBin(picked_ > 0 ? std::optional(picked_) : std::nullopt);
        plot.setSeries(series);
        plot.setDifferenceVisible(shown.size() > 1);
    };
    show(*curves_, curves.series);
    show(*errors_, errorsOf(curves.series));
}

void XpcsPage::showTwoTime() {
    twoTime_->setEmptyText(!file_ ? tr("Two-time map of the selected bin")
                           : noMap_.isEmpty()
                               ? tr("Click a bin in the image or the table\nfor its two-time map")
                               : noMap_);
    if (std::ranges::any_of(runs_.ticked(), [this](const RunRow& row) { return showMapOf(row); })) return;
    twoTime_->setTitle({});
    twoTime_->setMap({});
}

bool XpcsPage::showMapOf(const RunRow& row) {
    if (file_ && !runs_.isOfData(row)) return false;
    const int label = picked_ != 0 ? picked_ : twoTimeBin(*row.run);
    std::optional<MapData> map;
    QString unit;
    if (const TwoTimeMaps::Entry* kept = maps_.find(row.number, label)) {
        map = kept->map;
        unit = kept->unit;
    } else if (label == twoTimeBin(*row.run)) {
        map = twoTimeMap(*row.run, &unit);
    }
    if (!map) return false;
    twoTime_->setTitle(tr("two-time, bin %1, run %2").arg(label).arg(row.number), outdatedText(outdated_, 1));
    twoTime_->setXAxis(QStringLiteral("t\u2081"), unit);
    twoTime_->setYAxis(QStringLiteral("t\u2082"), unit);
    twoTime_->setMap(std::move(*map));
    return true;
}

std::vector<NamedPlot> XpcsPage::plots() const {
    return {{tr("Correlation curves"), curves_, QStringLiteral("g2")},
            {tr("Two-time map"), twoTime_, QStringLiteral("twotime")},
            {tr("Errors of the correlation curves"), errors_, QStringLiteral("g2_error")},
            {tr("Detector image"), &image_->view()},
            {tr("Profile"), &profile_->plot(), QStringLiteral("profile")}};
}

QList<QAction*> XpcsPage::editActions() const {
    QList<QAction*> actions;
    for (const char* name : {"invert", "grow", "shrink", "clear", "hotPixels", "load", "save"})
        actions << image_->maskBar().action(QLatin1String(name));
    return actions;
}

void XpcsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    // After the window has fully switched to this page, including its parameters.
    QTimer::singleShot(0, this, [this] {
        if (!isHidden() && std::exchange(editWaits_, false) && context_.mask->file() == file_) edited();
    });
}

void XpcsPage::changeEvent(QEvent* event) {
    Page::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !partition()) return;
    std::vector<BinRow> rows = bins_->model().bins();
    for (BinRow& row : rows) row.colour = binColour(row.label, isDark(palette()));
    bins_->model().setBins(std::move(rows), true);
}

}  // namespace ks::ui::xpcs
