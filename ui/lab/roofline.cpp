#include "ui/lab/roofline.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "ui/base/palette.h"
#include "ui/lab/lab_tabs.h"

namespace ks::ui::lab {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
/// A ceiling is the median of samples that vary by a few percent.
constexpr double tolerance = 1.1;

struct RoofRow {
    const char* id;
    const char* name;
    bool memory;
    double counted;  ///< by the ceiling per operation of a kernel: 2 for a multiply-add
};
/// Ceilings that are roofs. Those of memory within a compute unit are not: bytes are counted at the device's
/// memory.
constexpr RoofRow roofRows[] = {
    {ceiling_ids::read, "device memory, read", true, 1},
    {ceiling_ids::fma_f16, "half multiply-add", false, 2},
    {ceiling_ids::fma_f32, "float multiply-add", false, 2},
    {ceiling_ids::fma_f64, "double multiply-add", false, 2},
    {ceiling_ids::mad_u32, "integer multiply-add", false, 2},
    {ceiling_ids::dot_u8, "dot products of bytes", false, 2},
    {ceiling_ids::matrix_tf32, "matrices, tf32", false, 2},
    {ceiling_ids::matrix_f16, "matrices, half", false, 2},
    {ceiling_ids::matrix_u8, "matrices, bytes", false, 2},
    {ceiling_ids::exp2, "2^x", false, 1},
    {ceiling_ids::rsqrt, "1/sqrt(x)", false, 1},
};

void compareWithRoofs(RoofPoint& point, const Rates& rates, const Ceilings& ceilings) {
    double fastest = 0, memory = 0;
    for (const Roof& roof : roofsOf(ceilings)) {
        double& most = roof.isMemory ? memory : fastest;
        most = std::max(most, roof.rate);
    }
    if (fastest > 0 && rates.operations > fastest * tolerance)
        point.aboveRoofs =
            QObject::tr(
                "%1 is more than the device's measured peak of %2: the kernel uses units that were not "
                "measured, or its operations are overcounted")
                .arg(formatSi(rates.operations, QObject::tr("op/s")), formatSi(fastest, QObject::tr("op/s")));
    if (memory > 0 && rates.bytes > memory * tolerance)
        point.aboveMemory =
            QObject::tr(
                "%1 is more than the device's memory rate of %2: caches serve the kernel, or its bytes are "
                "overcounted")
                .arg(formatSi(rates.bytes, QStringLiteral("B/s")), formatSi(memory, QStringLiteral("B/s")));
}

}  // namespace

std::vector<Roof> roofsOf(const Ceilings& ceilings) {
    std::vector<Roof> roofs;
    for (const RoofRow& row : roofRows)
        if (ceilings.find(row.id) != nullptr)
            roofs.push_back({QObject::tr(row.name), ceilings.median(row.id) / row.counted, row.memory});
    std::ranges::stable_sort(roofs, std::ranges::greater(), &Roof::rate);
    return roofs;
}

QString countsText(const QString& base) {
    return QObject::tr(
               "Operations and bytes are assumed equal to those of %1, because this kernel is launched in "
               "the same way; work that only this kernel does is not counted")
        .arg(base);
}

QString countsNote(const std::vector<RoofPoint>& points) {
    QStringList bases;
    std::map<QString, QStringList> kernels;
    for (const RoofPoint& one : points) {
        if (one.countsOf.isEmpty()) continue;
        if (!bases.contains(one.countsOf)) bases << one.countsOf;
        if (!kernels[one.countsOf].contains(one.name)) kernels[one.countsOf] << one.name;
    }
    if (bases.isEmpty()) return {};
    QStringList named;
    for (const QString& base : bases)
        named << (bases.size() == 1
                      ? base
                      : QObject::tr("%1 (%2)").arg(base, kernels[base].join(QStringLiteral(", "))));
    return QObject::tr("%1 Operations and bytes are assumed equal to those of %2.")
        .arg(countsMark, named.join(QStringLiteral(", ")));
}

Rates ratesOf(const BenchRow& row) {
    const BenchSample* sample = medianSample(row, &BenchSample::kernel);
    if (sample == nullptr || !(sample->kernel > 0)) return {none, none};
    const BenchWork work = work_of(*sample, row.variant.on_host());
    const double seconds = row.median(&BenchSample::kernel) * 1e-9;
    return {work.bytes > 0 ? work.bytes / seconds : none,
            work.operations > 0 ? work.operations / seconds : none};
}

std::vector<RoofPoint> roofPoints(const LabView& view, const std::vector<Ceilings>& ceilings,
                                  QStringList& leftOut) {
    const std::vector<Entry>& entries = view.here;
    std::vector<RoofPoint> points;
    std::vector<std::pair<QString, QStringList>> silent;  // what is unknown, and for which variants
    const bool several =
        std::ranges::any_of(entries, [&](const Entry& one) { return one.of != entries.front().of; });
    for (const Entry& entry : entries) {
        if (entry.row->samples.empty() || entry.onHost()) continue;
        const QString name = view.nameOf(entry);
        const Rates rates = ratesOf(*entry.row);
        if (std::isnan(rates.bytes) || std::isnan(rates.operations)) {
            const QString lacks = std::isnan(rates.bytes) && std::isnan(rates.operations)
                                      ? QObject::tr("operations and bytes not declared")
                                  : std::isnan(rates.bytes) ? QObject::tr("bytes not declared")
                                                            : QObject::tr("operations not declared");
            const QString of = several ? QObject::tr("%1 on %2").arg(lacks, entry.of->name()) : lacks;
            const auto known = std::ranges::find(silent, of, &std::pair<QString, QStringList>::first);
            if (known == silent.end())
                silent.emplace_back(of, QStringList(name));
            else if (!known->second.contains(name))
                known->second << name;
            continue;
        }
        RoofPoint point{name, entry.of->name(), view.colourOf(*entry.of), rates.operations / rates.bytes,
                        rates.operations};
        point.countsOf = QString::fromStdString(entry.row->variant.base);
        point.wrong = is_wrong(*entry.row);
        if (const Ceilings* known = find_ceilings(ceilings, entry.of->report.device))
            compareWithRoofs(point, rates, *known);
        points.push_back(std::move(point));
    }
    for (const auto& [lacks, names] : silent)
        leftOut << (names.size() == 1 ? QObject::tr("%1 (%2)").arg(names.front(), lacks)
                                      : QObject::tr("%1 (%2)").arg(names.join(QStringLiteral(", ")), lacks));
    return points;
}

}  // namespace ks::ui::lab
