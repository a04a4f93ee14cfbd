#include "ui/spots/spots_page.h"

#include <QAction>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <algorithm>
#include <utility>

#include "core/data/frame_ranges.h"
#include "core/data/regions/pixel_region.h"
#include "core/spots/grouping/spot_filter.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/wrapping_row.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/view/detector_view.h"
#include "ui/runs/run_source.h"
#include "ui/shell/page_actions.h"
#include "ui/spots/hot_pixels.h"
#include "ui/spots/intermediate_image.h"
#include "ui/spots/spot_plots.h"
#include "ui/spots/spot_table.h"
#include "ui/spots/threshold_form.h"

namespace ks::ui::spots {
namespace {

constexpr const char* switches[] = {"signal", "boxes", "centroids", "dropped", "difference"};

/// Whether what is drawn is on frames of the run's shape.
bool isOfShape(const RegionEditor& editor, const FoundSpots& run) {
    return editor.height() == run.height() && editor.width() == run.width();
}

}  // namespace

/// Diffraction spots: image with signal and boxes, thresholds with a live result, table and statistics.
std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<SpotsPage>(context);
}

SpotsPage::SpotsPage(PageContext& context)
    : FramesPage(QStringLiteral("spots"), context),
      table_(new SpotTable),
      hot_(new HotPixelsLine),
      plots_(new SpotPlots),
      form_(new ThresholdForm),
      status_(new ElidedLabel),
      overlay_(new SpotOverlay(*image_, context.jobs, this)),
      intermediate_(new IntermediateImage(*image_, *form_, *context.mask, context.jobs, this)) {
    setKeysWithoutWork({QStringLiteral("thresholds"), QStringLiteral("image"), QStringLiteral("picture")});
    inputs_->setLayout(inRows({form_, &image_->geometryForm()}, 16));
    tableLater_.setSingleShot(true);
    tableLater_.setInterval(0);
    makeActions();
    makeCentre();
    connectParts();
    showResult();
}

SpotsPage::~SpotsPage() {
    disconnectParts();
    intermediate_->drop();
}

OwnParameters SpotsPage::ownParameters() const {
    return {ThresholdForm::parameters() + sharedParameters()};
}

void SpotsPage::resetParameters() {
    form_->reset();
}

QWidget* SpotsPage::makeBar() {
    auto* row = new WrappingRow({}, 2);
    for (const char* name : {"signal", "boxes", "centroids", "dropped", "difference", "previous", "next"})
        row->addWidget(flatButton(actions_.value(QLatin1String(name))));
    // Short: the row also contains the frames, and a page may be narrow.
    actions_.value(QStringLiteral("difference"))->setIconText(QStringLiteral("A\u2212B"));
    actions_.value(QStringLiteral("previous"))->setIconText(QStringLiteral("\u25c2"));
    actions_.value(QStringLiteral("next"))->setIconText(QStringLiteral("\u25b8"));
    status_->setAccessibleName(tr("Displayed result"));
    status_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    status_->setUsual(tr("Run 88: 888 spots, 8,888 px"));
    row->addWidget(status_);
    return boxed(inColumns({row}, {}, {4, 0, 4, 0}));
}

void SpotsPage::makeCentre() {
    // Bins are not used here: the tools draw the mask.
    image_->maskBar().drawMaskOnly();
    form_->keepSteps(*context_.history);
    image_->addToBottomRow(makeBar());
    table_->setNote([this](int) {
        const FoundSpots* const found = overlay_->first().get();
        return found ? tableNote(*found->run(), found->number(), outdated_) : QString();
    });
    table_->addBelow(hot_);
    connect(hot_, &HotPixelsLine::maskWanted, this, &SpotsPage::maskHot);
    // Their texts grow with their content: the neighbouring dock keeps its width.
    table_->setMinimumWidth(240);
    plots_->setMinimumWidth(200);
    setBody(image_, {{tr("Spots"), table_, false, tr("One row per spot of the displayed run")},
                     {tr("Statistics"), plots_, true,
                      tr("Spots per frame, and their intensities, sizes and resolution")}});
}

