#include "ui/lab/lab_table_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/quantile.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/lab/roofline.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/general/measured_with.h"

namespace ks::ui::lab {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Meaning of the numbers of a column, which decides their text.
enum class Kind {
    words,
    size,
    rank,
    duration,
    ratio,
    bytesPerSecond,
    operationsPerSecond,
    percent,
    error,
    count
};

struct LabColumn {
    ColumnText text;
    Kind kind;
};

// In the order of LabTableModel::Column. Durations are nanoseconds in conditions and files.
constexpr std::array<LabColumn, LabTableModel::ColumnCount> labColumns{{
    {{"variant", "Variant", "", "The variant of the kernel"}, Kind::words},
    {{"device", "Device", "", "Device; for an opened report, with the date of the report"}, Kind::words},
    {{"tuned", "Tuned", "values",
      "Definitions taken from the table of tuned values. The Tune page and kernelscope-cli tune fill the "
      "table; its use can be turned off in the settings"},
     Kind::words},
    // Size columns; those in use get their own texts.
    {{"size_1", "Size", "", "A size that differs between the rows"}, Kind::size},
    {{"size_2", "Size", "", "A size that differs between the rows"}, Kind::size},
    {{"size_3", "Size", "", "A size that differs between the rows"}, Kind::size},
    {{"size_4", "Size", "", "A size that differs between the rows"}, Kind::size},
    {{"sizes", "Further", "sizes", "Other differences between the problems of the rows"}, Kind::words},
    {{"rank", "Rank", "",
      "Rank among all rows of the same problem that are not wrong; a range of ranks is a tie, since the "
      "order may be due to chance.\nTo tell two rows apart significantly, at least 8 repeats of each are "
      "needed (12 among six "
      "rows, 14 among ten)"},
     Kind::rank},
    {{"kernel_ns", "Kernels", "median",
      "Total time of the kernels; for host variants, total time of their stages"},
     Kind::duration},
    {{"kernel_low_ns", "Kernels", "lower quartile", "A quarter of the samples are shorter"}, Kind::duration},
    {{"kernel_high_ns", "Kernels", "upper quartile", "A quarter of the samples are longer"}, Kind::duration},
    {{"total_ns", "End to end", "median", "From the request to its result, without the check"},
     Kind::duration},
    {{"total_low_ns", "End to end", "lower quartile", "A quarter of the samples are shorter"},
     Kind::duration},
    {{"total_high_ns", "End to end", "upper quartile", "A quarter of the samples are longer"},
     Kind::duration},
    {{"speed_up", "Speed-up", "",
      "Kernel time of the baseline divided by that of this variant; for your kernel, its base takes the "
      "place of the baseline if the base was timed. None if one of the results is wrong"},
     Kind::ratio},
    {{"speed_up_low", "Speed-up", "from", "Lower end of the 99 % confidence interval"}, Kind::ratio},
    {{"speed_up_high", "Speed-up", "to", "Upper end of the 99 % confidence interval"}, Kind::ratio},
    {{"speed_up_against", "Speed-up", "relative to",
      "The variant whose kernel time is divided by that of this row"},
     Kind::words},
    {{"since", "Now / then", "opened",
      "Kernel time divided by that in the first opened report that has the row"},
     Kind::ratio},
    {{"since_low", "Now / then", "from", "Lower end of the 99 % confidence interval"}, Kind::ratio},
    {{"since_high", "Now / then", "to", "Upper end of the 99 % confidence interval"}, Kind::ratio},
    {{"since_text", "Now / then", "text",
      "Differences between the kernel's texts, now and in the opened report"},
     Kind::words},
    {{"verdict", "Check", "", "Comparison with the reference, or why the variant was not run"}, Kind::words},
    {{"where", "Worst at", "", "Where the result deviates most from the reference"}, Kind::words},
    {{"worst", "Worst", "relative",
      "Largest relative difference from the reference; \"differs\" if values must equal the reference, or if "
      "something else is wrong, which the column Check explains in its tool tip"},
     Kind::error},
    {{"bytes_per_second", "Memory", "B/s", "Memory traffic per second, as declared by the kernels"},
     Kind::bytesPerSecond},
    {{"operations_per_second", "Work", "op/s", "Operations per second, as declared by the kernels"},
     Kind::operationsPerSecond},
    {{"share", "Ceiling", "%", "Rate of the kernel as a share of the device's peak rate that limits it"},
     Kind::percent},
    {{"counts_of", "Counts", "of",
      "For your kernel: the variant that launches it, whose declared operations and bytes are used in the "
      "columns Memory, Work and Ceiling"},
     Kind::words},
    {{"upload_ns", "Upload", "median", "Transfers to the device"}, Kind::duration},
    {{"download_ns", "Download", "median", "Transfers from the device"}, Kind::duration},
    {{"host_ns", "Host", "median", "Host computations in addition to the kernels"}, Kind::duration},
    {{"read_ns", "Read", "median", "Reading and decoding of the input"}, Kind::duration},
    {{"build_ns", "Compiling", "first run",
      "Compilation time in the first run; none if everything was cached"},
     Kind::duration},
    {{"first_ns", "First run", "", "Time of the first run, including compilation and the first upload"},
     Kind::duration},
    {{"samples", "Samples", "", "Timed runs"}, Kind::count},
    {{"text", "Text", "", "For your kernel: the mark of the text that was timed"}, Kind::words},
    {{"problem", "Problem", "", "Sizes and parameters of the timed problem"}, Kind::words},
}};

std::vector<ColumnText> labTexts() {
    std::vector<ColumnText> texts;
    for (const LabColumn& one : labColumns) {
        texts.push_back(one.text);
        texts.back().words = one.kind == Kind::words;
    }
    return texts;
}

QString ratioText(double value) {
    // Three digits, including trailing zeros, so that 12.0 lines up with 13.2; larger numbers show all their
    // digits.
    const int before = value > 0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
    const QString text = QString::number(value, 'f', std::clamp(3 - before, 0, 6));
    // 9.996 has become 10.00.
    return before < 3 && text.toDouble() >= std::pow(10, before) ? QString::number(value, 'f', 2 - before)
                                                                 : text;
}

QString textOf(Kind kind, double value) {
    if (std::isnan(value)) return QStringLiteral("\u2013");
    switch (kind) {
        case Kind::duration:
            return formatDuration(value);
        case Kind::ratio:
            return ratioText(value) + QStringLiteral(" \u00d7");
        case Kind::bytesPerSecond:
            return formatSi(value, QStringLiteral("B/s"));
        case Kind::operationsPerSecond:
            return formatSi(value, QObject::tr("op/s"));
        case Kind::percent:
            return formatNumber(value, 3);
        case Kind::error:
            return QString::number(value, 'e', 1);
        case Kind::count:
            return QString::number(value, 'f', 0);
        case Kind::size:
            return formatNumber(value);
        case Kind::words:
        case Kind::rank:
            break;
    }
    return {};
}

QString verdictText(const BenchRow& row) {
    if (!row.not_run.empty()) return whyNotTimed(row, QString::fromStdString(row.not_run));
    // As in the tables of runs.
    if (row.verdict.state == Verdict::State::sampled)
        return QObject::tr("pass (%1)")
            .arg(counted(row.verdict.samples, QObject::tr("1 value"), QObject::tr("%1 values")));
    return QString::fromLatin1(name_of(row.verdict.state));
}

/// "ITEMS=32, WG=16"
QString definitionsText(const std::map<std::string, std::string>& definitions) {
    QStringList values;
    for (const auto& [name, value] : definitions)
        values << QString::fromStdString(name) + QLatin1Char('=') + QString::fromStdString(value);
    return values.join(QStringLiteral(", "));
}

/// Empty: the row used no tuned values.
QString tunedValues(const BenchRow& row) {
    return definitionsText(row.tuned);
}

/// Figures derived from the declared operations and bytes.
bool isCounted(int column) {
    return column >= LabTableModel::BytesColumn && column <= LabTableModel::CountsColumn;
}

QString tunedTip(const Entry& entry) {
    const QString& file = entry.of->file;
    const QString device = QString::fromStdString(entry.of->report.device.title());
    return file.isEmpty()
               ? QObject::tr("%1: from your table of tuned values, for %2")
                     .arg(tunedValues(*entry.row), device)
               : QObject::tr("%1: for %2, from the tuned values of the user who made the report %3")
                     .arg(tunedValues(*entry.row), device, file);
}

void putRatio(std::array<double, LabTableModel::ColumnCount>& numbers, std::size_t first,
              const RatioInterval& ratio) {
    numbers[first] = ratio.value;
    if (!ratio.known()) return;
    numbers[first + 1] = ratio.low;
    numbers[first + 2] = ratio.high;
}

LabTableModel::Numbers numbersOfOne(const Entry& entry) {
    LabTableModel::Numbers numbers;
    numbers.fill(unknown);
    const BenchRow& row = *entry.row;
    if (row.verdict.state != Verdict::State::unchecked)
        numbers[LabTableModel::WorstColumn] = row.verdict.worst_error.value_or(unknown);
    if (row.ceiling) numbers[LabTableModel::ShareColumn] = 100 * row.ceiling->share;
    numbers[LabTableModel::BuildColumn] = buildTime(row);
    if (row.first.total > 0) numbers[LabTableModel::FirstColumn] = row.first.total;
    numbers[LabTableModel::SamplesColumn] = static_cast<double>(row.samples.size());
    if (row.samples.empty()) return numbers;
    if (entry.rank.last > 0) numbers[LabTableModel::RankColumn] = static_cast<double>(entry.rank.first);
    const std::vector<double> kernel = row.times(&BenchSample::kernel),
                              total = row.times(&BenchSample::total);
    for (const auto& [column, times] :
         {std::pair(LabTableModel::KernelColumn, &kernel), std::pair(LabTableModel::TotalColumn, &total)}) {
        const auto at = static_cast<std::size_t>(column);
        numbers[at] = quantile(*times, 0.5);
        numbers[at + 1] = quantile(*times, 0.25);
        numbers[at + 2] = quantile(*times, 0.75);
    }
    numbers[LabTableModel::UploadColumn] = row.median(&BenchSample::upload);
    numbers[LabTableModel::DownloadColumn] = row.median(&BenchSample::download);
    numbers[LabTableModel::HostColumn] = row.median(&BenchSample::host);
    numbers[LabTableModel::ReadColumn] = row.median(&BenchSample::read);
    const Rates rates = ratesOf(row);
    numbers[LabTableModel::BytesColumn] = rates.bytes;
    numbers[LabTableModel::OperationsColumn] = rates.operations;
    return numbers;
}

/// The reference of a speed-up: for a user's kernel its base, if that was timed too.
const BenchRow* comparedWith(const Entry& entry) {
    if (entry.row->variant.from_user())
        for (const BenchRow& one : entry.point->rows)
            if (one.variant.id == entry.row->variant.base && !one.samples.empty()) return &one;
    return entry.point->baseline();
}

/// The row that the speed-up of this one is relative to; null: it has none.
const BenchRow* speedUpBase(const Entry& entry) {
    const BenchRow* const base = comparedWith(entry);
    const bool has =
        base && base != entry.row && !entry.row->samples.empty() && !is_wrong(*entry.row) && !is_wrong(*base);
    return has ? base : nullptr;
}

/// Why the baseline of an entry's problem, which was timed, is none; empty: it is one, or was not timed.
QString whyNoBaseline(const BenchPoint& point) {
    const BenchRow* const row = point.baseline_row();
    if (!row || row->samples.empty() || row->given.empty()) return {};
    return QObject::tr("No speed-up: %1 is no baseline, because it was timed with given definitions (%2)")
        .arg(QString::fromStdString(row->variant.id), definitionsText(row->given));
}

QString againstText(const Entry& entry) {
    const BenchRow* const base = speedUpBase(entry);
    return base ? QString::fromStdString(base->variant.id) : QString();
}

std::vector<std::string> namesOf(const ParameterSet& sizes) {
    std::vector<std::string> names;
    for (const auto& [name, value] : sizes) names.push_back(name);
    return names;
}

void addRatios(LabTableModel::Numbers& numbers, const Entry& entry, const ComparedList& all) {
    const BenchRow& row = *entry.row;
    if (row.samples.empty()) return;
    const std::vector<double> kernel = row.times(&BenchSample::kernel);
    if (const BenchRow* const base = speedUpBase(entry))
        putRatio(numbers, LabTableModel::RatioColumn,
                 ratio_of_medians(kernel, base->times(&BenchSample::kernel)));
    if (const BenchRow* const then = thenOf(entry, all))
        putRatio(numbers, LabTableModel::SinceColumn,
                 ratio_of_medians(then->times(&BenchSample::kernel), kernel, Taken::apart));
}

}  // namespace

