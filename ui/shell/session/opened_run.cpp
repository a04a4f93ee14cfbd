#include "ui/shell/session/opened_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/error.h"
#include "core/input/frame_input.h"
#include "core/input/frame_mask.h"
#include "core/input/same_parameter.h"
#include "core/io/files/data_name.h"
#include "core/io/series/series.h"
#include "core/record/made_elsewhere.h"
#include "core/record/moved_inputs.h"
#include "core/run/repeats/repeats.h"
#include "core/run/user/shown_variant.h"
#include "ui/base/history.h"
#include "ui/image/mask/mask_state.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

constexpr int lookMs = 100, longestLooks = 6000;
const QString inputsNotice = QStringLiteral("inputs of the run"), lostNotice = QStringLiteral("lost data ");
constexpr const char* maskRole = "mask";

}  // namespace

OpenedRun::OpenedRun(Workbench& bench, std::function<QString(const QString& gone)> whereIs, QObject* parent)
    : QObject(parent), bench_(bench), whereIs_(std::move(whereIs)) {
    look_.setInterval(lookMs);
    connect(&look_, &QTimer::timeout, this, &OpenedRun::look);
    connect(&bench_.files, &FileSession::runOpened, this, &OpenedRun::opened);
    connect(&bench_.runs, &RunTableModel::rowsRemoved, this, [this] {
        if (!bench_.runs.find(number_)) emit bench_.messages.noticeEnded(inputsNotice);
    });
    connect(&bench_.files, &FileSession::fileChanged, this, [this] {
        const RunRow* const row = bench_.runs.find(number_);
        if (row && !bench_.runs.isOfFile(*row)) emit bench_.messages.noticeEnded(inputsNotice);
    });
}

void OpenedRun::opened(int number, const SavedRun& saved) {
    if (made_elsewhere(*saved.run)) return;  // there is nothing to restore
    const Request& request = saved.run->request;
    const std::string data = bench_.registry()->analysis(request.analysis).info().data_of(request);
    if (data.empty()) {
        number_ = number;
        waited_ = 0;
        return look_.start();
    }
    if (saved.lost) {
        const std::string file = io::DataName::parse(data).file.string();
        if (!io::is_there(file)) askWhere(number, file);
        return;
    }
    askWhereRepeatsAre(number);
    number_ = number;
    waited_ = 0;
    const RunRow* const row = bench_.runs.find(number);
    wasOpen_ = row && bench_.files.file() && bench_.runs.isOfFile(*row);
    look_.start();
}

void OpenedRun::askWhereRepeatsAre(int number) {
    const RunRow* const row = bench_.runs.find(number);
    if (!row) return;
    for (const std::string& name : names_of_repeats(*row->run)) {
        const std::string file = io::DataName::parse(name).file.string();
        // One that was not there then is not missed now.
        if (!io::is_there(file) && !records_of_input(*row->run, name).empty()) return askWhere(number, file);
    }
}

void OpenedRun::askWhere(int number, const std::string& gone) {
    const QString id = lostNotice + QString::number(number), name = QString::fromStdString(gone);
    emit bench_.messages.noticed(
        {id,
         tr("The data of run %1 were not found: %2").arg(number).arg(name),
         {{tr("Locate..."),
           [this, id, number, gone, name] {
               const QString found = whereIs_(name);
               const RunRow* const row = bench_.runs.find(number);
               if (found.isEmpty() || !row) return;
               const AnalysisInfo& info = bench_.registry()->analysis(row->run->request.analysis).info();
               if (!may_be_input(*row->run, gone, found.toStdString())) {
                   // The run would name it as the file that it read.
                   emit bench_.messages.failed(Error(ErrorKind::input,
                                                     "this is not the file that run " +
                                                         std::to_string(number) +
                                                         " read: its contents differ",
                                                     found.toStdString(), "open it by itself to analyse it"));
                   return;
               }
               emit bench_.messages.noticeEnded(id);
               MovedFiles moved{{{gone, found.toStdString()}}, {}};
               // The other repeats of an average have moved with it.
               const std::filesystem::path then = gone, now = found.toStdString();
               if (!repeats_of(*row->run).empty() && then.filename() == now.filename())
                   moved.folders.push_back({then.parent_path(), now.parent_path()});
               bench_.runs.replaceRun(number, with_moved_inputs(row->run, moved));
               const std::shared_ptr<const Run> run = bench_.runs.find(number)->run;
               if (repeats_of(*run).empty())
                   bench_.files.open(QString::fromStdString(info.data_of(run->request)));
               else
                   bench_.files.openRepeatsOf(*run);
               askWhereRepeatsAre(number);
               number_ = number;
               waited_ = 0;
               wasOpen_ = false;
               look_.start();
           }}},
         [] {}});
}

