#include "ui/kernels/kernel_panel.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

#include "core/base/printable.h"
#include "core/devices/device_id.h"
#include "core/kernels/build_source.h"
#include "core/kernels/inserted_text.h"
#include "core/run/user/shown_variant.h"
#include "core/run/user/trusted_code.h"
#include "ui/base/input/focus_outline.h"
#include "ui/base/layouts.h"
#include "ui/kernels/assembly_view.h"
#include "ui/kernels/bars/find_bar.h"
#include "ui/kernels/build_log_view.h"
#include "ui/kernels/difference_view.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/resolved_view.h"
#include "ui/kernels/resources_view.h"
#include "ui/kernels/user_kernel_list.h"
#include "ui/kernels/user_kernels.h"
#include "ui/runs/device_titles.h"
#include "ui/runs/faster_text.h"

namespace ks::ui {
namespace {

QString titleOf(const RunRow& row) {
    return KernelPanel::tr("Run %1: %2 on %3")
        .arg(row.number)
        .arg(QString::fromStdString(shown_kernel(*row.run)), ranOn(*row.run));
}

/// @param newest run of the variant, or null
QString storyOf(const Variant& variant, const RunRow* newest) {
    const QString story = QString::fromStdString(
        variant.description.empty() ? variant.title : variant.title + ": " + variant.description);
    const QString faster = newest ? fasterText(*newest->run) : QString();
    return faster.isEmpty()
               ? story
               : KernelPanel::tr("%1\nRun %2: %3").arg(story, QString::number(newest->number), faster);
}

}  // namespace

KernelPanel::KernelPanel(QWidget* parent)
    : QWidget(parent),
      variants_(named(new QComboBox, tr("Variant"))),
      others_(named(new QComboBox, tr("Variant to compare with"))),
      story_(named(new QLabel, tr("Idea of the variant"))),
      where_(named(new QLabel, tr("File and line of the cursor"))),
      otherSource_(named(new QLabel, tr("Source of the newest run"))),
      unsaved_(named(new QLabel, tr("Whether the source is saved"))),
      unsavedSides_(named(new QLabel, tr("Whether the compared texts are saved"))),
      tabs_(named(new QTabWidget, tr("Views of the kernel"))),
      source_(new ResolvedView),
      difference_(new DifferenceView),
      buildLog_(new BuildLogView),
      resources_(new ResourcesView),
      assembly_(new AssemblyView),
      printed_(named(new QPlainTextEdit, tr("Printed by the kernel"))),
      userKernels_(new UserKernels) {
    variants_->setWhatsThis(tr("The variant whose kernel is shown"));
    variants_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    story_->setWordWrap(true);
    story_->setForegroundRole(QPalette::PlaceholderText);
    tabs_->setDocumentMode(true);
    tabs_->addTab(makeSource(), tr("Source"));
    tabs_->addTab(makeDifference(), tr("Difference"));
    tabs_->addTab(buildLog_, tr("Build log"));
    tabs_->addTab(resources_, tr("Resources"));
    tabs_->addTab(assembly_, tr("Instructions"));
    tabs_->addTab(userKernels_, tr("Edit"));
    printed_->setReadOnly(true);
    printed_->setFrameShape(QFrame::NoFrame);
    new FocusOutline(printed_);
    printed_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    printed_->setWhatsThis(tr("Output of printf in the newest run of this variant, up to 64 KiB."));
    tabs_->addTab(printed_, tr("Printed"));
    showPrinted({});
    setLayout(inRows({inColumns({variants_, {story_, 1}}, 12, {8, 6, 8, 6}), {tabs_, 1}}, 0));
    connect(variants_, &QComboBox::currentIndexChanged, this, [this] {
        awaited_.clear();
        showVariant();
        emit variantChanged(variant());
    });
    connect(variants_, &QComboBox::activated, this, &KernelPanel::openChosen);
    connect(others_, &QComboBox::currentIndexChanged, this, &KernelPanel::showDifference);
    connect(others_, &QComboBox::activated, this, [this] { otherByHand_ = true; });
    connect(tabs_, &QTabWidget::currentChanged, this, &KernelPanel::showTexts);
    connect(source_, &ResolvedView::placeChanged, this, &KernelPanel::showWhere);
    connect(buildLog_, &BuildLogView::placeClicked, this, &KernelPanel::showPlace);
    connect(assembly_, &AssemblyView::placeClicked, this, &KernelPanel::showPlace);
    connect(source_, &ResolvedView::placeChanged, assembly_,
            [this] { assembly_->markPlace(source_->place()); });
    connect(userKernels_, &UserKernels::copyWanted, this, &KernelPanel::editCopy);
    connect(userKernels_, &UserKernels::placeWanted, this, &KernelPanel::showPlace);
    connect(userKernels_, &UserKernels::opened, this, &KernelPanel::chooseEdited);
    connect(userKernels_, &UserKernels::faultChanged, this, &KernelPanel::showVariant);
    // Also the one that is open already.
    connect(&userKernels_->list(), &UserKernelList::chosen, this, &KernelPanel::chooseEdited);
    connect(userKernels_, &UserKernels::buildFailed, this, [this](const QString& id, const Error& error) {
        const RunRow* const before = newestRun(id);
        failed_ = FailedBuild{id, userKernels_->triedText(), error, before ? before->run : nullptr};
        showRun();
    });
    showVariant();
}

QWidget* KernelPanel::makeSource() {
    where_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    otherSource_->hide();
    unsaved_->setObjectName(QStringLiteral("unsavedSource"));
    unsaved_->hide();
    const auto button = [this](const QString& text, const QString& tip, bool fold) {
        auto* made = new QToolButton;
        made->setText(text);
        made->setToolTip(tip);
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, [this, fold] { source_->setFolded(fold); });
        return made;
    };
    auto* fold = button(tr("Fold includes"), tr("Hide the lines of included files"), true);
    auto* unfold = button(tr("Unfold"), tr("Show the lines of included files in place"), false);
    return boxed(inRows({inColumns({{where_, 1}, unsaved_, otherSource_, fold, unfold}, 12, {8, 2, 8, 2}),
                         {source_, 1},
                         new FindBar(*source_)},
                        0));
}

