#include "gpu/clusters/table_download.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/base/parallel.h"

namespace ks::gpu::clusters {

using ks::clusters::ClusterTable;

TableDownload::TableDownload(const ClusterProblem& problem, cl::CommandQueue queue, LaunchContext& context)
    : problem_(problem),
      queue_(std::move(queue)),
      context_(context),
      module_clusters_(context.host_array(ElementType::u32, {problem.slots()})) {
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i] = Array(TableOnDevice::types[i], {0});
}

cl::Event TableDownload::add(const Chunk& chunk, const TableOnDevice& table, std::size_t turn,
                             const TableOnDevice::Counts& counts) {
    digis_ += chunk.rows;
    make_room(rows_ + counts.clusters, digis_);
    cl::Event last;
    const auto download = [&](const Buffer& from, Array& to, std::size_t first, std::size_t count) {
        if (count == 0) return;
        const std::size_t element = size_of(to.type());
        queue_.enqueueReadBuffer(from.cl(), CL_FALSE, 0, count * element,
                                 to.bytes().subspan(first * element, count * element).data(), nullptr, &last);
        context_.track_download("download_table", last, count * element, from);
    };
    for (std::size_t i = 0; i < columns_.size(); ++i)
        download(table.column(turn, i), columns_[i], rows_, counts.clusters);
    download(table.module_clusters(turn), module_clusters_, chunk.first_slot - problem_.first_slot(),
             chunk.slots);
    rows_ += counts.clusters;
    counted_.invalid += counts.invalid;
    counted_.duplicates += counts.duplicates;
    counted_.cut += counts.cut;
    return last;
}

void TableDownload::make_room(std::size_t rows, std::size_t digis) {
    if (rows <= room_) return;
    constexpr double spare = 1.02;  // chunks are similar
    const double expected = static_cast<double>(rows) / static_cast<double>(digis) *
                            static_cast<double>(problem_.digis()) * spare;
    room_ = std::clamp(static_cast<std::size_t>(expected), rows, std::max(rows, problem_.digis()));
    queue_.finish();  // transfers in flight write to the old columns
    for (Array& column : columns_) {
        Array larger = context_.host_array(column.type(), {room_});
        if (rows_ > 0)
            std::memcpy(larger.bytes().data(), column.bytes().data(), rows_ * size_of(column.type()));
        column = std::move(larger);
    }
}

ClusterTable TableDownload::take() {
    ClusterTable table = std::move(counted_);
    Array* const places[] = {&table.label, &table.size, &table.charge, &table.x,   &table.y,
                             &table.xmin,  &table.xmax, &table.ymin,   &table.ymax};
    for (std::size_t i = 0; i < columns_.size(); ++i) *places[i] = columns_[i].slice(0, {rows_});
    table.slot_clusters = std::move(module_clusters_);
    return table;
}

void divide_sums(ClusterTable& table) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    const auto size = table.size.as<std::uint32_t>();
    const auto charge = table.charge.as<std::uint64_t>();
    const auto x = table.x.as<double>(), y = table.y.as<double>();
    parallel_for((size.size() + piece - 1) / piece, compute_threads(), [&](std::size_t part) {
        for (std::size_t i = part * piece; i < std::min(size.size(), (part + 1) * piece); ++i) {
            const double weight = charge[i] == 0 ? size[i] : static_cast<double>(charge[i]);
            x[i] = static_cast<double>(std::bit_cast<std::uint64_t>(x[i])) / weight + 0.5;
            y[i] = static_cast<double>(std::bit_cast<std::uint64_t>(y[i])) / weight + 0.5;
        }
    });
}

}  // namespace ks::gpu::clusters
