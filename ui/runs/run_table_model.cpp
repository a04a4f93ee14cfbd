#include "ui/runs/run_table_model.h"

#include <QColor>
#include <QDateTime>
#include <QFileInfo>
#include <algorithm>
#include <set>
#include <utility>

#include "core/io/files/data_name.h"
#include "core/io/files/distinct_name.h"
#include "core/judge/questions.h"
#include "core/record/made_elsewhere.h"
#include "core/run/build_stage.h"
#include "core/run/errors/told_warnings.h"
#include "core/run/user/shown_variant.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/files/data_identity.h"
#include "ui/runs/device_titles.h"
#include "ui/runs/faster_text.h"
#include "ui/runs/parameter_text.h"
#include "ui/runs/request_files.h"
#include "ui/runs/run_source.h"
#include "ui/runs/same_inputs.h"
#include "ui/runs/user/text_faults.h"

namespace ks::ui {

bool isWrong(const RunRow& row) {
    return row.run->verdict.state == Verdict::State::fail;
}

QString runLabel(const RunRow& row) {
    const QString label = row.number <= 0 ? QObject::tr("preview") : QObject::tr("run %1").arg(row.number);
    return isWrong(row) ? QObject::tr("%1 (wrong)").arg(label) : label;
}

std::uint64_t computeNanoseconds(const Run& run) {
    const std::uint64_t kernels = total(run.timings, StageKind::kernel);
    return kernels > 0 ? kernels : total(run.timings, StageKind::host);
}

namespace {

/// Whether two runs of different files take their inputs from the same object of their own files: its name
/// does not say whether they are equal.
bool isSameObjectOfOwnFile(const Request& a, const Request& b, const std::string& data,
                           const std::string& role) {
    const auto nameOf = [](const Request& request, const std::string& of) -> std::optional<io::DataName> {
        const auto found = request.inputs.find(of);
        if (found == request.inputs.end() || found->second.values) return std::nullopt;
        return io::DataName::parse(found->second.name);
    };
    const auto dataOfA = nameOf(a, data), dataOfB = nameOf(b, data), inA = nameOf(a, role),
               inB = nameOf(b, role);
    return dataOfA && dataOfB && inA && inB && dataOfA->file != dataOfB->file && inA->file == dataOfA->file &&
           inB->file == dataOfB->file && inA->object == inB->object;
}

bool isOf(const RunRow& row, const QString& analysis) {
    return analysis.isEmpty() || QString::fromStdString(row.run->request.analysis) == analysis;
}

QString durationText(std::uint64_t nanoseconds) {
    return nanoseconds == 0 ? QStringLiteral("\u2013") : formatDuration(static_cast<double>(nanoseconds));
}

QString line(const QString& name, const QString& value) {
    return QStringLiteral("%1 = %2").arg(name, value);
}

/// "Tuned values that the run used: ITEMS = 32, WG = 16".
QString tunedText(const Run& run) {
    QStringList values;
    for (const auto& [name, value] : run.tuned)
        values << line(QString::fromStdString(name), QString::fromStdString(value));
    return RunTableModel::tr("Tuned values that the run used: %1").arg(values.join(QStringLiteral(", ")));
}

/// "Maximum delay = 100 frames"; of a parameter that is not known, its id and value.
/// @param info of the run's analysis; null: it is not known
QString parameterLine(const AnalysisInfo* info, const std::string& id, const ParameterValue& value) {
    if (info)
        if (const auto spec = std::ranges::find(info->parameters, id, &ParameterSpec::id);
            spec != info->parameters.end())
            return line(QString::fromStdString(spec->label), withUnit(*spec, value));
    return line(QString::fromStdString(id), QString::fromStdString(to_text(value)));
}

/// Results without a dataset in common are answers to different questions, such as a demonstration's.
bool haveCommonDataset(const Result& a, const Result& b) {
    if (a.datasets.empty() || b.datasets.empty()) return true;  // not kept
    return std::ranges::any_of(a.datasets, [&](const Dataset& one) { return b.find(one.name) != nullptr; });
}

/// Whether one of its programs was not in memory: the process had not run it before, and the first launch of
/// a kernel takes longer than the others.
bool isFirstOfItsKernels(const Run& run) {
    return std::ranges::any_of(run.builds, [](const BuildLog& one) { return one.cache != "memory"; });
}

/// Labels of the parameters with additional results that differ: computing them takes time.
QStringList additionsThatDiffer(const Request& a, const Request& b, const AnalysisInfo& info) {
    const auto given = [](const ParameterSet& set, const std::string& id) {
        const auto found = set.find(id);
        return found == set.end() ? std::optional<ParameterValue>() : std::optional(found->second);
    };
    QStringList labels;
    for (const ParameterSpec& spec : info.parameters)
        if (spec.adds_results && given(a.parameters, spec.id) != given(b.parameters, spec.id))
            labels << QString::fromStdString(spec.label);
    return labels;
}

/// Why the times of a run and a run of its baseline give no speed-up; empty: they give one.
/// @param info of their analysis; null: it is not known
QString whyNotCompared(const Run& run, const RunRow& baseline, const AnalysisInfo* info) {
    const Run& other = *baseline.run;
    // A wrong result may be fast because work was left out.
    if (run.verdict.state == Verdict::State::fail)
        return RunTableModel::tr("No speed-up: the result of this run is wrong");
    if (isWrong(baseline))
        return RunTableModel::tr("No speed-up: the result of the baseline, %1, is wrong")
            .arg(QString::fromStdString(other.variant.id));
    if (!haveCommonDataset(run.result, other.result))
        return RunTableModel::tr(
                   "No speed-up: the results of this run and of the baseline, %1, have no dataset in common")
            .arg(QString::fromStdString(other.variant.id));
    if (const QStringList differ =
            info ? additionsThatDiffer(run.request, other.request, *info) : QStringList();
        !differ.isEmpty())
        return RunTableModel::tr(
                   "No speed-up: this run and run %1 of the baseline, %2, have other additional "
                   "results (%3), which take time")
            .arg(baseline.number)
            .arg(QString::fromStdString(other.variant.id), differ.join(QStringLiteral(", ")));
    if (run.request.guarded != other.request.guarded)
        return RunTableModel::tr(
                   "No speed-up: only one of this run and run %1 of the baseline, %2, has guard "
                   "zones around its buffers")
            .arg(baseline.number)
            .arg(QString::fromStdString(other.variant.id));
    // Two first runs are no better: one kernel may take much longer to load and to warm up than the other.
    const bool isFirst = isFirstOfItsKernels(run), isOtherFirst = isFirstOfItsKernels(other);
    const QString baselineId = QString::fromStdString(other.variant.id);
    if (&run == &other) return {};
    if (isFirst && isOtherFirst)
        return RunTableModel::tr(
                   "No speed-up: this run and run %1 of the baseline, %2, are the first of their "
                   "kernels. Run both variants again")
            .arg(baseline.number)
            .arg(baselineId);
    if (isFirst)
        return RunTableModel::tr(
                   "No speed-up: this run is the first of its kernels, and run %1 of the "
                   "baseline, %2, is not. Run this variant again")
            .arg(baseline.number)
            .arg(baselineId);
    if (isOtherFirst)
        return RunTableModel::tr(
                   "No speed-up: run %1 of the baseline, %2, is the first of its kernels, and "
                   "this run is not. Run the baseline again")
            .arg(baseline.number)
            .arg(baselineId);
    return {};
}

/// Both runs used the same devices, definitions and text.
bool areRepeats(const Run& a, const Run& b) {
    return ranOn(a) == ranOn(b) && a.variant.id == b.variant.id && a.request.defines == b.request.defines &&
           a.tuned == b.tuned && a.request.kernel_source == b.request.kernel_source;
}

/// Nanoseconds. @param runs at least one
double medianCompute(const std::vector<const RunRow*>& runs) {
    std::vector<double> times;
    times.reserve(runs.size());
    for (const RunRow* one : runs) times.push_back(static_cast<double>(computeNanoseconds(*one->run)));
    std::ranges::sort(times);
    const std::size_t half = times.size() / 2;
    return times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
}

/// A line for the tips of times, or nothing.
QString fasterLine(const Run& run) {
    const QString faster = fasterText(run);
    return faster.isEmpty() ? faster : QLatin1Char('\n') + faster;
}

}  // namespace

int RunTableModel::rowOf(int number) const {
    const auto at = std::ranges::find(rows_, number, &RunRow::number);
    return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

const RunRow* RunTableModel::find(int number) const {
    const int row = rowOf(number);
    return row < 0 ? nullptr : &rows_[static_cast<std::size_t>(row)];
}

std::vector<RunRow> RunTableModel::ticked(const QString& analysis) const {
    std::vector<RunRow> some;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(some),
                 [&](const RunRow& r) { return r.ticked && isOf(r, analysis); });
    return some;
}

std::vector<std::string> RunTableModel::dataFiles() const {
    std::vector<std::string> files;
    if (!file_.isEmpty()) files.push_back(file_.toStdString());
    for (const RunRow& row : rows_)
        if (!row.files.isEmpty()) files.push_back(row.files.front().toStdString());
    return files;
}

QString RunTableModel::nameOf(const QString& file) const {
    // Called for each visible cell: only names that end alike are worth a copy.
    const QString leaf = file.section(QLatin1Char('/'), -1);
    std::vector<std::string> others;
    const auto add = [&](const QString& other) {
        if (other != file && other.endsWith(leaf)) others.push_back(other.toStdString());
    };
    add(file_);
    for (const RunRow& row : rows_)
        if (!row.files.isEmpty()) add(row.files.front());
    return QString::fromStdString(io::distinct_name(file.toStdString(), others));
}

QString RunTableModel::dataName(const RunRow& row) const {
    if (made_elsewhere(*row.run) && !row.run->files.empty())
        return QFileInfo(QString::fromStdString(row.run->files.front().file)).fileName();
    if (row.files.isEmpty()) return {};
    const QString name = nameOf(row.files.front());
    const std::string data = row.data.toStdString();
    const std::string object = data.substr(endOfFile(data));
    if (object.empty()) return name;
    const std::string file = resolvedFile(row.files.front().toStdString());
    const auto isOther = [&](const QString& otherFile, const QString& other) {
        return other != row.data && resolvedFile(otherFile.toStdString()) == file &&
               !isSameData(other.toStdString(), data);
    };
    const bool differs = (!data_.isEmpty() && isOther(file_, data_)) ||
                         std::ranges::any_of(rows_, [&isOther](const RunRow& other) {
                             return !other.files.isEmpty() && isOther(other.files.front(), other.data);
                         });
    return differs ? name + QString::fromStdString(object) : name;
}

const RunRow* RunTableModel::shownRun(const QString& analysis) const {
    const RunRow *ofFile = nullptr, *any = nullptr;
    for (const RunRow& row : rows_) {
        if (!row.ticked || !isOf(row, analysis)) continue;
        if (isOfContents(row)) return &row;
        if (!ofFile && isOfFile(row)) ofFile = &row;
        if (!any) any = &row;
    }
    return ofFile ? ofFile : any;
}

bool RunTableModel::readsFile(const RunRow& row) const {
    if (row.files.contains(file_)) return true;
    const std::string open = resolvedFile(file_.toStdString());
    return std::ranges::any_of(
               row.files,
               [&open](const QString& file) { return resolvedFile(file.toStdString()) == open; }) ||
           isRepeatOf(*row.run, data_.toStdString());
}

bool RunTableModel::isOfFile(const RunRow& row) const {
    return file_.isEmpty() || row.files.isEmpty() || readsFile(row);
}

bool RunTableModel::isOfContents(const RunRow& row) const {
    if (!isOfFile(row)) return false;
    if (file_.isEmpty() || !readsFile(row)) return true;
    const auto known = ofContents_.find(row.run);
    if (known != ofContents_.end()) return known->second;
    return ofContents_[row.run] = readContents(*row.run, record_, states_);
}

void RunTableModel::setFile(const QString& path, const FileRecord& record, const QString& name,
                            const FileStates& states) {
    const QString file = path.isEmpty() ? path : QFileInfo(path).absoluteFilePath();
    if (file == file_ && name == data_ && record == record_ && states == states_) return;
    file_ = file;
    data_ = name;
    record_ = record;
    states_ = states;
    ofContents_.clear();
    remark();
}

void RunTableModel::remark(const QList<int>& roles) {
    if (rows_.empty()) return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), roles);
}