LabTableModel::LabTableModel(QObject* parent) : OrderedTableModel(labTexts(), parent) {}

std::vector<LabTableModel::Numbers> LabTableModel::numbersOf(const std::vector<Entry>& entries) {
    std::vector<Numbers> numbers;
    numbers.reserve(entries.size());
    for (const Entry& entry : entries) numbers.push_back(numbersOfOne(entry));
    return numbers;
}

std::vector<LabTableModel::Numbers> LabTableModel::numbersOf(const std::vector<Entry>& entries,
                                                             const ComparedList& all) {
    std::vector<Numbers> numbers = numbersOf(entries);
    for (std::size_t i = 0; i < entries.size(); ++i) addRatios(numbers[i], entries[i], all);
    return numbers;
}

void LabTableModel::setEntries(std::vector<Entry> entries, std::vector<Numbers> numbers,
                               const std::vector<ParameterSpec>& specs) {
    beginResetModel();
    entries_ = std::move(entries);
    numbers_ = std::move(numbers);
    chooseSizes(specs);
    tuned_ = std::ranges::any_of(entries_, [](const Entry& entry) { return !entry.row->tuned.empty(); });
    countsOfBase_ =
        std::ranges::any_of(entries_, [](const Entry& entry) { return !entry.row->variant.base.empty(); });
    severalAgainst_ = std::ranges::any_of(
        entries_, [](const Entry& entry) { return comparedWith(entry) != entry.point->baseline(); });
    textsDiffered_ =
        std::ranges::any_of(entries_, [](const Entry& entry) { return entry.otherThen || entry.wrongThen; });
    texts_ = std::ranges::any_of(entries_, [](const Entry& entry) { return !entry.row->text_mark.empty(); });
    for (int column = FirstSizeColumn; column <= LastSizeColumn; ++column)
        for (std::size_t i = 0; i < entries_.size(); ++i)
            if (const Size* size = sizeOf(column))
                numbers_[i][static_cast<std::size_t>(column)] = sizeNumber(entries_[i], *size);
    // Words are sorted alphabetically.
    for (int column = 0; column < ColumnCount; ++column) {
        if (!isWords(column)) continue;
        std::map<QString, double> places;
        for (const Entry& entry : entries_) places.emplace(words(entry, column), 0);
        double place = 0;
        for (auto& one : places) one.second = ++place;
        for (std::size_t i = 0; i < entries_.size(); ++i)
            numbers_[i][static_cast<std::size_t>(column)] = places.at(words(entries_[i], column));
    }
    resetItems(entries_.size());
    endResetModel();
}

