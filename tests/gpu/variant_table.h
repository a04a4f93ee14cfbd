#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "gpu/runtime/device_context.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/opencl_backend.h"

// What tests ask the tables of variants, so that a new row is tested without being listed.
namespace ks::tests {

inline bool has_define(const Variant& variant, const std::string& name) {
    return std::ranges::find(variant.defines, name, &DefineSpec::name) != variant.defines.end();
}

/// Whether it takes some values of a trait only, on devices with double precision too.
inline bool depends_on(const Variant& variant, const std::string& trait) {
    return std::ranges::any_of(variant.takes, [&](const Condition& condition) {
        return condition.trait == trait && !condition.without_fp64_only;
    });
}

/// Whether it is the default anywhere: of the highest rank, on processors or on other devices.
inline bool is_default(const std::vector<gpu::ClVariant>& rows, const std::string& id) {
    const auto on_processors = [](const Variant& variant) { return variant.cpu_rank.value_or(variant.rank); };
    const auto highest = [&](const auto& rank) {
        return std::ranges::max_element(rows, {}, [&](const gpu::ClVariant& row) {
                   return rank(row.info);
               })->info.id == id;
    };
    return highest(on_processors) || highest([](const Variant& variant) { return variant.rank; });
}

/// The row of that id, its kernel file read. Throws ks::Error(run) where there is none.
template <class Row>
Row row_of(std::vector<Row> rows, const std::string& id) {
    const auto row = std::ranges::find(rows, id, [](const Row& one) { return one.info.id; });
    if (row == rows.end()) throw Error(ErrorKind::run, "no such variant", id);
    row->info.source = gpu::kernel_text(row->info.source_file);
    return *row;
}

/// Ids of the rows that are wanted, all where nothing is; kept for the program's life.
template <class Row>
std::vector<const char*> ids_of(const std::vector<Row>& rows,
                                const std::function<bool(const Variant&)>& wanted = {}) {
    static std::deque<std::string> kept;
    std::vector<const char*> ids;
    for (const Row& row : rows)
        if (!wanted || wanted(row.info)) ids.push_back(kept.emplace_back(row.info.id).c_str());
    return ids;
}

/// Whether the device has what the variant's row names, and builds its probe.
inline bool able(gpu::DeviceContext& device, const gpu::ClVariant& row) {
    const Constraints& needs = row.info.constraints;
    return (!needs.fp64 || device.info().fp64) && needs.local_bytes <= device.info().local_bytes &&
           std::ranges::all_of(needs.extensions,
                               [&](const std::string& name) { return device.info().has_extension(name); }) &&
           (row.probe.empty() || device.probe(row.info.id, row.probe));
}

inline std::string name_of_variant(const ::testing::TestParamInfo<const char*>& instance) {
    std::string name = instance.param;
    std::ranges::replace(name, '.', '_');
    return name;
}

}  // namespace ks::tests
