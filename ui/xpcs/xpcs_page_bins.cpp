// The bins of the page: from the form, the tools and the mask to the image, the table and I(q).

#include <QComboBox>
#include <QFileDialog>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/data/partition/partition_builder.h"
#include "core/input/input_files.h"
#include "core/io/labels/label_file.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/base/save_folders.h"
#include "ui/files/file_filters.h"
#include "ui/files/file_tree_model.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/profile_panel.h"
#include "ui/image/tools/edge_tool.h"
#include "ui/image/tools/line_tool.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/curve_plot.h"
#include "ui/xpcs/xpcs_page.h"

namespace ks::ui::xpcs {
namespace {

constexpr std::size_t maxLabelledRings = 24;

std::vector<double> edgesOf(const LevelsForm::Fields& fields) {
    PartitionRecipe recipe;
    recipe.radial = LevelsForm::levels(fields);
    return edges(recipe);
}
// Up to this number of frames the first run includes a two-time map automatically; beyond it the map takes as
// long as the curves.
constexpr std::size_t maxFramesForTwoTime = 1000;

}  // namespace

void XpcsPage::connectPartition() {
    connect(form_, &PartitionForm::changed, this, [this] {
        if (!quiet_) steps_->edited(true);
        edited();
    });
    connect(form_, &PartitionForm::importRequested, this, &XpcsPage::askImport);
    connect(form_, &PartitionForm::exportRequested, this, &XpcsPage::askExport);
    connect(maker_, &PartitionMaker::made, this, &XpcsPage::showPartition);
    connect(maker_, &PartitionMaker::failed, this, &XpcsPage::partitionFailed);
    connect(image_, &ImagePanel::frameShown, this, [this] {
        showLabels();
        showRings();
        showCounts();
    });
    connect(image_, &ImagePanel::geometryChanged, this, [this] {
        form_->setGeometry(image_->geometry());
        if (!steps_->moving()) steps_->settle();
        editedSomewhere();
    });
    connect(image_, &ImagePanel::maskChanged, this, [this](bool final) {
        // The bins are remade at the end of a stroke; drawn bins follow the brush.
        if (drawsBins() && image_->view().frame()) image_->view().setLabels(image_->editor().bins().shared());
        // An editor that was cleared for other frames has no steps: nothing was edited.
        if (!final || context_.mask->loading() || !(image_->editor().canUndo() || image_->editor().canRedo()))
            return;
        editedSomewhere();
    });
    connect(context_.mask.get(), &SessionMask::maskLoaded, this, [this] {
        if (context_.mask->file() == file_) makePartition();
    });
    connect(context_.mask.get(), &SessionMask::settled, this, [this] {
        if (binsWait_ && context_.mask->file() == file_) makePartition();
    });
    connect(image_, &ImagePanel::failed, this, [this] {
        if (binsWait_) makePartition(BinsMade::atOnce);
    });
    connect(context_.mask.get(), &SessionMask::failed, this, &Page::failed);
    connect(image_->maskBar().targets(), &QComboBox::activated, this, [this](int) {
        if (image_->editor().target() == RegionEditor::maskTarget || drawsBins()) return;
        PartitionChoice choice = form_->choice();
        choice.source = PartitionChoice::Drawn;
        form_->setChoice(choice);
    });
    connect(&image_->geometryForm(), &GeometryForm::ringsChosen, this, &XpcsPage::showRings);
    connect(edges_, &EdgeTool::dragged, this, &XpcsPage::dragRecipe);
    connect(&profile_->plot(), &CurvePlot::edgeDragged, this, &XpcsPage::dragEdge);
    connect(profile_, &ProfilePanel::shown, this, &XpcsPage::showBands);
    connect(profile_, &ProfilePanel::kindChanged, this, [this](int kind) {
        const bool line = kind == ProfilePanel::Line;
        image_->view().setDefaultTool(line ? static_cast<ImageTool*>(&profile_->lineTool()) : edges_);
    });
    image_->view().setDefaultTool(edges_);
}

std::optional<PartitionRecipe> XpcsPage::recipe() const {
    const PartitionChoice choice = form_->choice();
    if (choice.source != PartitionChoice::Rings || !choice.problem.isEmpty()) return std::nullopt;
    return choice.recipe;
}

void XpcsPage::dragRecipe(const PartitionRecipe& recipe, bool final) {
    form_->setRecipe(recipe);
    steps_->edited(final);
    edited();
}

void XpcsPage::dragEdge(int edge, double position, bool final) {
    std::optional<PartitionRecipe> moved = recipe();
    if (!moved || !std::isfinite(position)) return;
    const Geometry& where = moved->geometry;
    if (profile_->inQ() && !moved->in_q) position = where.radius_of_q(position).value_or(position);
    if (!profile_->inQ() && moved->in_q) position = where.q_of_radius(position);
    set_edge(*moved, static_cast<std::size_t>(edge), position);
    dragRecipe(*moved, final);
}

void XpcsPage::editedSomewhere() {
    // Edits on another page are applied when this page is shown.
    if (parentWidget() && isHidden())
        editWaits_ = true;
    else
        edited();
}

void XpcsPage::edited() {
    byHand_ = file_ != nullptr && !quiet_;
    showRings();
    showBands();
    makePartition();
    emit inputsChanged();
}

void XpcsPage::keepSteps() {
    image_->maskBar().setHistory(context_.history.get());
    steps_ = std::make_unique<Undoable<BinChoice>>(
        *context_.history, this, [this] { return binChoice(); },
        [this](const BinChoice& choice) { setBinChoice(choice); }, &XpcsPage::binChange);
}

XpcsPage::BinChoice XpcsPage::binChoice() const {
    return {form_->fields(), offWaits_.value_or(bins_->model().labelsOff())};
}

void XpcsPage::setBinChoice(const BinChoice& choice) {
    const bool sameBins = choice.form == form_->fields() && !offWaits_;
    if (sameBins) return bins_->model().setOff(choice.off);
    offWaits_ = choice.off;
    form_->setFields(choice.form);
    edited();
}

Undoable<XpcsPage::BinChoice>::Name XpcsPage::binChange(const BinChoice& before, const BinChoice& now) {
    if (before.form == now.form) {
        std::vector<int> switched;
        std::ranges::set_symmetric_difference(before.off, now.off, std::back_inserter(switched));
        if (switched.size() == 1) return {tr("toggling of bin %1").arg(switched.front())};
        return {tr("toggling of bins")};
    }
    if (before.form.source != now.form.source) return {tr("source of the bins")};
    if (before.form.dataset != now.form.dataset) return {tr("labels of the bins")};
    const LevelsForm::Fields &a = before.form.levels, &b = now.form.levels;
    // Named after the single edge that moved, if the fields describe the edges.
    try {
        const std::vector<double> was = edgesOf(a), is = edgesOf(b);
        int moved = -1, count = 0;
        for (std::size_t k = 0; k < was.size() && was.size() == is.size(); ++k)
            if (std::abs(was[k] - is[k]) > 1e-7 * (1 + std::abs(was[k]))) {
                moved = static_cast<int>(k);
                ++count;
            }
        if (count == 1 && a.inQ == b.inQ) return {tr("drag of ring %1").arg(std::max(moved, 1)), tr("rings")};
    } catch (const Error&) {
        // The typed text defines no rings.
    }
    return {tr("rings"), QStringLiteral("rings")};
}

void XpcsPage::makePartition(BinsMade when) {
    if (!file_ || expecting_) return;
    // Bins that are not visible cannot be drawn.
    if (!drawsBins() && context_.mask->file() == file_) image_->editor().setTarget(RegionEditor::maskTarget);
    binsWait_ = when == BinsMade::withTheMask && context_.mask->file() == file_ && context_.mask->awaited();
    if (binsWait_) return;
    const PartitionChoice choice = form_->choice();
    if (choice.source == PartitionChoice::Labels && choice.dataset.isEmpty()) {
        partitionFailed(
            Error(ErrorKind::input, tr("Choose a dataset with one label per pixel").toStdString()));
        return;
    }
    PartitionInput input;
    input.choice = choice;
    input.height = file_->frames->height();
    input.width = file_->frames->width();
    input.geometry = image_->geometry();
    input.located = image_->located() || choice.source == PartitionChoice::Rings;
    const RegionEditor& editor = image_->editor();
    const bool fits = editor.height() == input.height && editor.width() == input.width;
    if (fits && editor.pixels(RegionEditor::maskTarget) > 0) input.mask = editor.pixelMask();
    if (choice.source == PartitionChoice::Drawn) {
        input.drawn = fits ? editor.bins().values() : std::vector<std::int32_t>(input.height * input.width);
    }
    maker_->make(std::move(input));
}

void XpcsPage::showPartition(const Partitioned& made) {
    if (const auto before = std::exchange(noBins_, std::nullopt)) emit mended(*before);
    made_ = made;
    const QPartition& bins = *made_.partition;
    std::vector<BinRow> rows;
    for (std::size_t bin = 0; bin < bins.bins(); ++bin) {
        BinRow row;
        row.label = static_cast<int>(bin) + 1;
        row.q = made_.meanings[bin].q;
        row.phi = made_.meanings[bin].phi;
        row.pixels = bins.bin_size(bin);
        row.colour = binColour(row.label, isDark(palette()));
        if (bin < made_.names.size()) row.name = QString::fromStdString(made_.names[bin]);
        rows.push_back(std::move(row));
    }
    const auto filled =
        std::find_if(rows.begin(), rows.end(), [](const BinRow& row) { return row.pixels > 0; });
    if (picked_ == 0 && file_->frames->frames() <= maxFramesForTwoTime && filled != rows.end())
        picked_ = filled->label;
    if (picked_ > static_cast<int>(bins.bins())) picked_ = 0;
    bins_->setPhiVisible(made_.input->choice.source == PartitionChoice::Rings &&
                         made_.input->choice.recipe.sectors > 1);
    // Names and on/off states belong to the bins of one source.
    const QString source = QString::number(made_.input->choice.source) + made_.input->choice.dataset;
    bool sameSource = source == std::exchange(binsOf_, source);
    // Until the restored choice and the drawn bins are applied, the bins are others.
    if (!waitingOff_.empty() && made_.input->choice == form_->choice() &&
        (filled != rows.end() || !drawsBins())) {
        for (const int label : std::exchange(waitingOff_, {}))
            if (static_cast<std::size_t>(label) <= rows.size())
                rows[static_cast<std::size_t>(label) - 1].on = false;
        sameSource = false;
    }
    QStringList why;
    for (const std::string& note : made_.notes) why << capitalised(QString::fromStdString(note));
    bins_->setWhyEmpty(why);
    bins_->model().setBins(std::move(rows), sameSource);
    if (const auto off = std::exchange(offWaits_, std::nullopt)) bins_->model().setOff(*off);
    if (!steps_->moving()) steps_->settle();
    // First, so that the worker computes while the window paints.
    if (byHand_) emit previewWanted();
    QString summary = tr("%1 bins, %2 of %3 pixels")
                          .arg(bins.bins())
                          .arg(bins.selected())
                          .arg(bins.height() * bins.width());
    form_->setSummary(summary);
    form_->setExportable(true);
    showLabels();
    showRings();
    showCounts();
    showVisibleBins();
    if (!runs_.preview()) showCurves();
    if (!byHand_) emit inputsChanged();
    emit partitionShown();
}

void XpcsPage::showLabels() {
    const auto& frame = image_->frame();
    if (!frame || !partition() ||
        frame->shape() != std::vector<std::size_t>{partition()->height(), partition()->width()})
        return;
    image_->view().setLabels(drawsBins() ? image_->editor().bins().shared()
                                         : std::shared_ptr<const std::vector<std::int32_t>>(
                                               made_.partition, &made_.partition->labels()));
}

void XpcsPage::partitionFailed(const Error& error) {
    made_ = {};
    form_->setSummary(QString::fromUtf8(error.what()));
    form_->setExportable(false);
    bins_->model().setBins({}, true);
    image_->view().setLabels(nullptr);
    setPreview(nullptr);
    emit inputsChanged();
    // While text is being typed, only the form reports errors; an unreadable file is also reported above.
    if (form_->choice().source == PartitionChoice::Labels && !form_->choice().dataset.isEmpty()) {
        noBins_ = error;
        emit failed(error);
    }
}

void XpcsPage::showRings() {
    const std::optional<PartitionRecipe> shown = recipe();
    edges_->setRecipe(shown);
    std::vector<RingOutline> rings;
    const Geometry& where = image_->geometry();
    if (shown) {
        const std::vector<double> all = edges(*shown);
        for (const double edge : all) {
            RingOutline outline;
            const auto radius = shown->in_q ? where.radius_of_q(edge) : std::optional(edge);
            if (!radius) continue;
            outline.radius = *radius;
            // Rings of constant q have separate labels.
            if (where.complete() && all.size() <= maxLabelledRings &&
                image_->geometryForm().rings().isEmpty())
                outline.label = tr("q %1").arg(formatNumber(shown->in_q ? edge : where.q_of_radius(edge), 3));
            rings.push_back(std::move(outline));
        }
    }
    image_->view().setRings(where.beam_x, where.beam_y, std::move(rings));
}

void XpcsPage::showBands() {
    QVector<CurveBand> bands;
    const std::optional<PartitionRecipe> shown = recipe();
    if (shown && profile_->kind() == ProfilePanel::Azimuthal) {
        const Geometry& where = image_->geometry();
        const auto position = [&](double edge) {
            if (profile_->inQ() == shown->in_q) return edge;
            return shown->in_q ? where.radius_of_q(edge).value_or(0) : where.q_of_radius(edge);
        };
        for (std::size_t k = 0; k < shown->radial.size(); ++k)
            bands.push_back({position(shown->radial.lower[k]), position(shown->radial.upper[k]),
                             static_cast<int>(k * shown->sectors) + 1});
    }
    profile_->plot().setBands(bands);
}

void XpcsPage::showCounts() {
    if (!partition()) return;
    const QString subject = QStringLiteral("xpcs counts");
    if (!image_->frame()) {
        context_.jobs.drop(this, subject);
        return bins_->model().setCounts({});
    }
    context_.jobs.start(
        Jobs::Lane::general, this, subject,
        [partition = partition(), frame = image_->frame()] { return binMeans(*partition, *frame); },
        [this](const std::vector<double>& means) { bins_->model().setCounts(means); });
}

void XpcsPage::showVisibleBins() {
    std::vector<bool> shown;
    for (const BinRow& row : bins_->model().bins()) shown.push_back(row.on);
    image_->view().setVisibleBins(std::move(shown));
}

void XpcsPage::binsSwitched() {
    steps_->edited(true);
    const bool previews = byHand_ && partition();
    if (previews) emit previewWanted();
    showVisibleBins();
    showCurves();
    if (!previews) emit inputsChanged();
}

QStringList XpcsPage::labelDatasets() const {
    FileTreeModel tree;
    tree.setTree(file_->tree, {});
    QStringList names;
    for (const QString& path : tree.labelPaths()) {
        // A pixel mask also has the shape of a partition, but its numbers are flags.
        const bool likely = path.contains(QStringLiteral("qmask")) || path.contains(QStringLiteral("roi")) ||
                            path.contains(QStringLiteral("label")) ||
                            path.contains(QStringLiteral("partition"));
        const QString name = file_->path + QStringLiteral("::") + path;
        if (likely) names.prepend(name);
    }
    return names;
}

void XpcsPage::importLabels(const QString& path) {
    form_->setDataset(path);
}

void XpcsPage::exportLabels(const QString& path, bool overwrite) {
    if (!partition()) return;
    std::vector<double> q, phi;
    std::vector<std::string> names;
    bool named = false;
    for (const BinRow& row : bins_->model().bins()) {
        q.push_back(row.q);
        phi.push_back(row.phi);
        names.push_back(row.name.toStdString());
        named = named || !row.name.isEmpty();
    }
    if (!named) names.clear();
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("export labels ") + path,
        [partition = partition(), input = made_.input, q, phi, names, path, overwrite,
         read = file_->path.toStdString()] {
            io::require_not_read("exporting", path.toStdString(), {{"frames", read}});
            io::LabelFile file{*partition, q, phi, names};
            const PartitionRecipe& recipe = input->choice.recipe;
            if (input->choice.source == PartitionChoice::Rings &&
                (recipe.static_per_radial > 1 || recipe.static_per_sector > 1)) {
                const StaticPartition statics = build_static_partition(
                    input->height, input->width, recipe, input->mask.empty() ? nullptr : &input->mask);
                file.static_labels = statics.labels.labels();
                file.dynamic_of = statics.dynamic_of;
            }
            io::write_labels(path.toStdString(), file, overwrite);
            return path;
        },
        [this](const QString& done) {
            emit cursorMoved(tr("Wrote %1").arg(done));
            emit labelsExported(done);
        },
        [this](const Error& error) { emit failed(error); });
}

void XpcsPage::askImport() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Import labels"), {}, imageFilters(tr("Labels")));
    if (!path.isEmpty()) importLabels(path);
}

void XpcsPage::askExport() {
    // The dialog asks before overwriting.
    const QString kind = QStringLiteral("bins");
    const QString path = askSavePath(this, tr("Export labels"),
                                     savePath(this, kind, QStringLiteral("bins.h5")), saveFilters());
    rememberSaved(this, kind, path);
    if (!path.isEmpty()) exportLabels(path, true);
}

}  // namespace ks::ui::xpcs