const AnalysisInfo* RunTableModel::infoOf(const Run& run) const {
    if (!registry_) return nullptr;
    for (const Analysis& analysis : registry_->analyses())
        if (analysis.info().id == run.request.analysis) return &analysis.info();
    return nullptr;
}

QString RunTableModel::otherInput(const RunRow& row) const {
    const AnalysisInfo* info = infoOf(*row.run);
    const auto shown = std::ranges::find_if(rows_, [&](const RunRow& one) {
        return one.ticked && one.run->request.analysis == row.run->request.analysis && isOfContents(one);
    });
    if (!info || shown == rows_.end() || shown->number == row.number) return {};
    for (const InputSpec& spec : info->inputs) {
        const auto mine = row.inputs.find(spec.role), theirs = shown->inputs.find(spec.role);
        if (mine != row.inputs.end() && theirs != shown->inputs.end() && mine->second != theirs->second &&
            !isSameObjectOfOwnFile(row.run->request, shown->run->request, info->inputs.front().role,
                                   spec.role))
            return QString::fromStdString(spec.label).toLower();
    }
    return {};
}

void RunTableModel::numberInputs(RunRow& row) const {
    const AnalysisInfo* info = infoOf(*row.run);
    if (!info) return;
    for (std::size_t i = 1; i < info->inputs.size(); ++i) {
        const InputSpec& spec = info->inputs[i];
        if (spec.required && !row.run->request.inputs.contains(spec.role)) continue;
        const auto among = [&](const auto& same) {
            return std::ranges::find_if(rows_, [&](const RunRow& other) {
                return other.run->request.analysis == row.run->request.analysis &&
                       other.inputs.contains(spec.role) && same(other);
            });
        };
        // An input that both lack is the same, whatever is in their files; these may have a mask, however.
        const bool lacked =
            !row.run->request.inputs.contains(spec.role) && spec.role != io::mask_input().role;
        auto other = among([&](const RunRow& one) {
            return sameInput(one.run->request, row.run->request, spec.role) &&
                   sameInput(*one.run, *row.run, spec.role) && (lacked || sameContents(*one.run, *row.run));
        });
        if (other == rows_.end())
            other = among([&](const RunRow& one) {
                return sameInput(*one.run, *row.run, spec.role) && sameContents(*one.run, *row.run);
            });
        // A file that was replaced may have the same bins.
        if (other == rows_.end())
            other = among([&](const RunRow& one) { return sameByLabels(*one.run, *row.run, spec.role); });
        row.inputs[spec.role] = other == rows_.end() ? row.number : other->inputs.at(spec.role);
    }
}

