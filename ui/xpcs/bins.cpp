#include "ui/xpcs/bins.h"

#include <QComboBox>
#include <QFileDialog>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/input/input_files.h"
#include "core/io/files/data_name.h"
#include "core/io/labels/label_file.h"
#include "core/xpcs/pairs/static_bins.h"
#include "core/xpcs/problem.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"
#include "ui/files/file_filters.h"
#include "ui/files/file_tree_model.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/tools/edge_tool.h"
#include "ui/image/view/detector_view.h"
#include "ui/xpcs/bins_kept.h"

namespace ks::ui::xpcs {
namespace {

constexpr std::size_t maxLabelledRings = 24;

/// The labels as they are without the mask.
std::vector<std::int32_t> labelsBeforeMask(const Partitioned& made) {
    std::vector<std::int32_t> labels = made.partition->labels();
    for (const auto& [pixel, label] : made.masked) labels[pixel] = label;
    return labels;
}

std::vector<double> edgesOf(const LevelsForm::Fields& fields) {
    PartitionRecipe recipe;
    recipe.radial = LevelsForm::levels(fields);
    return edges(recipe);
}

}  // namespace

Bins::Bins(PageContext& context, ImagePanel& image, QObject* parent)
    : QObject(parent),
      context_(context),
      image_(image),
      form_(new PartitionForm),
      panel_(new BinsPanel),
      initial_(form_->fields()),
      edges_(new EdgeTool(this)),
      maker_(new PartitionMaker(context.jobs, this)),
      steps_(std::make_unique<Undoable<Choice>>(
          *context.history, this, [this] { return choice(); },
          [this](const Choice& choice) { setChoice(choice); }, &Bins::change)) {
    connect(&model(), &BinTableModel::switched, this, &Bins::takeSwitches);
    connect(form_, &PartitionForm::changed, this, [this] {
        if (!quiet_) steps_->edited(true);
        edit();
    });
    connect(form_, &PartitionForm::importRequested, this, &Bins::askImport);
    connect(form_, &PartitionForm::exportRequested, this, &Bins::askExport);
    connect(maker_, &PartitionMaker::made, this, &Bins::show);
    connect(maker_, &PartitionMaker::failed, this, &Bins::fail);
    connect(&labels_, &FileWatch::changed, this, [this](const QString& file) {
        if (partition()) return emit changedOnDisk(file);
        // What could not be read is another file now, or is there again. Bins of newer contents of the open
        // file are made once it is opened anew.
        const bool ofOpen = file_ && file == file_->path;
        if (!ofOpen || !file_->states.changed()) retry();
    });
    connect(&noBins_, &PassingError::failed, this, &Bins::failed);
    connect(&noBins_, &PassingError::mended, this, &Bins::mended);
    connect(edges_, &EdgeTool::dragged, this, &Bins::dragRecipe);
    connect(&image_, &ImagePanel::frameShown, this, [this] {
        showLabels();
        showRings();
        showCounts();
    });
    connect(&image_, &ImagePanel::geometryChanged, this, [this] {
        form_->setGeometry(image_.geometry());
        if (!steps_->moving()) steps_->settle();
    });
    // The bins are remade at the end of a stroke; drawn bins follow the brush.
    connect(&image_, &ImagePanel::maskChanged, this, [this] {
        if (drawn() && image_.view().frame()) image_.view().setLabels(image_.editor().bins().shared());
    });
    connect(&image_, &ImagePanel::failed, this, [this] {
        if (waits_) make(Make::atOnce);
    });
    connect(&image_.geometryForm(), &GeometryForm::ringsChosen, this, &Bins::showRings);
    connect(context_.mask.get(), &SessionMask::maskLoaded, this, [this] {
        if (context_.mask->file() == file_) make();
    });
    connect(context_.mask.get(), &SessionMask::settled, this, [this] {
        if (waits_ && context_.mask->file() == file_) make();
    });
    connect(image_.maskBar().targets(), &QComboBox::activated, this, [this](int) {
        if (image_.editor().target() == RegionEditor::maskTarget || drawn()) return;
        PartitionChoice choice = form_->choice();
        choice.source = PartitionChoice::Drawn;
        form_->setChoice(choice);
    });
}

void Bins::setFile(std::shared_ptr<const OpenFile> file) {
    maker_->drop();
    file_ = std::move(file);
    made_ = {};
    watchLabels();
    waitingOff_.clear();
    offWaits_.reset();
    byHand_ = waits_ = false;
    model().setBins({}, false);
    image_.view().setLabels(nullptr);
    if (file_)
        form_->propose(image_.geometry(), file_->frames->height(), file_->frames->width(), labelDatasets());
    else
        clearForm();
    proposed_ = {form_->fields(), {}};
    steps_->settle();
}

void Bins::clearForm() {
    form_->setFields(initial_);
    form_->setSummary({});
    form_->setExportable(false);
    showRings();
}

void Bins::edit() {
    byHand_ = file_ != nullptr && !quiet_;
    showRings();
    make();
    emit edited();
}

bool Bins::renew() {
    if (!made_.files.states.changed()) return false;
    make();
    return true;
}

void Bins::retry() {
    if (!partition() && !awaited()) make();
}

std::optional<PartitionRecipe> Bins::recipe() const {
    const PartitionChoice choice = form_->choice();
    if (choice.source != PartitionChoice::Rings || !choice.problem.isEmpty()) return std::nullopt;
    return choice.recipe;
}

int Bins::labelAt(const QPointF& image) const {
    if (!partition()) return 0;
    const auto column = static_cast<std::ptrdiff_t>(std::floor(image.x())),
               row = static_cast<std::ptrdiff_t>(std::floor(image.y()));
    const auto width = static_cast<std::ptrdiff_t>(partition()->width()),
               height = static_cast<std::ptrdiff_t>(partition()->height());
    if (column < 0 || row < 0 || column >= width || row >= height) return 0;
    return partition()->labels()[static_cast<std::size_t>(row * width + column)];
}

QString Bins::missing() const {
    if (maker_->busy() || waits_) return tr("the bins are being computed");
    if (!partition()) return tr("no bins: define rings or choose a dataset with labels");
    if (partition()->selected() == 0) return tr("no bin contains a pixel");
    if (panel_->model().labelsOff().size() == partition()->bins()) return tr("all bins are turned off");
    return {};
}

std::vector<std::int32_t> Bins::labelsInRun() const {
    std::vector<std::int32_t> becomes(partition()->bins() + 1);
    for (std::size_t label = 0; label < becomes.size(); ++label)
        becomes[label] = static_cast<std::int32_t>(label);
    for (const int label : panel_->model().labelsOff()) becomes[static_cast<std::size_t>(label)] = 0;
    return becomes;
}

bool Bins::haveLabels(std::span<const std::int32_t> labels) const {
    if (!partition()) return false;
    return std::ranges::equal(
        labels, partition()->labels(), {}, {},
        [becomes = labelsInRun()](std::int32_t label) { return becomes[static_cast<std::size_t>(label)]; });
}

void Bins::fill(Request& request) const {
    const PartitionInput& input = *made_.input;
    const std::vector<int> off = panel_->model().labelsOff();
    const bool ofFile = input.choice.source == PartitionChoice::Labels;
    if (off.empty() && made_.plain) {
        request.inputs["partition"] = {"rings:" + plainRings(input.choice.recipe)->to_string(), {}};
    } else if (off.empty() && ofFile &&
               !io::DataName::parse(input.choice.dataset.toStdString()).object.empty()) {
        request.inputs["partition"] = {input.choice.dataset.toStdString(), {}};
    } else {
        // The run masks the pixels itself and counts them.
        std::vector<std::int32_t> labels = labelsBeforeMask(made_);
        const std::vector<std::int32_t> becomes = labelsInRun();
        for (std::int32_t& label : labels) label = becomes[static_cast<std::size_t>(label)];
        request.inputs["partition"] = {"bins chosen in the window",
                                       Array::of({partition()->height(), partition()->width()}, labels)};
        if (const auto meanings = meaningsInRun(labels))
            request.inputs[ks::xpcs::bin_q_role] = {"q of the bins in the window", *meanings};
    }
    // Labels that are passed by the name of their file bring theirs with them.
    if (made_.statics && (!ofFile || request.inputs.at("partition").values))
        request.inputs[ks::xpcs::static_bins_role] = {
            "static bins in the window",
            Array::of({partition()->height(), partition()->width()}, made_.statics->labels)};
}

bool Bins::haveStatics(const Request& request) const {
    const auto given = request.inputs.find(ks::xpcs::static_bins_role);
    if (given == request.inputs.end()) {
        // From the file of the labels, or none.
        const auto labels = request.inputs.find("partition");
        const bool named = labels != request.inputs.end() && !labels->second.values &&
                           !labels->second.name.starts_with("rings:");
        return named ? made_.input->choice.source == PartitionChoice::Labels : !made_.statics;
    }
    if (!made_.statics || !given->second.values || given->second.values->type() != ElementType::i32)
        return false;
    return std::ranges::equal(given->second.values->as<std::int32_t>(), made_.statics->labels);
}

std::optional<Array> Bins::meaningsInRun(const std::vector<std::int32_t>& labels) const {
    const PartitionInput& input = *made_.input;
    const bool ofFile = input.choice.source == PartitionChoice::Labels;
    if (!ofFile || (input.located && input.geometry.complete())) return std::nullopt;
    const auto bins = static_cast<std::size_t>(std::ranges::max(labels));
    std::vector<double> values;
    bool known = false;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const BinMeaning& meaning = made_.meanings[bin];
        values.push_back(meaning.q);
        values.push_back(meaning.phi);
        known = known || std::isfinite(meaning.q);
    }
    if (!known) return std::nullopt;
    return Array::of<double>({bins, 2}, values);
}