void LabTableModel::chooseSizes(const std::vector<ParameterSpec>& specs) {
    std::vector<BenchPoint> points;
    points.reserve(entries_.size());
    for (const Entry& entry : entries_) points.push_back({entry.point->sizes, {}});
    rest_ = varied_sizes(points);
    constexpr auto most = std::size_t{LastSizeColumn} - std::size_t{FirstSizeColumn} + 1;
    const auto count = std::min(rest_.size(), most);
    sizes_.clear();
    std::vector<ColumnText> texts = labTexts();
    for (std::size_t i = 0; i < count; ++i) {
        auto size = std::make_unique<Size>();
        size->id = size->key = size->name = rest_[i];
        const auto taken = [&](const LabColumn& one) { return size->key == one.text.key; };
        if (std::ranges::any_of(labColumns, taken)) size->key = "size_" + size->key;
        if (const auto spec = std::ranges::find(specs, size->id, &ParameterSpec::id); spec != specs.end()) {
            size->name = spec->label;
            size->unit = spec->unit;
        }
        size->about = "Differs between the rows; only rows with the same value are compared";
        const bool words = std::ranges::all_of(
            entries_, [&](const Entry& entry) { return std::isnan(sizeNumber(entry, *size)); });
        texts[FirstSizeColumn + i] = {size->key.c_str(), size->name.c_str(), size->unit.c_str(),
                                      size->about.c_str(), words};
        sizes_.push_back(std::move(size));
    }
    setColumns(std::move(texts));
    rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count));
    sameFrom_ = std::ranges::all_of(entries_, [this](const Entry& entry) {
        return entry.of->report.plan.from == entries_.front().of->report.plan.from;
    });
    further_ = !rest_.empty() || !sameFrom_;
}