void SpotsPage::makeActions() {
    const auto add = [this](const char* name, const QString& text, QKeySequence key, const QString& tip) {
        QAction* action = pageAction(this, name, text, key, tip);
        actions_.insert(QLatin1String(name), action);
        return action;
    };
    const auto toggle = [&](const char* name, const QString& text, Qt::Key key, bool on, const QString& tip) {
        QAction* action = add(name, text, QKeySequence(key), tip);
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::toggled, this, &SpotsPage::showStyle);
    };
    toggle("signal", tr("Signal"), Qt::Key_S, true, tr("Show the signal pixels"));
    toggle("boxes", tr("Boxes"), Qt::Key_O, true, tr("Show a box around each spot"));
    toggle("centroids", tr("Centroids"), Qt::Key_C, true, tr("Show the centroid of each spot"));
    toggle("dropped", tr("Dropped"), Qt::Key_K, false, tr("Show dropped spots, dotted"));
    toggle("difference", tr("Difference"), Qt::Key_D, false,
           tr("Compare the signal of the two newest ticked runs"));
    connect(add("next", tr("Next"), QKeySequence(Qt::Key_N), tr("Next spot in the table")),
            &QAction::triggered, this, [this] { step(1); });
    connect(add("previous", tr("Previous"), QKeySequence(Qt::SHIFT | Qt::Key_N),
                tr("Previous spot in the table")),
            &QAction::triggered, this, [this] { step(-1); });
    int key = Qt::Key_1;
    for (const auto& info : ks::spots::intermediates()) {
        auto* action = new QAction(QString::fromUtf8(info.title), this);
        action->setShortcut(QKeySequence(key++));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
        connect(action, &QAction::triggered, this, [this, kind = info.kind] { form_->setPicture(kind); });
    }
}

bool SpotsPage::isOfFrames(const Run& run) const {
    return readFrom(run, "frames", *file_,
                    {{"height", file_->frames->height()}, {"width", file_->frames->width()}});
}

// Saved runs have their spots with them. Numbers of frames mean the same only for runs of the same frames.
bool SpotsPage::isShownAlone(const Run& run) const {
    const auto framesOf = [](const Run& one) {
        const auto found = one.request.inputs.find("frames");
        return found != one.request.inputs.end() ? found->second.name : std::string();
    };
    return !runs_.ticked().empty() && framesOf(run) == framesOf(*runs_.ticked().front().run);
}

QString SpotsPage::whyNone() const {
    return file_ && !runs_.ticked().empty() && runs_.shown().empty()
               ? tr("The ticked runs used frames other than the open ones.")
               : QString();
}

// As in the table and on the image, runs of other frames are left out.
void SpotsPage::showStatistics() {
    const std::vector<RunRow> own = runs_.ofData();
    plots_->setRuns(own, whyNone());
    plots_->setFrame(own.empty() || !file_ ? -1 : image_->shownFrame());
}

void SpotsPage::showResult() {
    overlay_->setRuns(runs_.shown());
    showNote();
    showStatus();
}

void SpotsPage::showTable() {
    tableLater_.stop();
    plots_->setPreview(runs_.preview());
    const std::shared_ptr<const FoundSpots>& found = overlay_->first();
    try {
        table_->setResult(found ? found->run() : nullptr, whyNone());
        showOrigin(found.get());
    } catch (const Error& error) {
        emit failed(error);
    }
    table_->setFrame(file_ ? image_->shownFrame() : -1);
    showPickedRow();
    showHot();
}

void SpotsPage::showHot() {
    const FoundSpots* const found = overlay_->first().get();
    const HotPixels hot = found ? hotPixelsOf(*found->run()) : HotPixels();
    const RegionEditor& editor = image_->editor();
    const auto isMasked = [&](std::size_t pixel) { return editor.mask().values()[pixel] != 0; };
    hot_->setPixels(hot, found ? found->width() : 1,
                    !found || !isOfShape(editor, *found)        ? HotPixelsLine::Mask::impossible
                    : std::ranges::all_of(hot.pixels, isMasked) ? HotPixelsLine::Mask::done
                                                                : HotPixelsLine::Mask::possible);
}

void SpotsPage::maskHot() {
    const FoundSpots* const found = overlay_->first().get();
    RegionEditor& editor = image_->editor();
    if (!found || !isOfShape(editor, *found)) return;
    std::vector<PixelSpan> spans;
    for (const std::size_t pixel : hotPixelsOf(*found->run()).pixels) {
        const auto x = static_cast<std::uint32_t>(pixel % found->width());
        spans.push_back({static_cast<std::uint32_t>(pixel / found->width()), x, x + 1});
    }
    const int target = editor.target();
    editor.setTarget(RegionEditor::maskTarget);
    editor.apply(PixelRegion(found->height(), found->width(), std::move(spans)), true, tr("Hot pixels"));
    editor.setTarget(target);
}