QWidget* KernelPanel::makeDifference() {
    others_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    unsavedSides_->setObjectName(QStringLiteral("unsavedSides"));
    unsavedSides_->hide();
    auto* before = new QLabel(tr("Compare"));
    auto* after = new QLabel(tr("(left) with the chosen variant (right)"));
    return boxed(inRows({inColumns({before, others_, after, Cell::space(), unsavedSides_}, 8, {8, 4, 8, 0}),
                         {difference_, 1}},
                        0));
}

void KernelPanel::setCatalogue(const wire::Catalogue& catalogue) {
    catalogue_ = catalogue;
    fillVariants();
}

void KernelPanel::setAnalysis(const QString& analysis, std::optional<std::size_t> device) {
    if (analysis == analysis_ && device == device_) return;
    if (analysis != analysis_) {
        // Nothing of the other analysis is awaited.
        const QSignalBlocker quiet(variants_);
        variants_->clear();
        awaited_.clear();
    }
    analysis_ = analysis;
    device_ = device;
    fillVariants();
}

const DeviceInfo* KernelPanel::device() const {
    return device_ && *device_ < catalogue_.devices.size() ? &catalogue_.devices[*device_] : nullptr;
}

void KernelPanel::fillVariants() {
    const QString before = variant(), other = others_->currentData().toString();
    known_.clear();
    const auto found = catalogue_.offers.find(analysis_.toStdString());
    if (device() && found != catalogue_.offers.end())
        for (const Offer& offer : found->second[*device_])
            if (std::string text = catalogue_.text_of(offer.variant); !text.empty()) {
                known_.push_back(offer.variant);
                known_.back().source = std::move(text);
            }
    {
        const QSignalBlocker quiet(variants_), quietOther(others_);
        for (QComboBox* box : {variants_, others_}) {
            box->clear();
            for (const Variant& one : known_)
                box->addItem(QString::fromStdString(one.id), QString::fromStdString(one.id));
        }
        const QString chosen = variants_->findData(awaited_) >= 0 ? awaited_ : before;
        const int at = variants_->findData(chosen);
        if (chosen == awaited_) awaited_.clear();
        // If a user's kernel was only temporarily refused, it is chosen again once it is fixed.
        if (at < 0 && awaited_.isEmpty()) awaited_ = chosen;
        // The edited kernel is not replaced by another one.
        const bool isEdited = !awaited_.isEmpty() && awaited_ == userKernels_->id();
        variants_->setCurrentIndex(isEdited ? -1 : std::max(0, at));
        others_->setCurrentIndex(others_->findData(other));
    }
    const bool hasKernels = device() && !DeviceId(*device()).is_host();
    userKernels_->setDevice(hasKernels ? QString::fromStdString(DeviceId(*device()).text()) : QString());
    userKernels_->setAnalysis(analysis_, known_, catalogue_.kernel_files);
    showVariant();
    if (variant() != before) emit variantChanged(variant());
}