const LabTableModel::Size* LabTableModel::sizeOf(int column) const {
    const auto at = static_cast<std::size_t>(column - FirstSizeColumn);
    return column < FirstSizeColumn || at >= sizes_.size() ? nullptr : sizes_[at].get();
}

double LabTableModel::sizeNumber(const Entry& entry, const Size& size) const {
    const auto found = entry.point->sizes.find(size.id);
    if (found == entry.point->sizes.end()) return unknown;
    if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&found->second)) return *real;
    return unknown;
}

std::vector<std::string> LabTableModel::csvKeys(int column) const {
    const bool isUnused =
        (column >= FirstSizeColumn && column <= LastSizeColumn && sizeOf(column) == nullptr) ||
        (column == SizesColumn && !further_) || (column == TunedColumn && !tuned_) ||
        (column == CountsColumn && !countsOfBase_) || (column == AgainstColumn && !severalAgainst_) ||
        (column == SinceTextColumn && !textsDiffered_) || (column == TextColumn && !texts_);
    if (isUnused) return {};
    return column == RankColumn ? std::vector<std::string>{"rank", "rank_last"}
                                : OrderedTableModel::csvKeys(column);
}

std::pair<double, double> LabTableModel::range(int item, int column) const {
    const Rank& rank = entries_[static_cast<std::size_t>(item)].rank;
    if (column != RankColumn || rank.last == 0) return OrderedTableModel::range(item, column);
    return {static_cast<double>(rank.first), static_cast<double>(rank.last)};
}