// Read from a file, a run may hold anything: what cannot be told is left out.
void RunTableModel::describe(RunRow& row) const {
    const Run& run = *row.run;
    row.files = filesOf(run.request);
    for (const QString& file : std::as_const(row.files)) mentionFile(file.toStdString());
    row.data = row.files.isEmpty() ? QString() : dataOf(run.request, row.files.front());
    for (const auto& [name, value] : run.request.defines)
        row.changed << line(QString::fromStdString(name), QString::fromStdString(value));
    for (const auto& [name, value] : run.tuned)
        row.changed << tr("%1, tuned").arg(line(QString::fromStdString(name), QString::fromStdString(value)));
    const AnalysisInfo* info = infoOf(run);
    if (!info) return;
    try {
        const Analysis& analysis = registry_->analysis(info->id);
        row.setup = QString::fromStdString(analysis.setup_text(run));
        std::set<std::string> idle;
        for (const IdleParameter& one : analysis.idle(run.request)) idle.insert(one.id);
        QStringList parameters;
        for (const ParameterSpec& spec : info->parameters) {
            const auto value = run.request.parameters.find(spec.id);
            if (value == run.request.parameters.end() || idle.contains(spec.id)) continue;
            if (to_text(spec, value->second) != to_text(spec, spec.default_value))
                parameters << parameterLine(info, spec.id, value->second);
        }
        row.changed = parameters + row.changed;
    } catch (const std::exception&) {
    }
}