AnalysisPage* OpenedRun::pageOf(const Run& run) const {
    return bench_.files.pageOf(QString::fromStdString(run.request.analysis));
}

// Its data, and what the page derives from them, arrive by jobs.
void OpenedRun::look() {
    const RunRow* const row = bench_.runs.find(number_);
    if (!row || ++waited_ > longestLooks) return look_.stop();
    AnalysisPage* const page = pageOf(*row->run);
    const auto& file = bench_.files.file();
    if (!bench_.request.analysis() || bench_.jobs.running() > 0) return;
    const Request& request = row->run->request;
    if (bench_.registry()->analysis(request.analysis).info().data_of(request).empty()) {
        // Nothing on its page was drawn by hand: only its parameters need to be restored.
        look_.stop();
        const auto differs = [this, &run = *row->run] {
            return !bench_.request.differing(run).isEmpty() || !bench_.request.otherKernel(run).isEmpty();
        };
        if (page && bench_.files.page() == page && differs()) take(number_, {});
        return;
    }
    if (!page || !file || !bench_.runs.isOfFile(*row) || bench_.files.given(*page) != file) return;
    look_.stop();
    if (bench_.files.page() != page) return;
    const QStringList labels = different(*page, *row->run);
    if (!wasOpen_ && !changedByHand(*page) && !namesOtherFiles(row->run->request)) {
        if (!labels.isEmpty() || !bench_.request.otherKernel(*row->run).isEmpty() ||
            hasOtherChoices(*page, *row->run))
            use(number_);
    } else if (!labels.isEmpty()) {
        offer(labels);
    }
}

// Apart from its data: they are read once the user asks for them.
bool OpenedRun::namesOtherFiles(const Request& request) const {
    const AnalysisInfo& info = bench_.registry()->analysis(request.analysis).info();
    const std::string data = io::DataName::parse(info.data_of(request)).file.string();
    return std::ranges::any_of(request.inputs, [&data](const auto& one) {
        const std::string& name = one.second.name;
        return !one.second.values && !name.starts_with("rings:") &&
               io::DataName::parse(name).file.string() != data;
    });
}

bool OpenedRun::changedByHand(const AnalysisPage& page) const {
    const std::optional<MaskState> mask = bench_.context.mask->keep();
    return (mask && mask->byHand()) || bench_.context.geometry->edited() ||
           page.state(Page::Scope::file).has_value();
}

QStringList OpenedRun::different(const AnalysisPage& page, const Run& run) const {
    QStringList labels;
    const AnalysisInfo& info = bench_.registry()->analysis(run.request.analysis).info();
    std::map<std::string, InputRef> now;
    AnalysisPage::InputState state;
    if (page.missing().isEmpty()) {
        state = page.inputState();
        try {
            now = bench_.request.request(page).inputs;
        } catch (const Error&) {
            // The page reports the error; none of its inputs are those of the run.
        }
    }
    for (std::size_t i = 1; i < info.inputs.size(); ++i) {
        const std::string& role = info.inputs[i].role;
        const auto here = std::as_const(now).find(role), there = run.request.inputs.find(role);
        const bool none = here == now.cend();
        if (none != (there == run.request.inputs.end())) {
            // The mask of the file, which the window passes as values while other requests leave it to the
            // run.
            const bool ofFile =
                role == maskRole && !none && bench_.context.mask->fileMaskLoaded() && !changedByHand(page);
            if (!ofFile) labels << QString::fromStdString(info.inputs[i].label).toLower();
        } else if (!none && here->second != there->second && !(state.uses && state.uses(run, role))) {
            labels << QString::fromStdString(info.inputs[i].label).toLower();
        }
    }
    return labels + bench_.request.differing(run);
}

