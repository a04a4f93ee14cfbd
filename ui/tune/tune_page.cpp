#include "ui/tune/tune_page.h"

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/utc_time.h"
#include "core/io/files/atomic_file.h"
#include "core/tune/tune_file.h"
#include "ui/base/elided_label.h"
#include "ui/base/layouts.h"
#include "ui/base/save_folders.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/base/wrapping_row.h"
#include "ui/shell/general/measured_with.h"
#include "ui/tune/kept_panel.h"
#include "ui/tune/kept_tuning.h"
#include "ui/tune/parallel_plot.h"
#include "ui/tune/ratio_map.h"
#include "ui/tune/tune_form.h"
#include "ui/tune/tune_table_model.h"

namespace ks::ui::tune {
namespace {

QStringList namesOf(const std::vector<DefineAxis>& axes) {
    QStringList names;
    for (const DefineAxis& axis : axes) names << axis.name;
    return names;
}

/// "Size 1024": the first size, and those that differ from their defaults.
QString sizesText(const AnalysisInfo& info, const ParameterSet& sizes) {
    QStringList parts;
    for (const ParameterSpec& spec : info.benchmark) {
        const auto given = sizes.find(spec.id);
        if (given == sizes.end()) continue;
        const QString value = valueText(spec, given->second);
        if (parts.isEmpty() || value != valueText(spec, spec.default_value))
            parts << QStringLiteral("%1 %2").arg(QString::fromStdString(spec.label), value);
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace

std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<TunePage>(context);
}

TunePage::TunePage(PageContext& context)
    : ToolPage(context),
      tuning_(new Tuning(this)),
      form_(new TuneForm(desk_->registry(), jobs_)),
      lines_(new ParallelPlot),
      map_(new RatioMap),
      result_(named(new QLabel, tr("Result"))),
      outdated_(named(new ElidedLabel, tr("Whether the result matches the current settings"))),
      keepButton_(new QPushButton(tr("&Keep"))),
      tablePlace_(boxed(inRows({}))),
      kept_(new KeptPanel(jobs_)),
      keptTuning_(new KeptTuning(jobs_, desk_->unkept(), this)) {
    makeActions();
    makeTable({});
    build(*form_, {tr("Tuning settings"),
                   tr("Configurations"),
                   makeResult(),
                   {{tr("Configurations"),
                     tr("One line per configuration, coloured by its time"),
                     lines_,
                     {{tr("Configurations"), lines_, QStringLiteral("configurations")}}},
                    {tr("Two definitions"),
                     tr("The best time for each pair of values of two definitions"),
                     map_,
                     {{tr("Two definitions"), map_, QStringLiteral("ratios")}}}},
                   {{tr("Table"), tablePlace_, false, tr("All configurations with their results")},
                    {tr("Kept values"), kept_, false,
                     tr("Values that runs use, listed by device and kind of problem")}}});
    connect(keptTuning_, &KeptTuning::failed, this, &Page::failed);
    connect(keptTuning_, &KeptTuning::found, this,
            [this](const std::vector<std::shared_ptr<const TuneReport>>& read) {
                for (const auto& one : read) {
                    Tuned& known = known_[subjectOf(*one)];
                    // A tuning that did not end lies next to the one before it.
                    if (!known.empty() && previous_.empty()) previous_ = known;
                    known = {one, one->best.has_value()};
                }
                if (running_ || report()) return;
                tuned_.setLast({read.back(), read.back()->best.has_value()});
                refresh();
            });
    followDesk();
    connect(form_, &TuneForm::changed, this, &TunePage::followForm);
    connect(form_, &TuneForm::resumeWanted, this, &TunePage::resume);
    connect(lines_, &ParallelPlot::picked, this, &TunePage::choose);
    connect(map_, &RatioMap::picked, this, &TunePage::choose);
    connect(lines_, &ParallelPlot::brushesChanged, this, &TunePage::showRows);
    connect(keepButton_, &QPushButton::clicked, this, &TunePage::keepBest);
    connect(kept_, &KeptPanel::failed, this, &Page::failed);
    connect(kept_, &KeptPanel::changed, this, &TunePage::showResult);
    describe(
        tr("Find values of a kernel's definitions that suit a device and a kind of problem: each "
           "configuration is run, checked and timed in alternation with the default."));
    refresh();
}

void TunePage::followDesk() {
    connect(desk_.get(), &Desk::keptFolderChanged, this, [this](const QString& folder) {
        keptTuning_->setFolder(folder);
        if (isVisible()) keptTuning_->want();
    });
    connect(tuning_, &Tuning::changed, this, &TunePage::setRunning);
    connect(tuning_, &Tuning::partDone, this, &TunePage::addPart);
    connect(tuning_, &Tuning::ready, this, [this](const TuneReport& report) {
        if (!tuned_.isArriving()) return;
        tuned_.arriving() = {std::make_shared<const TuneReport>(report), true};
        keptTuning_->write(this->report());
        refresh();
    });
}

QWidget* TunePage::makeResult() {
    result_->setWordWrap(true);
    result_->setObjectName(QStringLiteral("result"));
    result_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    result_->setSizePolicy(policy);
    outdated_->setObjectName(QStringLiteral("outdated"));
    outdated_->setContentsMargins(8, 0, 0, 0);
    auto* buttons = new WrappingRow({keepButton_}, 0);
    addButtons(*buttons, editActions());
    buttons->addWidget(
        outdated_);  // takes the rest of the line: nothing moves when there is something to say
    return boxed(inRows({result_, buttons}, 4, {8, 4, 8, 4}));
}

void TunePage::makeActions() {
    makeAction(QStringLiteral("openTuning"), tr("Open tuning..."),
               tr("Open a saved tuning; press Resume to continue it"), [this] { askOpen(); });
    saveAction_ =
        makeAction(QStringLiteral("saveTuning"), tr("Save tuning..."),
                   tr("Save the tried configurations in the format of `tune --json`"), [this] { askSave(); });
    previousAction_ = makeAction(QStringLiteral("previousTuning"), tr("Previous tuning"),
                                 tr("Show the tuning before the displayed one; press again to switch back"),
                                 [this] { showPrevious(); });
}

// The columns of a table depend on the defines.
void TunePage::makeTable(const std::vector<DefineAxis>& axes) {
    delete table_;
    delete model_;
    model_ = new TuneTableModel(axes, this);
    FilterNames names = filterNames(*model_, QStringLiteral("ratio < 0.9, time_ns < 1e6"));
    for (const Outcome one : {Outcome::timed, Outcome::failed, Outcome::wrong})
        names.words.push_back({QString::fromLatin1(one == Outcome::timed    ? "timed"
                                                   : one == Outcome::failed ? "failed"
                                                                            : "wrong"),
                               model_->column(TuneTableModel::OutcomeColumn), static_cast<double>(one)});
    table_ =
        new FilteredTable(*model_, std::move(names),
                          {tr("Configurations"), tr("configurations"),
                           tr("Conditions separated by commas; a row must meet all of them. Example: ratio < "
                              "0.9, WG >= 64, timed.\nThe tooltip of a column gives the name to use here."),
                           QStringLiteral("tuning"), tr("configuration")});
    tablePlace_->layout()->addWidget(table_);
    connect(table_, &FilteredTable::picked, this,
            [this](int item) { choose(static_cast<std::size_t>(item)); });
    connect(table_, &FilteredTable::failed, this, &Page::failed);
}

void TunePage::showEvent(QShowEvent* event) {
    kept_->refresh();
    keptTuning_->want();
    Page::showEvent(event);
}

KernelChoice TunePage::kernelChoice() const {
    const Variant* const chosen = form_->variant();
    return {QString::fromStdString(form_->info().id),
            chosen ? QString::fromStdString(chosen->id) : QString()};
}

void TunePage::start() {
    begin(nullptr);
}

void TunePage::resume() {
    if (report()) begin(std::make_shared<const TuneReport>(*report()));
}

// Only the counted space shows whether there is anything to try.
void TunePage::begin(std::shared_ptr<const TuneReport> before) {
    starts_ = nullptr;
    if (!form_->counted()) {
        starts_ = [this, before = std::move(before)] { begin(before); };
        return;
    }
    if (const QString lacking = missing(); !lacking.isEmpty())
        return refuse(Error(ErrorKind::input, lacking.toStdString()));
    try {
        const TunePlan plan = form_->plan();
        resumed_ = before != nullptr;
        desk_->tune(*tuning_, plan, std::move(before));
    } catch (const Error& error) {
        refuse(error);
    }
}

void TunePage::setRunning(bool running) {
    if (running) {
        isKept_ = false;
        tuned_.begin({resumed_ ? report() : nullptr});
    } else if (running_) {
        Tuned before = tuned_.last();
        if (report() == before.report)
            tuned_.drop();  // resumed, and stopped before anything was tried
        else
            tuned_.end();
        const bool lost = report() != before.report && (!resumed_ || (before.complete && !complete()));
        if (lost && !before.empty()) previous_ = std::move(before);
        remember();
    }
    running_ = running;
    refresh();
    form_->setRunning(running);  // followForm() describes what is shown
}

void TunePage::showPrevious() {
    if (running_ || previous_.empty()) return;
    const Tuned other = previous_;
    takeSettings(*other.report);
    display(other);
}

void TunePage::takeSettings(const TuneReport& of) {
    taking_ = true;
    form_->take(of.plan, of.device);
    taking_ = false;
}

void TunePage::display(const Tuned& other) {
    if (!tuned_.last().empty()) previous_ = tuned_.last();
    tuned_.setLast(other);
    remember();
    if (complete())
        keptTuning_->write(report());
    else
        keptTuning_->writePart(report());
    refresh();
}

void TunePage::remember() {
    const Tuned& last = tuned_.last();
    if (!last.empty()) known_[subjectOf(*last.report)] = last;
}

void TunePage::followForm() {
    if (starts_ && form_->counted()) std::exchange(starts_, nullptr)();
    if (const Variant* const variant = form_->variant()) {
        Subject now{form_->info().id, variant->id};
        const bool another = now != chosen_;
        chosen_ = std::move(now);
        const auto own = known_.find(chosen_);
        if (another && !taking_ && !running_ && own != known_.end() && own->second.report != report())
            return display(Tuned(own->second));
    }
    showResult();
    showResumable();
}

void TunePage::addPart(std::size_t first, const TuneReport& part) {
    if (!tuned_.isArriving()) return;
    auto now = std::make_shared<TuneReport>(part);
    if (const auto& known = report(); known && first <= known->rows.size()) {
        const auto end = known->rows.begin() + static_cast<std::ptrdiff_t>(first);
        now->rows.assign(known->rows.begin(), end);
        now->rows.insert(now->rows.end(), part.rows.begin(), part.rows.end());
    }
    tuned_.arriving().report = std::move(now);
    keptTuning_->writePart(report());
    refreshSoon();
}

void TunePage::refresh() {
    auto all = std::make_shared<Configurations>();
    if (report()) *all = configurationsOf(*report());
    shown_ = std::move(all);
    if (namesOf(shown_->axes) != model_->axes()) makeTable(shown_->axes);
    const QString empty =
        running_
            ? tr("Waiting for the first configurations")
            : tr("Tick values on the left and press Run (F5): every configuration appears here as a line");
    lines_->setEmptyText(empty);
    map_->setEmptyText(running_ ? empty : tr("Press Run (F5) to see the best time for each pair of values"));
    model_->setConfigurations(shown_);
    lines_->setConfigurations(shown_);  // showRows() follows
    map_->setConfigurations(shown_);
    showResult();
    showResumable();
}

void TunePage::showRows() {
    if (model_->items() != static_cast<int>(shown_->rows.size())) return;
    if (lines_->brushed())
        table_->setAccepted([this](int item) { return lines_->isLeft(static_cast<std::size_t>(item)); },
                            tr("No configuration matches the selection on the axes"));
    else
        table_->setAccepted({});
    table_->refresh(tr("Press Run (F5) to try configurations; results appear here"));
    if (lines_->marked()) table_->select(static_cast<int>(*lines_->marked()));
}

void TunePage::choose(std::size_t row) {
    lines_->mark(row);
    table_->select(static_cast<int>(row));
}

QString TunePage::bestText() const {
    if (!shown_->best) return {};
    return tr("best so far in the search: %1, with %2 \u00d7 the default's time")
        .arg(shown_->name(*shown_->best), ratioText(shown_->rows[*shown_->best].ratio));
}

QString TunePage::progressText() const {
    if (!report()) return running_ ? tr("Running the default configuration first") : tr("Nothing tried yet");
    const std::size_t wanted = std::min(report()->plan.budget, report()->valid);
    QStringList parts{tr("%1 of %2 tried").arg(report()->rows.size()).arg(wanted)};
    if (shown_->failed() > 0) parts << tr("%1 failed or wrong").arg(shown_->failed());
    if (const QString best = bestText(); !best.isEmpty()) parts << best;
    return (running_ ? QString() : tr("Stopped: ")) + parts.join(QStringLiteral(", "));
}

QString TunePage::resultText() const {
    if (!report() || !complete()) return progressText();
    if (!report()->best) return tr("Only the default could be timed");
    const RatioInterval& ratio = report()->ratio;
    // As many digits as distinguish the ends of the interval.
    const int digits = ratio.high - ratio.low < 0.02 ? 3 : 2;
    const auto text = [digits](double value) { return QString::number(value, 'f', digits); };
    if (const std::size_t needed = report()->runs_needed(); needed > 0)
        return tr("%1: %2 \u00d7 the default's time, not significant with fewer than %3 repeats")
            .arg(shown_->name(*report()->best), text(ratio.value))
            .arg(needed);
    const QString said =
        tr("%1: %2 \u00d7 the default's time (%3 to %4) in the final comparison")
            .arg(shown_->name(*report()->best), text(ratio.value), text(ratio.low), text(ratio.high));
    if (report()->surely_better()) return said;
    return report()->order() == Order::longer ? tr("%1: slower than the default").arg(said)
                                              : tr("%1: a tie with the default").arg(said);
}

QString TunePage::measuredOn() const {
    const QString device = QString::fromStdString(report()->device.name),
                  day = QString::fromStdString(report()->started).left(10);
    // The current run needs no date.
    return running_ || day.isEmpty() ? device : tr("%1, %2").arg(device, day);
}

QString TunePage::whyNotKept() const {
    if (!report()) return tr("nothing has been tuned yet");
    if (running_) return tr("the tuning is running");
    if (!complete())
        return tr(
            "the best configuration has not been compared with the default yet; press Resume to continue");
    if (const std::string why = why_not_kept(*report()); !why.empty()) return QString::fromStdString(why);
    return isKept_ ? tr("these values are already kept") : QString();
}

bool TunePage::hasFormerText() const {
    return isOldText(report()->plan.variant, report()->text_mark,
                     presentTexts(desk_->catalogue(), report()->plan.analysis));
}

QStringList TunePage::changedSince() const {
    QStringList changed;
    if (!report() || running_) return changed;
    const TunePlan& then = report()->plan;
    if (chosen_ == subjectOf(*report()) && form_->missing().isEmpty()) try {
            const TunePlan now = form_->plan();
            for (const ParameterSpec& spec : form_->info().benchmark) {
                const auto before = then.sizes.find(spec.id), next = now.sizes.find(spec.id);
                if (before != then.sizes.end() && next != now.sizes.end() && before->second != next->second)
                    changed << QString::fromStdString(spec.label);
            }
        } catch (const Error&) {
            // Run says what is wrong in the form.
        }
    if (hasFormerText()) changed << textChange(then.variant, presentTexts(desk_->catalogue(), then.analysis));
    return changed;
}

void TunePage::showResult() {
    const QStringList changed = changedSince();
    QFont font = this->font();
    font.setBold(complete() && !running_);
    result_->setFont(font);
    // The table may have changed: in another window, or by Forget.
    isKept_ = false;
    if (report() && complete() && why_not_kept(*report()).empty()) {
        const TunedRow wanted = tuned_row(*report(), {});
        for (const TunedRow& row : kept_->model().rows())
            isKept_ = isKept_ || (row.is_for_same(wanted) && row.defines == wanted.defines);
    }
    const bool isOutdated = report() && !changed.isEmpty();
    outdated_->setWhole(isOutdated ? tr("Outdated (%1)").arg(changed.join(QStringLiteral(", "))) : QString());
    const QString why = whyNotKept();
    const QString said = isKept_ ? tr("%1; kept").arg(resultText()) : resultText();
    if (report()) {
        const TunePlan& plan = report()->plan;
        const QString text =
            tr("%1, %2: %3, on %4")
                .arg(QString::fromStdString(plan.variant),
                     sizesText(desk_->registry()->analysis(plan.analysis).info(), plan.sizes), said,
                     measuredOn());
        result_->setText(text);
    } else {
        result_->setText(said);
    }
    keepButton_->setEnabled(why.isEmpty());
    keepButton_->setToolTip(why.isEmpty() ? tr("Use these values for similar runs from now on")
                                          : tr("Nothing to keep: %1").arg(why));
    saveAction_->setEnabled(report() != nullptr && !report()->rows.empty());
    previousAction_->setEnabled(!running_ && !previous_.empty());
}

void TunePage::showResumable() {
    if (!report() || report()->rows.empty())
        return form_->setResumable(false, tr("nothing has been tried yet"));
    QString other;
    const auto require = [&other](bool same, const QString& what) {
        if (!same && other.isEmpty()) other = what;
    };
    try {
        if (form_->missing().isEmpty()) {
            const TunePlan plan = form_->plan();
            require(plan.analysis == report()->plan.analysis, tr("analysis"));
            require(plan.variant == report()->plan.variant, tr("variant"));
            require(plan.sizes == report()->plan.sizes, tr("problem"));
            require(!hasFormerText(), tr("text of the kernel"));
            require(form_->device()->name == report()->device.name &&
                        form_->device()->driver == report()->device.driver,
                    tr("device or driver"));
        }
    } catch (const Error& error) {
        return form_->setResumable(false, QString::fromStdString(error.what()));
    }
    form_->setResumable(other.isEmpty(), tr("the earlier results are for a different %1").arg(other));
}

void TunePage::keepBest() {
    if (const QString why = whyNotKept(); !why.isEmpty())
        return emit failed(Error(ErrorKind::input, "nothing is kept: " + why.toStdString()));
    kept_->keep(tuned_row(*report(), utc_now()));
    drawer().raise(kept_);
}

void TunePage::saveTuning(const QString& path, bool overwrite) const {
    if (!report()) throw Error(ErrorKind::input, "there are no results to save");
    io::write_text(path.toStdString(), tune_json(*report()), overwrite);
}

void TunePage::askSave() {
    if (!report()) return;
    const QString leaf = QStringLiteral("tune_%1_%2.json")
                             .arg(QString::fromStdString(report()->plan.analysis),
                                  QString::fromStdString(report()->plan.variant));
    saveReportAs(tr("Save tuning"), savePath(this, reportFolder, leaf), tr("Tunings (*.json)"),
                 [this](const QString& path) { saveTuning(path, true); });  // the dialog has asked
}

void TunePage::askOpen() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open tuning"), folderOfReports(), tr("Tunings (*.json)"));
    if (path.isEmpty()) return;
    rememberSaved(this, reportFolder, path);
    openTuning(path);
}

void TunePage::openTuning(const QString& path) {
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("tuning"),
        [path = path.toStdString()] {
            std::optional<TuneReport> read = read_tuning(path);
            if (!read) throw Error(ErrorKind::input, "there is no such file", path);
            return std::make_shared<const TuneReport>(std::move(*read));
        },
        [this, path](const std::shared_ptr<const TuneReport>& read) {
            if (refused_) emit mended(*std::exchange(refused_, std::nullopt));
            if (running_)
                return emit failed(Error(ErrorKind::input, "a variant is being tuned", path.toStdString(),
                                         "open this file when the tuning has finished"));
            takeSettings(*read);
            display({read, read->best.has_value()});
            emit opened(path);
        },
        [this](const Error& error) {
            refused_ = error;
            emit failed(error);
        });
}

QString TunePage::leafOf() const {
    return report() ? QString::fromStdString(report()->plan.analysis) : QStringLiteral("tune");
}

}  // namespace ks::ui::tune