void RunTableModel::setAnalysis(const QString& id) {
    if (id == analysis_) return;
    analysis_ = id;
    remark({Qt::ForegroundRole, Qt::ToolTipRole});
    emit tickedChanged();
}

int RunTableModel::addRun(std::shared_ptr<const Run> run, bool alone, std::optional<int> number) {
    if (alone && !rows_.empty()) {
        for (RunRow& row : rows_)
            if (row.run->request.analysis == run->request.analysis) row.ticked = false;
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
    }
    RunRow added{number ? *number : reserveNumber(), judged(std::move(run)), true, false};
    const int own = added.number;
    describe(added);
    numberInputs(added);
    beginInsertRows({}, 0, 0);
    rows_.insert(rows_.begin(), std::move(added));
    endInsertRows();
    // A new baseline changes the speed-up of the others; so do its bins what "other bins" are.
    remark();
    emit tickedChanged();
    return own;
}

int RunTableModel::bringBack(std::shared_ptr<const Run> run, int number, bool ticked) {
    if (faults_) faults_->learn(*run);
    if (number < 1 || rowOf(number) >= 0) number = last_ + 1;
    last_ = std::max(last_, number);
    RunRow added{number, judged(std::move(run)), ticked, false};
    describe(added);
    numberInputs(added);
    const auto at =
        std::find_if(rows_.begin(), rows_.end(), [number](const RunRow& row) { return row.number < number; });
    const int place = static_cast<int>(at - rows_.begin());
    beginInsertRows({}, place, place);
    rows_.insert(at, std::move(added));
    endInsertRows();
    remark();
    if (ticked) emit tickedChanged();
    return number;
}

