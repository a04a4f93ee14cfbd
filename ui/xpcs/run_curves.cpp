#include "ui/xpcs/run_curves.h"

#include <QFileInfo>
#include <QObject>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "core/data/missing_value.h"
#include "core/io/files/data_name.h"
#include "core/io/files/file_record.h"
#include "core/record/made_elsewhere.h"
#include "core/run/user/shown_variant.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/pairs/static_bins.h"
#include "core/xpcs/problem.h"
#include "core/xpcs/repeats/same_bins.h"
#include "ui/base/palette.h"
#include "ui/runs/run_source.h"
#include "ui/runs/same_inputs.h"
#include "ui/xpcs/azimuth_text.h"

namespace ks::ui::xpcs {
namespace {

constexpr double sameQ = 1e-6;  ///< relative difference of q that is rounding

QVector<double> row(const std::vector<double>& values, std::size_t number, std::size_t length) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(number * length);
    return QVector<double>(from, from + static_cast<std::ptrdiff_t>(length));
}

/// No pixel is in one bin and in another bin of the other labels; true if one of them is not known.
bool agree(std::span<const std::int32_t> one, std::span<const std::int32_t> other) {
    if (one.empty() || other.empty()) return true;
    if (one.size() != other.size()) return false;
    for (std::size_t i = 0; i < one.size(); ++i)
        if (one[i] != other[i] && one[i] != 0 && other[i] != 0) return false;
    return true;
}

/// Whether the file that both name as this input, if it is one, had the same contents for both.
bool readSame(const Run& a, const Run& b, const std::string& role) {
    const auto read = [&role](const Run& run) -> const FileRecord* {
        const auto input = run.request.inputs.find(role);
        if (input == run.request.inputs.end() || input->second.values) return nullptr;
        const std::string file =
            absolutePath(QString::fromStdString(io::DataName::parse(input->second.name).file.string()));
        const auto found = std::ranges::find(run.files, file, &FileRecord::file);
        return found == run.files.end() ? nullptr : &*found;
    };
    const FileRecord *const one = read(a), *const other = read(b);
    return !one || !other || one->file != other->file || io::is_same_content(*one, *other);
}

/// Of other programs' results, only q is known of bins. Bins are from their own file or, as rings around the
/// beam, from that of the frames. Contents of other files, such as a dark field, make no other bins.
bool sameBins(const Run& a, const Run& b) {
    if (made_elsewhere(a) || made_elsewhere(b)) return ks::xpcs::has_same_q(a.result, b.result);
    return sameInput(a.request, b.request, "partition") && readSame(a, b, "partition") &&
           readSame(a, b, "frames") && agree(labelsOf(a), labelsOf(b));
}

/// Runs by what they were computed on, as positions of earlier ones in their order, or the own position.
struct Alike {
    explicit Alike(const std::vector<const RunRow*>& order) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Run& run = *order[i]->run;
            std::size_t same = i, bins = i;
            for (std::size_t j = 0; j < i && same == i; ++j)
                if (pixels[j] == j && sameLabels(*order[j]->run, run)) same = j;
            for (std::size_t j = 0; j < i && same == i && bins == i; ++j)
                if (pixels[j] == j && sameBins(*order[j]->run, run)) bins = basis[j];
            pixels.push_back(same);
            basis.push_back(same < i ? basis[same] : bins);
        }
    }

    std::vector<std::size_t> pixels;  ///< the first run with the same label of each pixel
    std::vector<std::size_t> basis;   ///< the first run on the same bins, whatever is masked
};

/// Runs on the same bins whose masks leave other pixels of them, as a legend names them.
QStringList otherMasksOf(const std::vector<const RunRow*>& order, const Alike& alike) {
    QStringList names;
    for (std::size_t i = 0; i < order.size(); ++i) {
        bool differs = false;
        for (std::size_t j = 0; j < order.size() && !differs; ++j)
            differs = alike.basis[i] == alike.basis[j] && alike.pixels[i] != alike.pixels[j] &&
                      !labelsOf(*order[i]->run).empty() && !labelsOf(*order[j]->run).empty() &&
                      !sameInput(*order[i]->run, *order[j]->run, "mask");
        if (differs) names << runLabel(*order[i]);
    }
    return names;
}