std::vector<int> LabTableModel::groups() const {
    std::vector<int> groups;
    groups.reserve(entries_.size());
    for (const Entry& entry : entries_) groups.push_back(static_cast<int>(entry.problem));
    return groups;
}

QString LabTableModel::furtherSizes(const Entry& entry) const {
    QStringList parts;
    if (const QString sizes = pointText(entry.point->sizes, rest_); !sizes.isEmpty()) parts << sizes;
    if (!sameFrom_) parts << tr("from %1").arg(QString::fromLatin1(name_of(entry.of->report.plan.from)));
    return parts.join(QStringLiteral(", "));
}

double LabTableModel::number(int item, int column) const {
    return numbers_[static_cast<std::size_t>(item)][static_cast<std::size_t>(column)];
}

QString LabTableModel::words(const Entry& entry, int column) const {
    switch (column) {
        case VariantColumn:
            return QString::fromStdString(entry.row->variant.id);
        case SourceColumn:
            return entry.of->nameWhere(*entry.row);
        case TunedColumn:
            return tunedValues(*entry.row);
        case SizesColumn:
            return furtherSizes(entry);
        case VerdictColumn:
            return verdictText(*entry.row);
        case WhereColumn:
            return is_wrong(*entry.row) || entry.row->verdict.worst_error > 0
                       ? QString::fromStdString(entry.row->verdict.where)
                       : QString();
        case CountsColumn:
            return QString::fromStdString(entry.row->variant.base);
        case AgainstColumn:
            return againstText(entry);
        case SinceTextColumn:
            return joinedTexts({entry.otherThen ? tr("differed") : QString(),
                                entry.wrongThen ? tr("result was wrong") : QString()},
                               QStringLiteral(", "));
        case TextColumn:
            return QString::fromStdString(entry.row->text_mark);
        case ProblemColumn:
            return pointText(entry.point->sizes, namesOf(entry.point->sizes));
        default:
            break;
    }
    const Size* size = sizeOf(column);
    const auto found = size ? entry.point->sizes.find(size->id) : entry.point->sizes.end();
    return found == entry.point->sizes.end() ? QString() : QString::fromStdString(to_text(found->second));
}

void LabTableModel::setPresentTexts(PresentTexts marks) {
    if (marks == presentTexts_) return;
    presentTexts_ = std::move(marks);
    if (rowCount({}) > 0) emit dataChanged(index(0, VariantColumn), index(rowCount({}) - 1, VerdictColumn));
}

bool LabTableModel::isOfFormerText(const Entry& entry) const {
    return lab::isOfFormerText(*entry.of, *entry.row, presentTexts_);
}