void RunTableModel::removeRun(int number) {
    const int row = rowOf(number);
    if (row < 0) return;
    beginRemoveRows({}, row, row);
    rows_.erase(rows_.begin() + row);
    endRemoveRows();
    remark();
    emit tickedChanged();
}

void RunTableModel::tickOnly(const QSet<int>& numbers) {
    bool changed = false;
    for (RunRow& row : rows_) {
        const bool ticked = numbers.contains(row.number);
        changed = changed || row.ticked != ticked;
        row.ticked = ticked;
    }
    if (!changed) return;
    remark();
    emit tickedChanged();
}

void RunTableModel::setTicked(int number, bool ticked) {
    const int row = rowOf(number);
    if (row >= 0) setData(index(row, NumberColumn), ticked ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
}

void RunTableModel::setChecking(int number, bool checking) {
    const int row = rowOf(number);
    if (row < 0) return;
    rows_[static_cast<std::size_t>(row)].checking = checking;
    emit dataChanged(index(row, VerdictColumn), index(row, VerdictColumn));
}

void RunTableModel::setTextFaults(TextFaults& faults) {
    faults_ = &faults;
    connect(&faults, &TextFaults::changed, this, [this] {
        for (const RunRow& row : std::vector(rows_))
            if (const Verdict verdict = faults_->judged(*row.run); verdict.state != row.run->verdict.state)
                setVerdict(row.number, verdict);
    });
}

std::shared_ptr<const Run> RunTableModel::judged(std::shared_ptr<const Run> run) const {
    if (!faults_ || !run) return run;
    const Verdict verdict = faults_->judged(*run);
    if (verdict.state == run->verdict.state) return run;
    auto made = std::make_shared<Run>(*run);
    made->verdict = verdict;
    return made;
}

std::shared_ptr<const Run> RunTableModel::judgedPreview(const std::shared_ptr<const Run>& preview) const {
    std::shared_ptr<const Run> known = judged(preview);
    if (!known || known->verdict.state == Verdict::State::fail) return known;
    const auto wrong = std::ranges::find_if(rows_, [&known](const RunRow& row) {
        return isWrong(row) && row.run->request.analysis == known->request.analysis &&
               areRepeats(*row.run, *known);
    });
    if (wrong == rows_.end()) return known;
    auto made = std::make_shared<Run>(*known);
    made->verdict.state = Verdict::State::fail;
    made->verdict.text = tr("run %1 of the same kernel is wrong: %2")
                             .arg(wrong->number)
                             .arg(QString::fromStdString(without_verdict(wrong->run->verdict.text)))
                             .toStdString();
    return made;
}

void RunTableModel::setVerdict(int number, const Verdict& verdict) {
    const int row = rowOf(number);
    if (row < 0) return;
    RunRow& entry = rows_[static_cast<std::size_t>(row)];
    const bool before = isWrong(entry);
    auto made = std::make_shared<Run>(*entry.run);
    made->verdict = verdict;
    if (faults_) made->verdict = faults_->judged(*made);
    entry.run = std::move(made);
    entry.checking = false;
    emit dataChanged(index(row, VariantColumn), index(row, ErrorColumn));
    // What shows it names it otherwise now.
    if (entry.ticked && isWrong(entry) != before) emit tickedChanged();
}

void RunTableModel::replaceRun(int number, std::shared_ptr<const Run> run) {
    const int row = rowOf(number);
    if (row < 0) return;
    RunRow& replaced = rows_[static_cast<std::size_t>(row)];
    const QStringList files = replaced.files;
    replaced.run = judged(std::move(run));
    replaced.changed.clear();
    describe(replaced);
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    if (files == replaced.files) return;
    remark();
    emit tickedChanged();
}

RunTableModel::Baselines RunTableModel::baselinesOf(const Run& run) const {
    const AnalysisInfo* const info = infoOf(run);
    const auto same = [&](const Request& request) {
        return info ? sameWork(request, run.request, *info) : sameInputs(request, run.request);
    };
    Baselines found;
    for (const RunRow& row : rows_) {
        // Only as it is shipped: another text or other definitions make it another kernel.
        const Request& request = row.run->request;
        const bool isBaseline =
            row.run->variant.baseline && request.kernel_source.empty() && request.defines.empty();
        if (!isBaseline || !same(row.run->request) || !sameContents(*row.run, run)) continue;
        const QString whyNot = whyNotCompared(run, row, info);
        if (whyNot.isEmpty() && (found.runs.empty() || areRepeats(*found.runs.front()->run, *row.run)))
            found.runs.push_back(&row);
        if (found.whyNone.isEmpty()) found.whyNone = whyNot;
    }
    if (!found.runs.empty())
        found.whyNone.clear();
    else if (found.whyNone.isEmpty())
        found.whyNone = tr("The baseline has not been run on the same inputs with the same parameters");
    return found;
}

std::optional<double> RunTableModel::speedUp(const Run& run) const {
    const std::uint64_t own = computeNanoseconds(run);
    const Baselines baselines = baselinesOf(run);
    if (own == 0 || baselines.runs.empty()) return std::nullopt;
    return medianCompute(baselines.runs) / static_cast<double>(own);
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString errorText(const Verdict& verdict) {
    if (verdict.state == Verdict::State::unchecked) return QStringLiteral("\u2013");
    if (verdict.where == wrong_accesses) return RunTableModel::tr("accesses");
    if (const std::optional<double> error = judged_error(verdict)) return QString::number(*error, 'e', 1);
    return verdict.state == Verdict::State::fail ? RunTableModel::tr("differs") : QStringLiteral("0");
}

QString RunTableModel::shownVariant(const Run& run) const {
    const bool isFormer = isFormerText_ && isFormerText_(run);
    return isFormer ? tr("%1, former text %2")
                          .arg(QString::fromStdString(run.variant.id),
                               QString::fromStdString(text_mark(run.request.kernel_source)))
                    : QString::fromStdString(shown_variant(run));
}

QString RunTableModel::text(const RunRow& row, int column) const {
    const Run& run = *row.run;
    const Verdict& verdict = run.verdict;
    switch (column) {
        case NumberColumn:
            return QString::number(row.number);
        case TimeColumn: {
            const QDateTime start = startOf(run);
            if (!start.isValid()) return QStringLiteral("\u2013");
            const bool today = start.date() == QDate::currentDate();
            return start.toString(today ? QStringLiteral("HH:mm:ss") : QStringLiteral("yyyy-MM-dd HH:mm"));
        }
        case AnalysisColumn:
            return QString::fromStdString(run.request.analysis);
        case DataColumn: {
            const QString name = dataName(row);
            if (name.isEmpty()) return QStringLiteral("\u2013");
            if (!isOfFile(row)) return tr("of %1").arg(name);
            return isOfContents(row) ? name : tr("%1 as it was at %2").arg(name, madeAt(*row.run));
        }
        case SetupColumn: {
            const QString other = otherInput(row);
            if (other.isEmpty()) return row.setup;
            const QString said = tr("other %1").arg(other);
            return row.setup.isEmpty() ? said : QStringLiteral("%1: %2").arg(said, row.setup);
        }
        case ChangedColumn:
            return row.changed.join(QStringLiteral(", "));
        case VariantColumn: {
            const QString id = shownVariant(run);
            const QString said = run.tuned.empty() ? id : tr("%1, tuned").arg(id);
            return isWrong(row) ? tr("wrong: %1").arg(said) : said;
        }
        case DeviceColumn:
            return run.devices.empty() ? QString::fromStdString(run.device.name)
                                       : tr("%1 devices").arg(static_cast<qulonglong>(run.devices.size()));
        case KernelColumn:
            return durationText(computeNanoseconds(run));
        case TotalColumn:
            return durationText(run.wall_nanoseconds);
        case SpeedUpColumn: {
            const auto factor = speedUp(run);
            if (!factor) return QStringLiteral("\u2013");
            return QString::number(*factor, 'g', *factor < 100 ? 3 : 4) + QStringLiteral(" \u00d7");
        }
        case ErrorColumn:
            return errorText(verdict);
        default:
            break;
    }
    if (row.checking) return tr("checking");
    switch (verdict.state) {
        case Verdict::State::pass:
            return tr("pass");
        case Verdict::State::fail:
            return tr("fail");
        case Verdict::State::sampled:
            return tr("pass (%1)").arg(counted(verdict.samples, tr("1 value"), tr("%1 values")));
        case Verdict::State::unchecked:
            break;
    }
    return tr("unchecked");
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const RunRow& row = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool number = (column >= KernelColumn && column <= SpeedUpColumn) || column == ErrorColumn;
    switch (role) {
        case Qt::DisplayRole:
            return text(row, column);
        case Qt::CheckStateRole:
            return column == NumberColumn ? QVariant(row.ticked ? Qt::Checked : Qt::Unchecked) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            return colour(row, column);
        case Qt::ToolTipRole:
            return tip(row, column);
        default:
            return {};
    }
}

QString RunTableModel::tip(const RunRow& row, int column) const {
    QStringList lines{ownTip(row, column)};
    for (const std::string& warning : told_warnings(*row.run))
        lines << tr("Warning: %1").arg(QString::fromStdString(warning));
    return lines.join('\n');
}

QString RunTableModel::ownTip(const RunRow& row, int column) const {
    if (column == VerdictColumn || column == ErrorColumn) {
        const Verdict& verdict = row.run->verdict;
        const QString where = QString::fromStdString(verdict.where);
        QString sentence = QString::fromStdString(verdict.text);
        if (sentence.isEmpty()) sentence = text(row, VerdictColumn);
        return where.isEmpty() ? sentence : sentence + '\n' + tr("Worst: %1").arg(where);
    }
    if (column == VariantColumn) {
        const QString said =
            QString::fromStdString(shown_kernel(*row.run) + "\n" + row.run->variant.description);
        QStringList lines{said};
        if (isFormerText_ && isFormerText_(*row.run))
            lines << tr("The text of this kernel has changed since this run");
        if (!row.run->tuned.empty()) lines << tunedText(*row.run);
        if (isWrong(row))
            lines << tr("Its result is wrong: %1")
                         .arg(QString::fromStdString(without_verdict(row.run->verdict.text)));
        return lines.join(QLatin1Char('\n'));
    }
    if (column == DeviceColumn) return ranOn(*row.run);
    if (column == KernelColumn)
        return tr("Time of the kernels; if the run has no kernels, time of its stages on the host") +
               fasterLine(*row.run);
    if (column == TotalColumn) {
        QString said = tr("Time from start to end, without the check");
        for (const Timing& stage : row.run->timings)
            if (stage.stage == build_stage)
                said += tr("; %1 of it was spent on building kernels").arg(durationText(stage.nanoseconds));
        return said + fasterLine(*row.run);
    }
    if (column == SpeedUpColumn) {
        const Baselines baselines = baselinesOf(*row.run);
        if (baselines.runs.empty()) return baselines.whyNone;
        QStringList numbers;
        for (const RunRow* one : baselines.runs) numbers.prepend(QString::number(one->number));
        const QString variant = QString::fromStdString(baselines.runs.front()->run->variant.id);
        if (numbers.size() == 1)
            return tr("Compute time of run %1 (%2) on the same inputs, divided by the compute time of this "
                      "run")
                .arg(numbers.front(), variant);
        return tr("Median compute time of runs %1 (%2) on the same inputs, divided by the compute time of "
                  "this "
                  "run")
            .arg(numbers.join(QStringLiteral(", ")), variant);
    }
    return wholeTip(row);
}

QString RunTableModel::wholeTip(const RunRow& row) const {
    const Run& run = *row.run;
    QStringList lines{tr("Run %1: %2 with %3 on %4")
                          .arg(row.number)
                          .arg(QString::fromStdString(run.request.analysis),
                               QString::fromStdString(shown_variant(run)), ranOn(run))};
    if (!isOf(row, analysis_)) lines << tr("Belongs to another analysis; the results are shown on its page");
    if (!isOfFile(row)) lines << tr("From a file other than the open one");
    if (isOfFile(row) && !isOfContents(row)) {
        // Which of both is the later one, no date says: a link may lead to another, older file by now.
        lines << tr("From the file as it was when the run was made; the window shows other contents of it");
    }
    if (const QString other = otherInput(row); !other.isEmpty())
        lines << tr("Not the same %1 as in the newest ticked run").arg(other);
    if (const QDateTime start = startOf(run); start.isValid())
        lines << tr("Run started at %1").arg(QLocale::system().toString(start, QLocale::ShortFormat));
    if (!row.setup.isEmpty()) lines << row.setup;
    for (const auto& [role, input] : run.request.inputs)
        lines << tr("%1: %2").arg(QString::fromStdString(role),
                                  input.name.empty() ? tr("drawn here") : QString::fromStdString(input.name));
    const AnalysisInfo* info = infoOf(run);
    for (const auto& [id, value] : run.request.parameters)
        if (!is_absent(value)) lines << parameterLine(info, id, value);
    for (const auto& [name, value] : run.request.defines)
        lines << line(QString::fromStdString(name), QString::fromStdString(value));
    if (!run.tuned.empty()) lines << tunedText(run);
    return lines.join('\n');
}

QVariant RunTableModel::colour(const RunRow& row, int column) const {
    const bool verdict = column == VerdictColumn || column == ErrorColumn || column == VariantColumn;
    if (verdict && row.run->verdict.state == Verdict::State::fail) return QColor(0xd5, 0x2b, 0x1e);
    // Middle grey can be read on both palettes.
    const bool same = isOf(row, analysis_) && isOfContents(row) && otherInput(row).isEmpty();
    return same ? QVariant() : QVariant(QColor(0x80, 0x80, 0x80));
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::CheckStateRole || index.column() != NumberColumn) return false;
    RunRow& row = rows_[static_cast<std::size_t>(index.row())];
    const bool ticked = value.toInt() == Qt::Checked;
    if (row.ticked == ticked) return true;
    row.ticked = ticked;
    remark();
    emit tickedChanged();
    return true;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    // in the order of Column
    constexpr const char* titles[ColumnCount] = {
        QT_TR_NOOP("#"),       QT_TR_NOOP("Analysis"),    QT_TR_NOOP("Variant"), QT_TR_NOOP("Kernel"),
        QT_TR_NOOP("Total"),   QT_TR_NOOP("vs baseline"), QT_TR_NOOP("Verdict"), QT_TR_NOOP("Set-up"),
        QT_TR_NOOP("Changed"), QT_TR_NOOP("Data"),        QT_TR_NOOP("Device"),  QT_TR_NOOP("Max error"),
        QT_TR_NOOP("Time")};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section >= 0 && section < ColumnCount ? QVariant(tr(titles[section])) : QVariant();
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == NumberColumn) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

}  // namespace ks::ui