/// Marks the bins for which runs have another q: with another geometry it is not that of the first curve.
/// @param q of each curve; nothing: unknown
void markOtherQ(QVector<CurveSeries>& curves, const std::vector<std::optional<double>>& q) {
    std::map<int, std::vector<qsizetype>> byBin;
    for (qsizetype i = 0; i < curves.size(); ++i) byBin[curves[i].bin].push_back(i);
    for (const auto& bin : byBin) {
        const std::vector<qsizetype>& all = bin.second;
        const auto of = [&q](qsizetype i) { return q[static_cast<std::size_t>(i)]; };
        const auto differs = [&](qsizetype i) {
            const std::optional<double> first = of(all.front()), own = of(i);
            if (!first || !own) return first.has_value() != own.has_value();
            return std::abs(*first - *own) > sameQ * std::max(std::abs(*first), std::abs(*own));
        };
        if (std::ranges::none_of(all, differs)) continue;
        QStringList each;
        for (const qsizetype i : all)
            each << (of(i) ? QObject::tr("q %1 1/\u00c5 in %2").arg(formatNumber(*of(i), 6), curves[i].run)
                           : QObject::tr("q unknown in %1").arg(curves[i].run));
        for (const qsizetype i : all) {
            curves[i].ofAllRuns = QObject::tr("%1  q differs").arg(bin.first);
            curves[i].ofAllRunsInFull =
                QObject::tr("bin %1, %2").arg(bin.first).arg(each.join(QStringLiteral(", ")));
        }
    }
}

std::vector<double> doubles(const Run& run, const std::string& name) {
    const Dataset* found = run.result.find(name);
    return found ? found->values.to_doubles() : std::vector<double>{};
}

/// Azimuths of the bins in degrees if they tell bins apart; else empty.
std::vector<double> azimuths(const Run& run) {
    constexpr double alike = 10;  // degrees
    std::vector<double> phi = doubles(run, "phi");
    const auto first = std::ranges::find_if(phi, [](double one) { return std::isfinite(one); });
    const bool differ = std::ranges::any_of(phi, [&](double one) {
        return std::isfinite(one) && std::abs(std::remainder(one - *first, 360.0)) > alike;
    });
    if (!differ) phi.clear();
    return phi;
}

const std::string mapName = "two_time";

std::shared_ptr<const Run> withMap(const Run& run, const Run& part, int label) {
    const Dataset* found = part.result.find(mapName);
    if (!found)
        throw Error(ErrorKind::run, "the run returned no two-time map of bin " + std::to_string(label), {},
                    "run the default variant");
    if (!sameContents(run, part))
        throw Error(ErrorKind::run, "the data on disk have changed since the run", {}, "run again");
    auto made = std::make_shared<Run>(run);
    made->request.parameters["two_time_bin"] = std::int64_t{label};
    made->verdict = {};
    Result& result = made->result;
    Dataset map = *found;
    map.title = "C(t1, t2) of bin " + std::to_string(label);
    std::erase_if(result.datasets, [](const Dataset& one) { return one.name == mapName; });
    // At the position it has in a run that computed the map directly.
    const auto before = std::ranges::find(result.datasets, "labels", &Dataset::name);
    result.datasets.insert(before, std::move(map));
    result.facts["two_time_bin"] = label;
    made->device_bytes_peak = std::max(run.device_bytes_peak, part.device_bytes_peak);
    return made;
}

std::size_t bytesOf(const TwoTimeMaps::Entry& entry) {
    return entry.map.values.size() * sizeof(double);
}

}  // namespace

std::span<const std::int32_t> labelsOf(const Run& run) {
    const Dataset* found = run.result.find("labels");
    if (!found || found->values.type() != ElementType::i32) return {};
    return found->values.as<std::int32_t>();
}

int twoTimeBin(const Run& run) {
    if (!run.result.find("two_time")) return 0;
    if (!run.request.parameters.contains("two_time_bin")) return 0;
    return static_cast<int>(optional_integer(run.request.parameters, "two_time_bin").value_or(0));
}