// A preview covers few frames; the label of its file must not hide that.
void SpotsPage::showOrigin(const FoundSpots* found) {
    if (!found || found->number() > 0) return table_->setOrigin({}, {});
    const int first = found->first(), last = found->end() - 1;
    if (first == last)
        table_->setOrigin(tr("the preview of frame %1").arg(first),
                          QStringLiteral("preview_frame%1").arg(first));
    else
        table_->setOrigin(tr("the preview of frames %1 to %2").arg(first).arg(last),
                          QStringLiteral("preview_frames%1-%2").arg(first).arg(last));
}

void SpotsPage::showPickedRow() {
    const int row = overlay_->picked() ? static_cast<int>(*overlay_->picked()) : -1;
    if (table_->selected() != row) table_->select(row);
}

void SpotsPage::showFrame() {
    const int frame = image_->shownFrame();
    overlay_->followFrames();
    table_->setFrame(frame);
    plots_->setFrame(runs_.ticked().empty() ? -1 : frame);
    showStatus();
}

void SpotsPage::showStyle() {
    const auto on = [this](const char* name) { return actions_.value(QLatin1String(name))->isChecked(); };
    overlay_->setStyle({on("signal"), on("boxes"), on("centroids"), on("dropped"), on("difference")});
    showNote();
    showStatus();
}

void SpotsPage::showOutdated() {
    plots_->setOutdated(outdatedText(outdated_, 1));
    showNote();
    showStatus();
}

// On the image of one run, or of two in a difference.
void SpotsPage::showNote() {
    const bool both = overlay_->layer().showsDifference();
    const auto noteOf = [&](const std::shared_ptr<const FoundSpots>& found) {
        if (!found) return QString();
        if (found->number() == 0) {
            const QString said = runMark(isWrong({.number = 0, .run = found->run()}),
                                         previewsLeftOut() ? tr("runs leave this frame out") : QString());
            return both && !said.isEmpty() ? tr("preview: %1").arg(said) : said;
        }
        const auto rows = runs_.ofData();
        const auto row = std::ranges::find(rows, found->number(), &RunRow::number);
        const bool isNewest = row == rows.begin();
        const QString said =
            runMark(row != rows.end() && isWrong(*row), isNewest ? outdated_ : differing(*found->run()));
        return both && !said.isEmpty() ? tr("run %1: %2").arg(found->number()).arg(said) : said;
    };
    QStringList notes{noteOf(overlay_->first())};
    if (both) notes << noteOf(overlay_->second());
    notes.removeAll(QString());
    image_->view().setNote(notes.join(QStringLiteral("; ")));
}

void SpotsPage::showStatus() {
    QString text;
    QStringList shorter;
    const FoundSpots* const found = overlay_->first().get();
    if (found && !file_) {
        const auto kept =
            std::ranges::count(found->spots(), ks::spots::Dropped::kept, &ks::spots::Spot::dropped);
        const QString run =
            tr("Run %1: %2").arg(found->number()).arg(spotsText(static_cast<std::size_t>(kept)));
        text = tr("%1; its frames are not open").arg(run);
        shorter << run;
    } else if (found) {
        const int frame = image_->shownFrame();
        QString name = found->number() > 0 ? tr("Run %1").arg(found->number())
                       : previewsLeftOut() ? tr("Preview (runs leave this frame out)")
                                           : tr("Preview"),
                brief = name;
        if (found->number() > 0 && !outdated_.isEmpty()) {
            // At this place, since the end of the line may be cut.
            name += QLatin1Char(' ') + outdatedText(outdated_);
            brief = tr("%1, outdated").arg(name.section(QLatin1Char(' '), 0, 1));
        }
        if (const QString why = found->whyNotSearched(frame); !why.isEmpty()) {
            text = tr("%1, frame %2: %3").arg(name).arg(frame).arg(why);
            shorter << tr("%1, frame %2: %3").arg(brief).arg(frame).arg(why)
                    << tr("frame %1: %2").arg(frame).arg(why) << why;
        } else if (found->covers(frame)) {
            const QString spots = spotsText(found->keptOn(frame)),
                          pixels = grouped(found->signal(frame).size());
            text = tr("%1, frame %2: %3, %4 px").arg(name).arg(frame).arg(spots, pixels);
            shorter << tr("%1, frame %2: %3, %4 px").arg(brief).arg(frame).arg(spots, pixels)
                    << tr("%1, frame %2: %3").arg(brief).arg(frame).arg(spots)
                    << tr("frame %1: %2").arg(frame).arg(spots) << spots;
        } else {
            text = tr("%1 does not include frame %2").arg(name).arg(frame);
            shorter << tr("%1: not this frame").arg(brief);
        }
    } else if (!runs_.ticked().empty()) {
        text = tr("The ticked runs cover other frames");
        shorter << tr("Runs of other frames");
    } else if (file_) {
        text = tr("Move a threshold or press Run (F5)");
        shorter << tr("Run: F5");
    }
    if (actions_.value(QStringLiteral("difference"))->isChecked() && found && !overlay_->second()) {
        text = tr("To see a difference, tick two runs of this file. %1").arg(text);
        shorter = {tr("Tick two runs of this file"), tr("Tick two runs")};
    }
    status_->setWhole(text, shorter);
    const bool any = found && !found->spots().empty();
    actions_.value(QStringLiteral("next"))->setEnabled(any);
    actions_.value(QStringLiteral("previous"))->setEnabled(any);
}