QString LabTableModel::text(int item, int column) const {
    const Entry& entry = entries_[static_cast<std::size_t>(item)];
    if (isWords(column)) return words(entry, column);
    if (column == RankColumn) return entry.rank.last == 0 ? QStringLiteral("\u2013") : rankText(entry.rank);
    if (column == WorstColumn) return errorText(entry.row->verdict);
    const double value = number(item, column);
    QString said = textOf(labColumns[static_cast<std::size_t>(column)].kind, value);
    if (column == SinceColumn && entry.otherThen && !std::isnan(value))
        said = tr("%1, text differed").arg(said);
    if (column == SinceColumn && entry.wrongThen && !std::isnan(value))
        said = tr("%1, result was wrong").arg(said);
    if (column == ShareColumn && entry.row->ceiling && entry.row->ceiling->cached)
        said = tr("%1, cache").arg(said);
    // A prefix, so that digits line up.
    return isCounted(column) && !entry.row->variant.base.empty() && !std::isnan(value)
               ? countsMark + QLatin1Char(' ') + said
               : said;
}

QVariant LabTableModel::data(const QModelIndex& index, int role) const {
    if (index.isValid()) {
        const Entry& entry = entries_[static_cast<std::size_t>(itemAt(index.row()))];
        const bool wrong = is_wrong(*entry.row) || entry.row->failed;
        // Files contain only the id of these rows.
        if (role == Qt::DisplayRole && index.column() == VariantColumn && !entry.row->text_mark.empty())
            return (isOfFormerText(entry) ? tr("%1, former text %2") : tr("%1, text %2"))
                .arg(QString::fromStdString(entry.row->variant.id),
                     QString::fromStdString(entry.row->text_mark));
        if (role == Qt::DisplayRole && index.column() == VerdictColumn && isOfFormerText(entry))
            return tr("%1 (former text)").arg(verdictText(*entry.row));
        if (role == Qt::ForegroundRole && wrong && index.column() == VerdictColumn)
            return isDark(QGuiApplication::palette()) ? QColor(0xff, 0x8a, 0x80) : QColor(0xb0, 0x10, 0x10);
        if (role == Qt::ForegroundRole && entry.row->samples.empty())
            return QGuiApplication::palette().color(QPalette::PlaceholderText);
        if (role == Qt::ToolTipRole && index.column() == SinceColumn && entry.wrongThen)
            return tr(
                "The result of this kernel was wrong in the opened report, so that time is of other work");
        if (role == Qt::ToolTipRole && index.column() == SinceColumn && entry.otherThen)
            return tr("The text of this kernel was different in the opened report");
        if (role == Qt::ToolTipRole && index.column() == SamplesColumn)
            if (const QString few = fewerRuns(entry); !few.isEmpty()) return few;
        if (role == Qt::ToolTipRole && index.column() == VerdictColumn)
            return entry.row->not_run.empty() ? QString::fromStdString(entry.row->verdict.text)
                                              : QString::fromStdString(entry.row->not_run);
        const QString counts = entry.row->variant.base.empty() || !isCounted(index.column())
                                   ? QString()
                                   : countsText(QString::fromStdString(entry.row->variant.base));
        if (role == Qt::ToolTipRole && index.column() == ShareColumn && entry.row->ceiling) {
            const QString ceiling = QString::fromStdString(entry.row->ceiling->text);
            return counts.isEmpty() ? ceiling : ceiling + QLatin1Char('\n') + counts;
        }
        if (role == Qt::ToolTipRole && !counts.isEmpty()) return counts;
        const bool isTuned = !entry.row->tuned.empty();
        if (role == Qt::ToolTipRole && index.column() == VariantColumn) {
            QString title = QString::fromStdString(entry.row->variant.title);
            if (const std::string& mark = entry.row->text_mark; !mark.empty())
                title += QLatin1Char('\n') + (isOfFormerText(entry)
                                                  ? tr("Text %1; the kernel's text has changed since")
                                                  : tr("Text %1"))
                                                 .arg(QString::fromStdString(mark));
            return isTuned ? title + QLatin1Char('\n') + tunedTip(entry) : title;
        }
        if (role == Qt::ToolTipRole && index.column() >= RatioColumn && index.column() <= RatioHighColumn) {
            const BenchRow* const base = comparedWith(entry);
            if (base && base != entry.row)
                return tr("compared with %1").arg(QString::fromStdString(base->variant.id));
            if (const QString why = base ? QString() : whyNoBaseline(*entry.point); !why.isEmpty())
                return why;
        }
        if (role == Qt::ToolTipRole && index.column() == TunedColumn)
            return isTuned ? tunedTip(entry) : QString();
        if (role == Qt::ToolTipRole && index.column() == SourceColumn) return entry.of->file;
    }
    return OrderedTableModel::data(index, role);
}

}  // namespace ks::ui::lab
