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
#include "ui/base/layouts.h"
#include "ui/base/save_folders.h"
#include "ui/base/tables/filtered_table.h"
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
      keepButton_(new QPushButton(tr("&Keep"))),
      tablePlace_(boxed(inRows({}))),
      kept_(new KeptPanel(jobs_)),
      keptTuning_(new KeptTuning(jobs_, this)) {
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
    connect(keptTuning_, &KeptTuning::found, this, [this](const std::shared_ptr<const TuneReport>& read) {
        if (running_ || report_) return;
        report_ = read;
        complete_ = read->best.has_value();
        refresh();
    });
    followDesk();
    connect(form_, &TuneForm::changed, this, &TunePage::showResumable);
    connect(form_, &TuneForm::resumeWanted, this, &TunePage::resume);
    connect(lines_, &ParallelPlot::picked, this, &TunePage::choose);
    connect(map_, &RatioMap::picked, this, &TunePage::choose);
    connect(lines_, &ParallelPlot::brushesChanged, this, &TunePage::showRows);
    connect(keepButton_, &QPushButton::clicked, this, &TunePage::keepBest);
    connect(kept_, &KeptPanel::failed, this, &Page::failed);
    connect(kept_, &KeptPanel::changed, this, &TunePage::showResult);
    setWhatsThis(
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
        report_ = std::make_shared<const TuneReport>(report);
        keptTuning_->write(report_);
        complete_ = true;
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
    auto* line = inColumns({{result_, 1}, keepButton_}, {}, {8, 4, 8, 4});
    addButtons(*line, editActions());
    return boxed(line);
}

void TunePage::makeActions() {
    makeAction(QStringLiteral("openTuning"), tr("Open tuning..."),
               tr("Open a saved tuning; press Resume to continue it"), [this] { askOpen(); });
    saveAction_ =
        makeAction(QStringLiteral("saveTuning"), tr("Save tuning..."),
                   tr("Save the tried configurations in the format of `tune --json`"), [this] { askSave(); });
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
    if (report_) begin(std::make_shared<const TuneReport>(*report_));
}

void TunePage::begin(std::shared_ptr<const TuneReport> before) {
    if (!missing().isEmpty()) return;
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
        complete_ = isKept_ = false;
        if (!resumed_) report_.reset();
    }
    running_ = running;
    form_->setRunning(running);
    refresh();
}

void TunePage::addPart(std::size_t first, const TuneReport& part) {
    auto now = std::make_shared<TuneReport>(part);
    if (report_ && first <= report_->rows.size()) {
        const auto end = report_->rows.begin() + static_cast<std::ptrdiff_t>(first);
        now->rows.assign(report_->rows.begin(), end);
        now->rows.insert(now->rows.end(), part.rows.begin(), part.rows.end());
    }
    report_ = std::move(now);
    keptTuning_->write(report_);
    refreshSoon();
}

void TunePage::refresh() {
    auto all = std::make_shared<Configurations>();
    if (report_) *all = configurationsOf(*report_);
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
    return tr("best so far %1: %2 \u00d7 the default's time")
        .arg(shown_->name(*shown_->best), ratioText(shown_->rows[*shown_->best].ratio));
}

QString TunePage::progressText() const {
    if (!report_) return running_ ? tr("Running the default configuration first") : tr("Nothing tried yet");
    const std::size_t wanted = std::min(report_->plan.budget, report_->valid);
    QStringList parts{tr("%1 of %2 tried").arg(report_->rows.size()).arg(wanted)};
    if (shown_->failed() > 0) parts << tr("%1 failed or wrong").arg(shown_->failed());
    if (const QString best = bestText(); !best.isEmpty()) parts << best;
    return (running_ ? QString() : tr("Stopped: ")) + parts.join(QStringLiteral(", "));
}