QString KernelPanel::variant() const {
    return variants_->currentData().toString();
}

bool KernelPanel::setVariant(const QString& id) {
    const int at = variants_->findData(id);
    if (at >= 0) variants_->setCurrentIndex(at);
    return at >= 0;
}

// A copy becomes a variant once the worker has reported it.
bool KernelPanel::chooseEdited() {
    const QString id = userKernels_->id();
    if (id.isEmpty()) return false;
    if (setVariant(id)) return true;
    const bool another = variants_->currentIndex() >= 0;
    awaited_ = id;
    {
        // Without a placeholder, the box would choose its first row.
        const QSignalBlocker quiet(variants_);
        variants_->setPlaceholderText(id);
        variants_->setCurrentIndex(-1);
    }
    showVariant();
    if (another) emit variantChanged(variant());
    return true;
}

const Variant* KernelPanel::find(const QString& id) const {
    const auto found = std::ranges::find(known_, id.toStdString(), &Variant::id);
    return found == known_.end() ? nullptr : &*found;
}

bool KernelPanel::isUnsaved(const Variant* variant) const {
    return variant && variant->from_user() &&
           userKernels_->unsavedText(QString::fromStdString(variant->user_file));
}

ResolvedSource KernelPanel::resolved(const Variant& variant, const std::string& inserted) const {
    const auto behind = [&](const std::string& file, const std::string& text) {
        return resolve_source(file, text_behind(inserted, file, text), catalogue_.kernel_files);
    };
    if (!variant.from_user()) return behind(variant.source_file, variant.source);
    const std::optional<std::string> unsaved =
        userKernels_->unsavedText(QString::fromStdString(variant.user_file));
    return behind(variant.user_file, unsaved.value_or(variant.source));
}

ResolvedSource KernelPanel::asCompiled(const Variant& variant) const {
    const RunRow* const newest = newestRun(QString::fromStdString(variant.id));
    if (!newest) return resolved(variant);
    const std::string& file = variant.from_user() ? variant.user_file : variant.source_file;
    ResolvedSource source = resolved(variant, inserted_before(file, *newest->run));
    const std::string before = name_of_text_before(file);
    for (SourceLine& line : source.lines)
        if (line.place.file == before) line.depth = 1;
    return source;
}

void KernelPanel::chooseOther() {
    const Variant* const shown = find(variant());
    const QString other = others_->currentData().toString();
    // Comparing a text with itself is pointless.
    if (!shown || (otherByHand_ && !other.isEmpty() && other != variant())) return;
    const auto rank = [shown](const Variant& one) {
        return one.id == shown->id ? 3 : one.id == shown->base ? 0 : one.baseline ? 1 : 2;
    };
    const auto best = std::ranges::min_element(known_, {}, rank);
    const QSignalBlocker quiet(others_);
    others_->setCurrentIndex(static_cast<int>(best - known_.begin()));
}

QString KernelPanel::whyNone() const {
    const QString fault = userKernels_->fault();
    return awaited_.isEmpty() ? tr("Waiting for the kernels of the device")
           : fault.isEmpty()  ? tr("Reading %1").arg(awaited_)
                              : tr("%1 cannot be run: %2").arg(awaited_, fault);
}

