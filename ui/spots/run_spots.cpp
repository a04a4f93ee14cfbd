#include "ui/spots/run_spots.h"

#include <QCoreApplication>
#include <limits>

#include "core/base/error.h"
#include "core/spots/results/spot_columns.h"
#include "ui/base/count_text.h"

namespace ks::ui::spots {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

QVector<double> column(const Result& result, const char* name) {
    const Dataset* found = result.find(name);
    if (!found) return {};
    const std::vector<double> values = found->values.to_doubles();
    return QVector<double>(values.begin(), values.end());
}

}  // namespace

std::optional<RunSpots> runSpots(const RunRow& row) {
    const Result& result = row.run->result;
    RunSpots found;
    found.name = runLabel(row);
    found.wrong = isWrong(row);
    if (!result.find("n_signal")) return std::nullopt;
    try {
        found.spots = ks::spots::spots_of(result);
    } catch (const Error&) {
        return std::nullopt;
    }
    found.frame = column(result, "frame");
    found.signal = column(result, "frame_signal");
    found.count = column(result, "frame_spots");
    found.sum = column(result, "frame_sum");
    found.resolution = column(result, "frame_d");
    const QVector<double> missing = column(result, "frame_missing");
    for (QVector<double>* values : {&found.signal, &found.count, &found.sum, &found.resolution}) {
        if (values->size() != found.frame.size()) return std::nullopt;
        for (qsizetype i = 0; i < values->size() && i < missing.size(); ++i)
            if (missing[i] != 0) (*values)[i] = nan;
    }
    return found;
}

QString spotsText(std::size_t n) {
    return counted(n, QCoreApplication::translate("spots", "1 spot"),
                   QCoreApplication::translate("spots", "%1 spots"));
}

}  // namespace ks::ui::spots