void Bins::dragRecipe(const PartitionRecipe& recipe, bool final) {
    form_->setRecipe(recipe);
    steps_->edited(final);
    edit();
}

Bins::Choice Bins::choice() const {
    return {form_->fields(), offWaits_.value_or(panel_->model().labelsOff())};
}

void Bins::setChoice(const Choice& choice) {
    const bool sameBins = choice.form == form_->fields() && !offWaits_;
    if (sameBins) return model().setOff(choice.off);
    offWaits_ = choice.off;
    form_->setFields(choice.form);
    edit();
}

Undoable<Bins::Choice>::Name Bins::change(const Choice& before, const Choice& now) {
    if (before.form == now.form) {
        std::vector<int> switched;
        std::ranges::set_symmetric_difference(before.off, now.off, std::back_inserter(switched));
        if (switched.size() == 1) return {tr("toggling of bin %1").arg(switched.front())};
        return {tr("toggling of bins")};
    }
    if (before.form.source != now.form.source) return {tr("change of the bin source")};
    if (before.form.dataset != now.form.dataset) return {tr("change of the bin labels")};
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

void Bins::make(Make when) {
    if (!file_ || expecting_) return;
    // Bins that are not visible cannot be drawn.
    if (!drawn() && context_.mask->file() == file_) image_.editor().setTarget(RegionEditor::maskTarget);
    waits_ = when == Make::withTheMask && context_.mask->file() == file_ && context_.mask->awaited();
    if (waits_) return;
    const PartitionChoice choice = form_->choice();
    if (choice.source == PartitionChoice::Labels && choice.dataset.isEmpty())
        return fail(Error(ErrorKind::input, tr("Choose a dataset with one label per pixel").toStdString()));
    PartitionInput input;
    input.choice = choice;
    input.height = file_->frames->height();
    input.width = file_->frames->width();
    input.geometry = image_.geometry();
    input.located = image_.located() || choice.source == PartitionChoice::Rings;
    const RegionEditor& editor = image_.editor();
    const bool fits = editor.height() == input.height && editor.width() == input.width;
    if (fits && editor.pixels(RegionEditor::maskTarget) > 0) input.mask = editor.pixelMask();
    if (choice.source == PartitionChoice::Drawn) {
        input.drawn = fits ? editor.bins().values() : std::vector<std::int32_t>(input.height * input.width);
    }
    maker_->make(std::move(input));
}

void Bins::show(const Partitioned& made) {
    noBins_.review();
    made_ = made;
    watchLabels();
    emit replaced();
    const QPartition& bins = *made_.partition;
    std::vector<BinRow> rows;
    for (std::size_t bin = 0; bin < bins.bins(); ++bin) {
        BinRow row;
        row.label = static_cast<int>(bin) + 1;
        row.q = made_.meanings[bin].q;
        row.phi = made_.meanings[bin].phi;
        row.pixels = bins.bin_size(bin);
        row.colour = binColour(row.label, isDark(image_.palette()));
        if (bin < made_.names.size()) row.name = QString::fromStdString(made_.names[bin]);
        rows.push_back(std::move(row));
    }
    const auto filled =
        std::find_if(rows.begin(), rows.end(), [](const BinRow& row) { return row.pixels > 0; });
    panel_->setPhiVisible(made_.input->choice.source == PartitionChoice::Rings &&
                          made_.input->choice.recipe.sectors > 1);
    // Names and on/off states belong to the bins of one source.
    const QString source = QString::number(made_.input->choice.source) + made_.input->choice.dataset;
    bool sameSource = source == std::exchange(source_, source);
    // Until the restored choice and the drawn bins are applied, the bins are others.
    if (!waitingOff_.empty() && made_.input->choice == form_->choice() &&
        (filled != rows.end() || !drawn())) {
        for (const int label : std::exchange(waitingOff_, {}))
            if (static_cast<std::size_t>(label) <= rows.size())
                rows[static_cast<std::size_t>(label) - 1].on = false;
        sameSource = false;
    }
    QStringList why;
    for (const std::string& note : made_.notes) why << capitalised(QString::fromStdString(note));
    panel_->setWhyEmpty(why);
    model().setBins(std::move(rows), sameSource);
    if (const auto off = std::exchange(offWaits_, std::nullopt)) model().setOff(*off);
    if (!steps_->moving()) steps_->settle();
    // First, so that the worker computes while the window paints.
    if (byHand_) emit previewWanted();
    showSummary();
    form_->setExportable(true);
    showLabels();
    showRings();
    showCounts();
    showVisible();
    emit shown(byHand_);
}

// The open file is watched by others.
void Bins::watchLabels() {
    if (made_.files.record.hash.empty() || !file_ || made_.files.record.file == file_->path.toStdString())
        return labels_.setFile(nullptr);
    auto file = std::make_shared<OpenFile>();
    file->path = QString::fromStdString(made_.files.record.file);
    file->states = made_.files.states;
    labels_.setFile(std::move(file));
}

// As it was before it was read: it may be there again by now.
void Bins::watchUnread() {
    if (!file_ || form_->choice().source != PartitionChoice::Labels || form_->choice().dataset.isEmpty())
        return;
    auto file = std::make_shared<OpenFile>();
    file->path =
        QString::fromStdString(io::DataName::parse(form_->choice().dataset.toStdString()).file.string());
    file->states = maker_->unread();
    labels_.setFile(std::move(file));
}

void Bins::showSummary() {
    if (!partition()) return;
    std::size_t on = 0, pixels = 0;
    for (const BinRow& row : panel_->model().bins()) {
        if (!row.on) continue;
        ++on;
        pixels += row.pixels;
    }
    const std::size_t all = partition()->bins();
    const QString count =
        on == all ? counted(all, tr("1 bin"), tr("%1 bins")) : tr("%1 of %2 bins on").arg(on).arg(all);
    form_->setSummary(
        tr("%1, %2 of %3 pixels").arg(count).arg(pixels).arg(partition()->height() * partition()->width()));
}

void Bins::showLabels() {
    const auto& frame = image_.frame();
    if (!frame || !partition() ||
        frame->shape() != std::vector<std::size_t>{partition()->height(), partition()->width()})
        return;
    image_.view().setLabels(drawn() ? image_.editor().bins().shared()
                                    : std::shared_ptr<const std::vector<std::int32_t>>(
                                          made_.partition, &made_.partition->labels()));
}

void Bins::fail(const Error& error) {
    made_ = {};
    watchLabels();
    form_->setSummary(QString::fromUtf8(error.what()));
    form_->setExportable(false);
    model().setBins({}, true);
    image_.view().setLabels(nullptr);
    // First: a run that waits for these bins goes on waiting where they are made again.
    watchUnread();
    emit lost();
    if (awaited()) return;
    // While text is being typed, only the form reports errors; an unreadable file is also reported above.
    if (form_->choice().source == PartitionChoice::Labels && !form_->choice().dataset.isEmpty())
        noBins_.show(error);
}

void Bins::showRings() {
    const std::optional<PartitionRecipe> shown = recipe();
    edges_->setRecipe(shown);
    std::vector<RingOutline> rings;
    const Geometry& where = image_.geometry();
    if (shown) {
        const std::vector<double> all = edges(*shown);
        for (const double edge : all) {
            RingOutline outline;
            const auto axes = shown->in_q ? where.ring_of_q(edge) : std::optional(RingAxes{edge, edge});
            if (!axes) continue;
            outline.axes = *axes;
            // Rings of constant q have separate labels. A circle in pixels has no single q if they are not
            // square.
            if (where.complete() && all.size() <= maxLabelledRings && image_.geometryForm().rings().isEmpty())
                outline.label =
                    !shown->in_q && where.aspect() != 1
                        ? tr("r %1 px").arg(formatNumber(edge, 3))
                        : tr("q %1").arg(formatNumber(shown->in_q ? edge : where.q_of_radius(edge), 3));
            rings.push_back(std::move(outline));
        }
    }
    image_.view().setRings(where.beam_x, where.beam_y, std::move(rings));
}

void Bins::showCounts() {
    if (!partition()) return;
    const QString subject = QStringLiteral("xpcs counts");
    if (!image_.frame()) {
        context_.jobs.drop(this, subject);
        return model().setCounts({});
    }
    context_.jobs.start(
        Jobs::Lane::general, this, subject,
        [partition = partition(), frame = image_.frame()] { return binMeans(*partition, *frame); },
        [this](const std::vector<double>& means) { model().setCounts(means); });
}

void Bins::showVisible() {
    std::vector<bool> shown;
    for (const BinRow& row : panel_->model().bins()) shown.push_back(row.on);
    image_.view().setVisibleBins(std::move(shown));
}

void Bins::takeSwitches() {
    steps_->edited(true);
    showSummary();
    const bool previews = byHand_ && partition();
    if (previews) emit previewWanted();
    showVisible();
    emit switched(previews);
}

QStringList Bins::labelDatasets() const {
    QStringList names;
    for (const QString& path : labelPaths(file_->tree)) {
        // A pixel mask also has the shape of a partition, but its numbers are flags.
        const bool likely = path.contains(QStringLiteral("qmask")) || path.contains(QStringLiteral("roi")) ||
                            path.contains(QStringLiteral("label")) ||
                            path.contains(QStringLiteral("partition"));
        const QString name = file_->path + QStringLiteral("::") + path;
        if (likely) names.prepend(name);
    }
    return names;
}

void Bins::exportLabels(const QString& path, bool overwrite) {
    if (!partition()) return;
    std::vector<double> q, phi;
    std::vector<std::string> names;
    bool named = false;
    for (const BinRow& row : panel_->model().bins()) {
        q.push_back(row.q);
        phi.push_back(row.phi);
        names.push_back(row.name.toStdString());
        named = named || !row.name.isEmpty();
    }
    if (!named) names.clear();
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("export labels ") + path,
        [made = made_, input = made_.input, q, phi, names, path, overwrite,
         read = filesRead(&image_, {{"frames", file_->path.toStdString()}})] {
            io::require_not_read("exporting", path.toStdString(), read);
            io::LabelFile file{*made.partition, q, phi, names};
            // With the pixels of the mask, which is applied again wherever the file is read.
            if (!made.masked.empty()) {
                file.labels =
                    QPartition(input->height, input->width, labelsBeforeMask(made), made.partition->bins());
                if (input->located) {
                    const std::vector<BinMeaning> meanings = file.labels.meanings(input->geometry);
                    std::ranges::transform(meanings, file.q.begin(), &BinMeaning::q);
                    std::ranges::transform(meanings, file.phi.begin(), &BinMeaning::phi);
                }
            }
            if (made.statics) {
                file.static_labels = made.statics->labels;
                file.dynamic_of = made.statics->dynamicOf;
            }
            io::write_labels(path.toStdString(), file, overwrite);
            return path;
        },
        [this](const QString& done) {
            reportSaveSucceeded(&image_);
            emit exported(done);
        },
        [this](const Error& error) {
            reportSaveFailed(&image_, error);
            emit failed(error);
        });
}