std::vector<int> BinsOff::of(const Run& run) const {
    return labels.empty() || !bins || agree(labelsOf(run), bins->labels()) ? labels : std::vector<int>();
}

std::vector<double> shownDelays(const Run& run, bool seconds) {
    if (seconds) return doubles(run, "delay_time");
    std::vector<double> delays = ks::xpcs::delays_of(run.result);
    for (double& one : delays) one *= ks::xpcs::frames_per_delay(run);
    return delays;
}

G2Curves g2Curves(const std::vector<RunRow>& runs, const BinsOff& off, const OpenFile* frames) {
    const bool seconds = std::all_of(runs.begin(), runs.end(), [](const RunRow& r) {
        return r.run->result.find("delay_time") != nullptr;
    });
    G2Curves curves{{}, seconds ? QStringLiteral("s") : QStringLiteral("frames")};
    // The oldest run first: the others are compared with it.
    std::vector<const RunRow*> order;
    for (auto at = runs.rbegin(); at != runs.rend(); ++at) order.push_back(&*at);
    // A preview of another repeat than the open file is not foreign, nor is a result of another program,
    // whose frames are not known.
    const auto foreign = [&](const RunRow* row) {
        return row->number != 0 && frames && !made_elsewhere(*row->run) &&
               !readFrom(*row->run, "frames", *frames);
    };
    std::stable_partition(order.begin(), order.end(), std::not_fn(foreign));
    const Alike alike(order);
    curves.otherMasks = otherMasksOf(order, alike);
    std::vector<std::optional<double>> qOfCurves;
    for (std::size_t position = 0; position < order.size(); ++position) {
        const RunRow* const at = order[position];
        const Run& run = *at->run;
        const Dataset* g2 = run.result.find("g2");
        if (!g2 || g2->values.rank() != 2) continue;
        const std::size_t bins = g2->values.shape()[0], delays = g2->values.shape()[1];
        const QString of =
            foreign(at) ? QStringLiteral(" of ") + sourceText(run, "frames", *frames, runs) : QString();
        const bool fromElsewhere = made_elsewhere(run) && !run.files.empty();
        const std::vector<double> values = g2->values.to_doubles(), errors = doubles(run, "g2_err"),
                                  delay = shownDelays(run, seconds), q = doubles(run, "q"),
                                  phi = azimuths(run);
        const std::vector<int> labelsOff = off.of(run);
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const int label = static_cast<int>(bin) + 1;
            if (std::ranges::find(labelsOff, label) != labelsOff.end()) continue;
            CurveSeries curve;
            std::optional<double> known;
            curve.bin = label;
            curve.label = QString::number(label);
            if (bin < q.size() && std::isfinite(q[bin])) {
                const QString value = formatNumber(q[bin], 3);
                known = q[bin];
                curve.label += QStringLiteral("  ") + value;
                curve.labelInFull = QObject::tr("bin %1, q %2 1/\u00c5").arg(label).arg(value);
            }
            if (bin < phi.size() && std::isfinite(phi[bin])) {
                const QString angle = azimuthText(phi[bin]) + QStringLiteral("\u00b0");
                curve.label += QStringLiteral("  ") + angle;
                if (!curve.labelInFull.isEmpty()) curve.labelInFull += QObject::tr(", azimuth %1").arg(angle);
                curves.sectors = true;
            }
            curve.foreign = foreign(at);
            curve.basis = static_cast<int>(alike.basis[position]);
            if (runs.size() > 1 || curve.foreign || isWrong(*at)) curve.run = runLabel(*at);
            if (fromElsewhere)
                curve.run = runLabel(*at) + QStringLiteral(" of ") +
                            QFileInfo(QString::fromStdString(run.files.front().file)).fileName();
            curve.runInFull =
                runLabel(*at) + QStringLiteral(", ") + QString::fromStdString(shown_variant(run));
            if (curve.foreign) {
                curve.run += of;
                curve.runInFull += of;
            }
            // Delay 0 contains the shot noise of each pixel and is not part of the decay.
            curve.x = row(delay, 0, delays).mid(1);
            curve.y = row(values, bin, delays).mid(1);
            // A bin without pixels has no curve.
            if (std::ranges::none_of(curve.y, [](double value) { return std::isfinite(value); })) continue;
            if (!errors.empty()) curve.yerr = row(errors, bin, delays).mid(1);
            curves.series.push_back(std::move(curve));
            curves.numbers.push_back(at->number);
            qOfCurves.push_back(known);
        }
    }
    markOtherQ(curves.series, qOfCurves);
    return curves;
}