bool OpenedRun::hasOtherChoices(const AnalysisPage& page, const Run& run) const {
    if (bench_.request.choices(page.analysis()).variant != QString::fromStdString(run.variant.id))
        return true;
    Taken now = present(page, page.analysis());
    for (const ParameterSpec& one : io::geometry_parameters()) now.ofPage.erase(one.id);  // see different()
    const QStringList own = page.ownParameters().ids;
    const std::vector<ParameterSpec>& specs =
        bench_.registry()->analysis(run.request.analysis).info().parameters;
    return std::ranges::any_of(specs, [&](const ParameterSpec& spec) {
        const auto there = run.request.parameters.find(spec.id),
                   here = std::as_const(now.ofPage).find(spec.id);
        return own.contains(QString::fromStdString(spec.id)) && there != run.request.parameters.cend() &&
               here != now.ofPage.cend() && !io::same_parameter(spec, there->second, here->second);
    });
}

void OpenedRun::offer(const QStringList& labels) {
    emit bench_.messages.noticed(
        {inputsNotice,
         tr("Run %1 was made with inputs that differ from those now on the page (%2), so its curves and "
            "tables do not match the page.")
             .arg(number_)
             .arg(labels.join(QStringLiteral(", "))),
         {{tr("Use inputs of run %1").arg(number_), [this, number = number_] { use(number); }}},
         [] {}});
}

OpenedRun::Inputs OpenedRun::readInputs(const Request& request) {
    Inputs read;
    const auto frames = request.inputs.find("frames");
    if (frames == request.inputs.end() || frames->second.values) return read;
    const auto swap = request.parameters.find("swap_xy");
    if (swap != request.parameters.end()) {
        read.swapped = boolean(request.parameters, "swap_xy");
        const io::Experiment experiment = io::experiment_of(frames->second, request.parameters);
        if (experiment.centred) read.geometry = experiment.geometry;
    }
    if (!request.parameters.contains("file_mask")) return read;
    const auto source = io::open_source(frames->second);
    const PixelMask own = io::detector_fields(frames->second, *source, true, nullptr)->mask;
    const bool useOwn = boolean(request.parameters, "file_mask");
    std::vector<std::uint8_t> ignore(source->height() * source->width());
    const auto add = [&ignore](const PixelMask& mask) {
        for (std::size_t i = 0; i < std::min(ignore.size(), mask.ignore.size()); ++i)
            if (mask.ignore[i]) ignore[i] = 1;
    };
    if (useOwn) add(own);
    const auto given = request.inputs.find(maskRole);
    if (given != request.inputs.end()) add(io::given_mask(given->second, *source, nullptr)->mask);
    MaskState state;
    state.height = source->height();
    state.width = source->width();
    state.mask = runsOf(ignore);
    state.ofFile = !own.empty();
    state.changed = !own.empty() && (!useOwn || given != request.inputs.end());
    read.mask = std::move(state);
    return read;
}

void OpenedRun::use(int number) {
    const RunRow* const row = bench_.runs.find(number);
    if (!row) return;
    bench_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("inputs of a run"),
        [request = row->run->request] { return readInputs(request); },
        [this, number](const Inputs& inputs) { take(number, inputs); },
        [this](const Error& error) { emit bench_.messages.failed(error); });
}