void Bins::askImport() {
    const QString path =
        QFileDialog::getOpenFileName(&image_, tr("Import labels"), {}, imageFilters(tr("Labels")));
    if (!path.isEmpty()) form_->setDataset(path);
}

void Bins::askExport() {
    // The dialog asks before overwriting.
    const QString kind = QStringLiteral("bins");
    const QString path = askSavePath(&image_, tr("Export labels"),
                                     savePath(&image_, kind, QStringLiteral("bins.h5")), saveFilters());
    rememberSaved(&image_, kind, path);
    if (!path.isEmpty()) exportLabels(path, true);
}

void Bins::recolour(bool dark) {
    if (!partition()) return;
    std::vector<BinRow> rows = model().bins();
    for (BinRow& row : rows) row.colour = binColour(row.label, dark);
    model().setBins(std::move(rows), true);
}

bool Bins::chosen() const {
    return !waitingOff_.empty() || choice() != proposed_;
}

void Bins::keep(PageState& state) const {
    keepBins(state, form_->choice(), form_->fields().levels,
             waitingOff_.empty() ? panel_->model().labelsOff() : waitingOff_);
}

void Bins::bringBack(const PageState& state) {
    KeptBins kept = keptBins(state, image_.geometry(), form_->choice());
    waitingOff_ = std::move(kept.off);
    form_->setChoice(kept.choice, kept.rule);
}

}  // namespace ks::ui::xpcs
