#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/run/run.h"

/// A bar of three pixels, (5, 3), (6, 3) and (7, 3), in rows 2, 0 and 1 of the input, recorded by hand:
/// places 0, 1 and 2 in this order. All end with the label of row 0, which is place 1.
inline std::shared_ptr<ks::Run> barTrace() {
    auto run = std::make_shared<ks::Run>();
    run->request.analysis = "clusters";
    run->request.parameters["record"] = std::int64_t{0};
    const auto put = [&run](const char* name, ks::Array values) {
        run->result.datasets.push_back({name, name, "", ks::DataKind::table, std::move(values)});
    };
    put("trace_digis", ks::Array::of<std::int64_t>({3}, std::vector<std::int64_t>{2, 0, 1}));
    put("trace_columns", ks::Array::of<std::uint32_t>({6}, std::vector<std::uint32_t>{0, 0, 0, 0, 3, 3}));
    put("trace_neighbours", ks::Array::of<std::int32_t>({3, 1}, std::vector<std::int32_t>{1, 2, -1}));
    put("trace_labels",
        ks::Array::of<std::int32_t>({3, 3}, std::vector<std::int32_t>{0, 1, 2, 1, 1, 1, 1, 1, 1}));
    put("trace_parents", ks::Array::of<std::int32_t>({2, 3}, std::vector<std::int32_t>{0, 1, 2, 1, 1, 0}));
    return run;
}