QString TunePage::resultText() const {
    if (!report_ || !complete_) return progressText();
    if (!report_->best) return tr("Only the default could be timed");
    const RatioInterval& ratio = report_->ratio;
    // As many digits as distinguish the ends of the interval.
    const int digits = ratio.high - ratio.low < 0.02 ? 3 : 2;
    const auto text = [digits](double value) { return QString::number(value, 'f', digits); };
    if (const std::size_t needed = report_->runs_needed(); needed > 0)
        return tr("%1: %2 \u00d7 the default's time, not significant with fewer than %3 repeats")
            .arg(shown_->name(*report_->best), text(ratio.value))
            .arg(needed);
    const QString said =
        tr("%1: %2 \u00d7 the default's time (%3 to %4)")
            .arg(shown_->name(*report_->best), text(ratio.value), text(ratio.low), text(ratio.high));
    if (report_->surely_better()) return said;
    return report_->order() == Order::longer ? tr("%1: slower than the default").arg(said)
                                             : tr("%1: a tie with the default").arg(said);
}

QString TunePage::measuredOn() const {
    const QString device = QString::fromStdString(report_->device.name),
                  day = QString::fromStdString(report_->started).left(10);
    // The current run needs no date.
    return running_ || day.isEmpty() ? device : tr("%1, %2").arg(device, day);
}

QString TunePage::whyNotKept() const {
    if (!report_) return tr("nothing has been tuned yet");
    if (running_) return tr("the tuning is running");
    if (!complete_)
        return tr(
            "the best configuration has not been compared with the default yet; press Resume to continue");
    if (const std::string why = why_not_kept(*report_); !why.empty()) return QString::fromStdString(why);
    return isKept_ ? tr("these values are already kept") : QString();
}

void TunePage::showResult() {
    QFont font = this->font();
    font.setBold(complete_ && !running_);
    result_->setFont(font);
    // The table may have changed: in another window, or by Forget.
    isKept_ = false;
    if (report_ && complete_ && why_not_kept(*report_).empty()) {
        const TunedRow wanted = tuned_row(*report_, {});
        for (const TunedRow& row : kept_->model().rows())
            isKept_ = isKept_ || (row.is_for_same(wanted) && row.defines == wanted.defines);
    }
    const QString why = whyNotKept();
    const QString said = isKept_ ? tr("%1; kept").arg(resultText()) : resultText();
    result_->setText(
        report_ ? tr("%1: %2, on %3").arg(QString::fromStdString(report_->plan.variant), said, measuredOn())
                : said);
    keepButton_->setEnabled(why.isEmpty());
    keepButton_->setToolTip(why.isEmpty() ? tr("Use these values for similar runs from now on")
                                          : tr("Nothing to keep: %1").arg(why));
    saveAction_->setEnabled(report_ != nullptr && !report_->rows.empty());
}

void TunePage::showResumable() {
    if (!report_ || report_->rows.empty())
        return form_->setResumable(false, tr("nothing has been tried yet"));
    QString other;
    const auto require = [&other](bool same, const QString& what) {
        if (!same && other.isEmpty()) other = what;
    };
    try {
        if (form_->missing().isEmpty()) {
            const TunePlan plan = form_->plan();
            require(plan.analysis == report_->plan.analysis, tr("analysis"));
            require(plan.variant == report_->plan.variant, tr("variant"));
            require(plan.sizes == report_->plan.sizes, tr("problem"));
            require(form_->device()->name == report_->device.name &&
                        form_->device()->driver == report_->device.driver,
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
    kept_->keep(tuned_row(*report_, utc_now()));
    drawer().raise(kept_);
}

void TunePage::saveTuning(const QString& path, bool overwrite) const {
    if (!report_) throw Error(ErrorKind::input, "there are no results to save");
    io::write_text(path.toStdString(), tune_json(*report_), overwrite);
}

void TunePage::askSave() {
    if (!report_) return;
    const QString leaf = QStringLiteral("tune_%1_%2.json")
                             .arg(QString::fromStdString(report_->plan.analysis),
                                  QString::fromStdString(report_->plan.variant));
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
            if (running_)
                return emit failed(Error(ErrorKind::input, "a variant is being tuned", path.toStdString(),
                                         "open this file when the tuning has finished"));
            report_ = read;
            keptTuning_->write(read);
            complete_ = read->best.has_value();
            form_->take(read->plan, read->device);
            refresh();
            emit opened(path);
        });
}

QString TunePage::leafOf() const {
    return report_ ? QString::fromStdString(report_->plan.analysis) : QStringLiteral("tune");
}

}  // namespace ks::ui::tune