OpenedRun::Taken OpenedRun::present(const AnalysisPage& page, const QString& analysis) const {
    Taken now;
    now.choices = bench_.request.choices(analysis);
    Request filled;
    try {
        if (page.missing().isEmpty())
            page.fill(filled);
        else
            page.fillOwn(filled.parameters);
    } catch (const Error&) {
        // The page reports the error.
    }
    const QStringList own = page.ownParameters().ids;
    for (const auto& [id, value] : filled.parameters)
        if (own.contains(QString::fromStdString(id))) now.ofPage[id] = value;
    now.geometry = bench_.context.geometry->state();
    now.page = page.state(Page::Scope::session);
    now.beyondRuns = page.choicesBeyondRuns();
    return now;
}

void OpenedRun::setForms(AnalysisPage& page, const QString& analysis, const Taken& taken) {
    bench_.request.setChoices(analysis, taken.choices);
    if (taken.geometry) bench_.context.geometry->setState(*taken.geometry);
    ParameterSet ofPage = taken.ofPage;
    for (const ParameterSpec& one : io::geometry_parameters()) ofPage.erase(one.id);
    page.apply(ofPage);
}

void OpenedRun::take(int number, const Inputs& inputs) {
    const RunRow* const row = bench_.runs.find(number);
    AnalysisPage* const page = row ? pageOf(*row->run) : nullptr;
    if (!page) return;
    const Request request = row->run->request;
    const bool ofData = !bench_.registry()->analysis(request.analysis).info().data_of(request).empty();
    const std::shared_ptr<const OpenFile> file = bench_.files.file();
    if (ofData && (!file || bench_.files.given(*page) != file)) return;
    const QString analysis = QString::fromStdString(request.analysis);
    const std::vector<ParameterSpec>& specs = bench_.registry()->analysis(request.analysis).info().parameters;
    bench_.request.holdBack(request);
    SessionGeometry& geometry = *bench_.context.geometry;
    SessionMask& mask = *bench_.context.mask;
    const bool ofFrames = inputs.mask && geometry.file() == file && mask.file() == file;
    Taken before = present(*page, analysis), now;
    if (!ofFrames) before.geometry.reset();
    now.choices = before.choices;
    const QStringList own = page->ownParameters().ids;
    for (const auto& [id, value] : among(specs, request.parameters))
        (own.contains(QString::fromStdString(id)) ? now.ofPage : now.choices.parameters)[id] = value;
    now.choices.variant = QString::fromStdString(row->run->variant.id);
    if (ofFrames)
        now.geometry = inputs.geometry ? SessionGeometry::State{*inputs.geometry, inputs.swapped}
                                       : SessionGeometry::State{geometry.start(), false};
    SessionMask::Replaced masked;
    {
        const History::Quiet oneStep(*bench_.context.history);
        setForms(*page, analysis, now);
        emit variantTaken(number);
        MaskState drawn = inputs.mask.value_or(MaskState());
        if (ofData) now.page = page->ofRequest(request, geometry.geometry(), drawn);
        if (ofFrames) masked = mask.replace(drawn);
        if (now.page) page->setState(*now.page, Page::Scope::file);
    }
    // In the order in which they were set: bins depend on the geometry, drawn ones on the mask's editor.
    bench_.context.history->add({tr("inputs of run %1").arg(number),
                                 page,
                                 {},
                                 [this, page, analysis, before, undo = masked.undo] {
                                     setForms(*page, analysis, before);
                                     if (before.beyondRuns) before.beyondRuns();
                                     if (undo) undo();
                                     if (before.page) page->setState(*before.page, Page::Scope::file);
                                 },
                                 [this, page, analysis, now, redo = masked.redo] {
                                     setForms(*page, analysis, now);
                                     if (redo) redo();
                                     if (now.page) page->setState(*now.page, Page::Scope::file);
                                 }});
    QString told = (ofData ? tr("Inputs and parameters set to those of run %1")
                           : tr("Parameters set to those of run %1"))
                       .arg(number);
    if (const std::string given = given_defines(*bench_.runs.find(number)->run); !given.empty())
        told = tr("%1; its definitions (%2) apply only if it is repeated")
                   .arg(told, QString::fromStdString(given));
    if (ofData) emit bench_.messages.noticeEnded(inputsNotice);
    emit bench_.messages.said(told, 15000);
}

}  // namespace ks::ui