void KernelPanel::showVariant() {
    const Variant* const shown = find(variant());
    variants_->setPlaceholderText(awaited_);
    if (!shown) story_->setText(whyNone());
    showSource();
    chooseOther();
    showDifference();
    showRun();
    userKernels_->setShown(variant().isEmpty() ? awaited_ : variant());
    userKernels_->list().setCopied(shown ? variant() : copiedMeanwhile());
    if (userKernels_->id().isEmpty()) openChosen();
}

void KernelPanel::openChosen() {
    const Variant* const shown = find(variant());
    if (!shown || !shown->from_user()) return;
    // It may just have been removed.
    if (const QString file = QString::fromStdString(shown->user_file); QFileInfo::exists(file))
        userKernels_->openFile(file);
}

void KernelPanel::showSource() {
    const Variant* const shown = find(variant());
    ResolvedSource source = shown ? asCompiled(*shown) : ResolvedSource();
    shownSource_ = source.text();
    source_->setSource(std::move(source));
    source_->setPlaceholderText(shown ? QString() : whyNone());
    unsaved_->setVisible(isUnsaved(shown));
    unsaved_->setText(tr("The edited text, which is not saved"));
}

void KernelPanel::showDifference() {
    const Variant *const left = find(others_->currentData().toString()), *const right = find(variant());
    if (left && right)
        difference_->setSources(resolved(*left), resolved(*right));
    else
        difference_->setNothing(whyNone());
    const bool isLeft = right && isUnsaved(left), isRight = isUnsaved(right);
    unsavedSides_->setVisible(isLeft || isRight);
    unsavedSides_->setText(isLeft && isRight ? tr("Both: the edited texts, which are not saved")
                           : isLeft          ? tr("Left: the edited text, which is not saved")
                                             : tr("Right: the edited text, which is not saved"));
}

bool KernelPanel::isAnotherText() const {
    const Variant* const shown = find(variant());
    return (shown ? asCompiled(*shown).text() : std::string()) != shownSource_;
}

void KernelPanel::showTexts() {
    const Variant* shown = find(variant());
    if (tabs_->currentIndex() == static_cast<int>(Tab::edit)) {
        // Its file may not have been there, or the folder not known, when it was chosen.
        if (userKernels_->id().isEmpty()) openChosen();
        // The window may have been shown again with the page's variant: F7 and the Lab have the edited one.
        chooseEdited();
        shown = find(variant());
    }
    if (isAnotherText() || unsaved_->isHidden() == isUnsaved(shown)) showSource();
    if (tabs_->currentIndex() == static_cast<int>(Tab::difference)) showDifference();
}

void KernelPanel::setRuns(const std::vector<RunRow>& runs) {
    runs_ = runs;
    if (isAnotherText()) showSource();
    showRun();
}

const RunRow* KernelPanel::newestRun(const QString& variant) const {
    const std::string analysis = analysis_.toStdString(), id = variant.toStdString();
    const auto found = std::ranges::find_if(runs_, [&](const RunRow& row) {
        return row.run->request.analysis == analysis && row.run->variant.id == id;
    });
    return found == runs_.end() ? nullptr : &*found;
}