QVector<CurveSeries> errorsOf(QVector<CurveSeries> curves) {
    for (CurveSeries& curve : curves) {
        curve.y = std::exchange(curve.yerr, {});
        const bool allZero = std::ranges::all_of(curve.y, [](double error) { return error == 0; });
        if (!allZero && curve.y.last() == 0) curve.y.last() = missing_value;
    }
    curves.removeIf([](const CurveSeries& curve) { return curve.y.isEmpty(); });
    return curves;
}

std::optional<MapData> twoTimeMap(const Run& run, QString* unit) {
    const Dataset* two = run.result.find("two_time");
    if (!two || two->values.rank() != 2) return std::nullopt;
    MapData map;
    map.rows = two->values.shape()[0];
    map.columns = two->values.shape()[1];
    map.values = two->values.to_doubles();
    const std::vector<double> time = doubles(run, "delay_time");
    if (unit) *unit = time.empty() ? QStringLiteral("frames") : QStringLiteral("s");
    // The map spans all frames, even if fewer delays were computed.
    const double step = time.size() > 1 ? time[1] : ks::xpcs::frames_per_delay(run);
    const double last = (static_cast<double>(map.columns) - 1) * step;
    map.xLast = map.yLast = last;
    return map;
}

bool makesTwoTime(const Variant& variant) {
    return !takes_only_without(variant, "two_time_bin");
}

std::optional<Supplement> twoTimeSupplement(const RunRow& row, int label) {
    const Dataset* found = row.run->result.find("labels");
    if (!found || found->values.type() != ElementType::i32) return std::nullopt;
    const auto labels = found->values.as<std::int32_t>();
    std::vector<std::int32_t> alone(labels.size());
    std::ranges::transform(labels, alone.begin(), [label](std::int32_t one) { return one == label ? 1 : 0; });
    if (std::ranges::find(alone, 1) == alone.end()) return std::nullopt;
    Supplement wanted;
    wanted.number = row.number;
    wanted.what = QObject::tr("two-time of bin %1").arg(label);
    wanted.request = row.run->request;
    wanted.request.check = CheckMode::none;
    wanted.request.inputs["partition"] = {
        "bin " + std::to_string(label) + " of run " + std::to_string(row.number),
        Array::of<std::int32_t>(found->values.shape(), alone)};
    wanted.request.inputs.erase(ks::xpcs::bin_q_role);  // of all bins
    // The map is the same by every estimator, and the bin alone may have no static bins.
    wanted.request.inputs.erase(ks::xpcs::static_bins_role);
    if (ks::xpcs::takes_static_bins(wanted.request.parameters))
        wanted.request.parameters["estimator"] = std::string("symmetric");
    wanted.request.parameters["two_time_bin"] = std::int64_t{1};
    wanted.join = [label](const Run& run, const Run& part) { return withMap(run, part, label); };
    return wanted;
}

void TwoTimeMaps::keep(const RunRow& row) {
    const int label = twoTimeBin(*row.run);
    if (label == 0 || find(row.number, label)) return;
    Entry entry{row.number, label, {}, {}};
    std::optional<MapData> map = twoTimeMap(*row.run, &entry.unit);
    if (!map) return;
    entry.map = std::move(*map);
    entries_.push_back(std::move(entry));
    std::size_t bytes = 0;
    for (const Entry& one : entries_) bytes += bytesOf(one);
    while (bytes > limit && entries_.size() > 1) {
        bytes -= bytesOf(entries_.front());
        entries_.pop_front();
    }
}

const TwoTimeMaps::Entry* TwoTimeMaps::find(int number, int label) const {
    const auto at = std::ranges::find_if(
        entries_, [&](const Entry& one) { return one.number == number && one.label == label; });
    return at == entries_.end() ? nullptr : &*at;
}

}  // namespace ks::ui::xpcs