bool SpotsPage::previewsLeftOut() const {
    if (!runs_.preview() || !overlay_->first() || overlay_->first()->number() != 0 || !file_) return false;
    try {
        return std::ranges::binary_search(frames_named(leaveOut_, file_->frames->frames(), "leave_out"),
                                          static_cast<std::size_t>(std::max(image_->shownFrame(), 0)));
    } catch (const Error&) {
        return false;  // a run with such a text is refused
    }
}

QString SpotsPage::status() const {
    return status_->whole();
}

void SpotsPage::pick(std::optional<std::size_t> spot, bool look) {
    overlay_->pick(spot);
    if (tableLater_.isActive()) showTable();
    showPickedRow();
    if (look) overlay_->look();
}

bool SpotsPage::showPlace(const VerdictPlace& place) {
    constexpr double around = 16;  ///< pixels on either side of the chosen one
    const auto frame = place.find("frame"), x = place.find("x"), y = place.find("y");
    if (!file_ || frame == place.end() || x == place.end() || y == place.end()) return false;
    const FrameSource& frames = *file_->frames;
    if (frame->second >= frames.frames() || x->second >= frames.width() || y->second >= frames.height())
        return false;
    image_->slider().setFrame(static_cast<int>(frame->second));
    image().showPart(QRectF(static_cast<double>(x->second) - around, static_cast<double>(y->second) - around,
                            2 * around + 1, 2 * around + 1));
    return true;
}

void SpotsPage::step(int by) {
    if (!overlay_->first()) return;
    if (tableLater_.isActive()) showTable();
    const std::vector<int>& rows = table_->visibleSpots();
    if (!rows.empty()) pick(overlay_->stepped(rows, by), true);
}

void SpotsPage::connectParts() {
    connect(form_, &ThresholdForm::changed, this, &SpotsPage::edited);
    connect(form_, &ThresholdForm::pictureChanged, intermediate_, &IntermediateImage::make);
    connect(intermediate_, &IntermediateImage::noteChanged, overlay_, &SpotOverlay::setNote);
    connect(intermediate_, &IntermediateImage::failed, this, &Page::failed);
    connect(overlay_, &SpotOverlay::shown, this, [this](bool another) {
        if (another) tableLater_.start();
        showStatus();
        emit overlayShown();
    });
    // A difference marks its second run as well, which differs from other inputs.
    connect(this, &Page::inputsChanged, this, &SpotsPage::showNote);
    connect(overlay_, &SpotOverlay::clicked, this,
            [this](std::optional<std::size_t> spot) { pick(spot, false); });
    connect(overlay_, &SpotOverlay::failed, this, &Page::failed);
    connect(image_, &ImagePanel::frameShown, this, [this] {
        showFrame();
        intermediate_->make();
    });
    // The editor may have changed the bins of another page.
    connect(image_, &ImagePanel::maskChanged, this, [this](bool final) {
        if (!final || std::exchange(maskSeen_, context_.mask->revision()) == context_.mask->revision())
            return;
        showHot();
        if (maskEdited()) editedSomewhere();
    });
    connect(context_.mask.get(), &SessionMask::maskLoaded, this, [this] {
        if (context_.mask->file() != file_) return;
        maskSeen_ = context_.mask->revision();
        showHot();
        intermediate_->make();
        emit inputsChanged();
    });
    connect(image_, &ImagePanel::geometryChanged, this, [this] {
        form_->setResolutionKnown(image_->located() && image_->geometry().complete());
        editedSomewhere();
    });
    // The worker reads the frame itself and need not wait for the picture.
    const auto frameChosen = [this] {
        if (file_ && !quiet_ && (runs_.ofData().empty() || !outdated_.isEmpty())) emit previewWanted();
    };
    connect(&image_->slider(), &FrameSlider::frameChanged, this, frameChosen);
    // Not at once when a file opens, since the runs of a session come after it.
    connect(image_, &ImagePanel::frameShown, this, [this, frameChosen] {
        if (std::exchange(isNew_, false)) frameChosen();
    });
    connect(&image_->combinedFrames(), &QSpinBox::valueChanged, this, frameChosen);
    connect(table_, &SpotTable::picked, this,
            [this](int spot) { pick(static_cast<std::size_t>(spot), true); });
    connect(table_, &SpotTable::failed, this, &Page::failed);
    connect(plots_, &SpotPlots::framePicked, this, [this](int frame) { image_->slider().setFrame(frame); });
    connect(plots_, &SpotPlots::pointHovered, this, &Page::cursorMoved);
    connect(&tableLater_, &QTimer::timeout, this, &SpotsPage::showTable);
}