void KernelPanel::showRun() {
    const RunRow* const found = newestRun(variant());
    if (const Variant* const shown = find(variant())) story_->setText(storyOf(*shown, found));
    if (failed_ && failed_->variant == variant() && failed_->before == (found ? found->run : nullptr))
        return showFailedBuild();
    const Variant* const shown = find(variant());
    const bool isOther = found && shown && !found->run->request.kernel_source.empty() &&
                         found->run->request.kernel_source != shown->source;
    otherSource_->setVisible(isOther);
    if (isOther) otherSource_->setText(tr("Run %1 used a different source").arg(found->number));
    if (found && run_ && run_->run == found->run) return;
    run_ = found ? std::optional(*found) : std::nullopt;
    if (!run_) {
        buildLog_->setBuilds({}, {}, {});
        resources_->setBuilds({}, {}, {}, {});
        assembly_->setPrograms({});
        showPrinted({});
        return;
    }
    const Run& run = *run_->run;
    showPrinted(run.printed);
    buildLog_->setBuilds(titleOf(*run_), run.builds,
                         [this, &run](const BuildLog& build, const CompilerMessage& message) {
                             return placeOf(run, build, message);
                         });
    std::vector<AssemblyProgram> programs;
    // Code from a file that nobody has approved is not compiled, not even for viewing.
    const auto known = [&](const BuildLog& build) {
        return run.request.from_file.empty() ||
               (is_known_code(run.request.kernel_source, catalogue_.kernel_files) && build.inserted.empty());
    };
    for (const BuildLog& build : run.builds)
        if (std::optional<ResolvedSource> source = source_of_build(run, build, catalogue_.kernel_files);
            known(build) && source)
            programs.push_back(
                {{run.request.device, build.source_file, source->text(), build.options}, std::move(*source)});
    assembly_->setPrograms(std::move(programs));
    const auto same_device = [&](const DeviceInfo& one) {
        return one.name == run.device.name && one.driver == run.device.driver;
    };
    const auto at = std::ranges::find_if(catalogue_.devices, same_device);
    std::optional<ComputeUnitLimits> limits;
    if (at != catalogue_.devices.end())
        limits = compute_unit_limits(
            catalogue_.properties[static_cast<std::size_t>(at - catalogue_.devices.begin())]);
    resources_->setBuilds(titleOf(*run_), run.builds, run.device, limits);
}

void KernelPanel::showPrinted(const Printed& printed) {
    printed_->setPlainText(QString::fromStdString(printable_lines(printed.text())));
    tabs_->setTabVisible(static_cast<int>(Tab::printed), !printed.empty());
}

void KernelPanel::showFailedBuild() {
    run_.reset();
    showPrinted({});
    const Error& error = failed_->error;
    BuildLog build;
    build.source_file = error.where();
    build.log = error.details();
    build.ok = false;
    buildLog_->setBuilds(
        tr("%1, which does not build").arg(failed_->variant), {build},
        [this, source = resolve_source(error.where(), failed_->text, catalogue_.kernel_files)](
            const BuildLog&, const CompilerMessage& said) {
            return place_of(said, source, catalogue_.kernel_files);
        });
    resources_->setBuilds({}, {}, {}, {});
    assembly_->setPrograms({});
}

std::optional<SourcePlace> KernelPanel::placeOf(const Run& run, const BuildLog& build,
                                                const CompilerMessage& message) const {
    if (!message.line) return std::nullopt;
    if (catalogue_.kernel_files.contains(message.file) || message.file == run.variant.user_file)
        return SourcePlace{message.file, *message.line};
    // Line numbers are valid only for the text that was built.
    const std::optional<ResolvedSource> source = source_of_build(run, build, catalogue_.kernel_files);
    return source ? source->place_of(message) : std::nullopt;
}

void KernelPanel::showWhere() {
    const SourcePlace place = source_->place();
    where_->setText(place.file.empty()
                        ? QString()
                        : QStringLiteral("%1:%2").arg(QString::fromStdString(place.file)).arg(place.line));
}

void KernelPanel::editCopy() {
    Variant of;
    if (const Variant* const shown = find(variant())) {
        of = *shown;
    } else if (const QString id = copiedMeanwhile(); !id.isEmpty()) {
        of.analysis = analysis_.toStdString();
        of.id = id.toStdString();
        of.user_file = userKernels_->file();
    } else {
        return;
    }
    if (!userKernels_->copy(of, userKernels_->list().freeName(of))) return;
    showTab(Tab::edit);
    userKernels_->editor().setFocus();  // its keys work at once
}

// The worker reports a kernel only after the run in progress.
QString KernelPanel::copiedMeanwhile() const {
    const bool isGood =
        !awaited_.isEmpty() && awaited_ == userKernels_->id() && userKernels_->fault().isEmpty();
    return isGood ? awaited_ : QString();
}

void KernelPanel::showTab(Tab tab) {
    tabs_->setCurrentIndex(static_cast<int>(tab));
}

bool KernelPanel::showPlace(const SourcePlace& place) {
    if (!source_->showPlace(place)) return false;
    showTab(Tab::source);
    source_->setFocus();
    return true;
}

}  // namespace ks::ui