void SpotsPage::setFile(std::shared_ptr<const OpenFile> file) {
    quiet_ = true;
    isNew_ = file != file_;
    intermediate_->drop();
    take(std::move(file));
    table_->setRead(file_ ? std::map<std::string, std::string>{{"frames", file_->path.toStdString()}}
                          : std::map<std::string, std::string>());
    maskSeen_ = context_.mask->revision();
    form_->setResolutionKnown(image_->located() && image_->geometry().complete());
    form_->setLive({});
    showIce();
    showStatistics();
    showResult();
    quiet_ = false;
}

bool SpotsPage::useObject(const QString& path) {
    const QString mask = context_.mask->file() == file_ ? context_.mask->maskAt(path) : QString();
    if (!mask.isEmpty()) image_->maskBar().loadMask(mask);
    return !mask.isEmpty();
}

void SpotsPage::edited() {
    if (!file_ || quiet_) return emit inputsChanged();
    // First, so that the worker computes while the window paints.
    emit previewWanted();
    intermediate_->make();
    showIce();
}

void SpotsPage::showIce() {
    const double width = form_->grouping().ice_width.value_or(0);
    if (width == iceWidth_) return;
    iceWidth_ = width;
    std::vector<double> centres;
    if (width > 0)
        for (const ks::spots::IceRing& ring : ks::spots::ice_rings())
            centres.push_back(1 / (ring.d * ring.d));
    plots_->setIceRings(std::move(centres), width);
}

QString SpotsPage::missing() const {
    if (const QString none = FramesPage::missing(); !none.isEmpty()) return none;
    return context_.mask->ignoresAll() ? tr("all pixels are masked") : QString();
}

void SpotsPage::apply(const ParameterSet& given) {
    FramesPage::apply(given);
    form_->apply(given);
}

void SpotsPage::fillOwn(ParameterSet& parameters) const {
    form_->fill(parameters);
    image_->fillGeometry(parameters, image_->geometry(), image_->located());
}

FileValues SpotsPage::fileValues() const {
    const ks::spots::Thresholds thresholds = form_->thresholds();
    FileValues known = FramesPage::fileValues();
    known.traits = {{"kernel_x", std::int64_t{thresholds.kernel_x}},
                    {"kernel_y", std::int64_t{thresholds.kernel_y}}};
    if (file_) known.traits["element"] = std::string(name_of(file_->frames->type()));
    return known;
}

// A preview covers the displayed frame and is not saved: these parameters do not affect it.
void SpotsPage::formEdited(const QStringList& ids, const ParameterSet& values) {
    static const QStringList ofRuns{QStringLiteral("first_frame"), QStringLiteral("last_frame"),
                                    QStringLiteral("leave_out"), QStringLiteral("save_signal"),
                                    QStringLiteral("all_spots")};
    if (ids.contains(QStringLiteral("leave_out"))) {
        leaveOut_ = text(values, "leave_out");
        showNote();
        showStatus();
    }
    if (!file_ || std::ranges::all_of(ids, [](const QString& id) { return ofRuns.contains(id); })) return;
    emit previewWanted();
}

AnalysisPage::Reduced SpotsPage::reduce(Request& request, double /*share*/) const {
    const int first = std::max(image_->slider().frame(), 0);
    request.parameters["first_frame"] = std::int64_t{first};
    request.parameters["last_frame"] = std::int64_t{first + overlay_->framesShown() - 1};
    leaveOut_ = request.parameters.contains("leave_out") ? text(request.parameters, "leave_out") : no_frames;
    request.parameters["leave_out"] = std::string(no_frames);  // it covers what the image shows
    request.check = CheckMode::none;
    asked_.start();
    return Reduced::whole;  // one frame is the minimum
}

void SpotsPage::setPreview(std::shared_ptr<const Run> run) {
    if (!runs_.setPreview(std::move(run))) return;
    // Of a preview that is judged anew, the time is known.
    if (runs_.preview() && asked_.isValid()) {
        took_ = asked_.nsecsElapsed();
        asked_.invalidate();
    }
    showResult();
    const FoundSpots* const found = overlay_->first().get();
    if (!runs_.preview() || !found) return form_->setLive({});
    const QString time = formatDuration(static_cast<double>(took_));
    const int frames = found->end() - found->first();
    std::size_t kept = 0;
    for (const ks::spots::Spot& spot : found->spots()) kept += spot.dropped == ks::spots::Dropped::kept;
    const QString why = frames == 1 ? found->whyNotSearched(found->first()) : QString();
    QString count = why.isEmpty() ? spotsText(kept) : why;
    if (isWrong({.number = 0, .run = found->run()})) count = tr("wrong, %1").arg(count);
    form_->setLive(frames == 1 ? tr("live: %1, %2 on frame %3").arg(time, count).arg(found->first())
                               : tr("live: %1, %2 on frames %3\u2013%4")
                                     .arg(time, count)
                                     .arg(found->first())
                                     .arg(found->end() - 1));
}

void SpotsPage::setRuns(const std::vector<RunRow>& runs) {
    runs_.setTicked(runs);
    showStatistics();
    showResult();
}

std::vector<NamedPlot> SpotsPage::plots() const {
    // The image shows the spots of one run or of a preview.
    const auto marked = [this] {
        PlotRuns of;
        for (const FoundSpots* found : {overlay_->first().get(), overlay_->second().get()}) {
            if (!found) continue;
            if (found->number() == 0)
                of.preview = true;
            else
                of.numbers.push_back(found->number());
        }
        return of;
    };
    std::vector<NamedPlot> all{
        {tr("Detector image"), &image_->view(), QStringLiteral("spots"), nullptr, marked}};
    for (const NamedPlot& plot : plots_->plots()) all.push_back(plot);
    return all;
}

std::optional<PageState> SpotsPage::state(Scope scope) const {
    PageState state;
    if (scope == Scope::settings) {
        state.values = image_->settings();
        for (const char* name : switches)
            state.values[std::string("show-") + name] = actions_.value(QLatin1String(name))->isChecked();
    } else if (scope == Scope::session) {
        state.values["image"] = image_->keep();
        state.values["thresholds"] = to_json(form_->values());
        state.values["picture"] = static_cast<int>(form_->picture());
    } else {
        return std::nullopt;
    }
    return state;
}

void SpotsPage::setState(const PageState& state, Scope scope) {
    const nlohmann::json& values = state.values;
    if (scope == Scope::settings) {
        image_->setSettings(values);
        for (const char* name : switches) {
            QAction* const one = actions_.value(QLatin1String(name));
            one->setChecked(jsonBoolean(values, (std::string("show-") + name).c_str(), one->isChecked()));
        }
        return;
    }
    if (scope == Scope::expected) return image_->expect(jsonPart(values, "image"));
    const QScopedValueRollback notByHand(quiet_, true);
    try {
        if (const nlohmann::json kept = jsonPart(values, "thresholds"); kept.is_object())
            form_->apply(parameter_set_from(kept));
    } catch (const std::exception&) {
        // From another version: current values are kept.
    }
    if (scope == Scope::file || !file_) return;
    image_->bringBack(jsonPart(values, "image"));
    const int picture = jsonInteger(values, "picture", -1);
    for (const auto& info : ks::spots::intermediates())
        if (static_cast<int>(info.kind) == picture) form_->setPicture(info.kind);
}

}  // namespace ks::ui::spots
