#include "gpu/xpcs/gram_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "gpu/runtime/cl_name.h"
#include "gpu/runtime/resident_data.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::xpcs {
namespace {

using Product = GramShape::Product;

/// Builds if the compiler has AVX2's multiply-and-add (PoCL on x86).
constexpr const char* avx2_probe = R"(
typedef char b32 __attribute__((vector_size(32)));
typedef short s16 __attribute__((vector_size(32)));
typedef int i8 __attribute__((vector_size(32)));
kernel void probe(global const b32* a, global i8* c) {
    c[0] = (i8)__builtin_ia32_pmaddwd256((s16)__builtin_ia32_pmaddubsw256(a[0], a[1]), (s16)a[2]);
})";

/// Builds if the compiler accepts x86 assembly and has 512-bit registers.
constexpr const char* vnni_probe = R"(
typedef int ints16 __attribute__((vector_size(64)));
kernel void probe(global const ints16* a, global ints16* c) {
    ints16 sum = c[0];
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(a[0]), "v"(a[1]));
    c[0] = sum;
})";

/// Builds on NVIDIA devices with 8-bit tensor cores (sm_80 and later).
constexpr const char* mma_probe = R"(
kernel void probe(global uint* c) {
    uint a = c[0], b = c[1], w = c[2], x = c[3], y = c[4], z = c[5];
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
                 : "+r"(w), "+r"(x), "+r"(y), "+r"(z) : "r"(a), "r"(b));
    c[0] = w + x + y + z;
})";

/// Builds on NVIDIA devices of sm_61 and later.
constexpr const char* dp4a_probe = R"(
kernel void probe(global uint* c) {
    uint sum = c[2];
    asm volatile("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(c[0]), "r"(c[1]));
    c[2] = sum;
})";

/// Builds on NVIDIA devices that copy into local memory by themselves (sm_90 and later).
constexpr const char* bulk_copy_probe = R"(
kernel void probe(global uchar* c) {
    local ulong bar[1];
    local uint4 to[1];
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"((uint)(size_t)bar) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];"
                 ::"r"((uint)(size_t)to), "l"(c), "r"((uint)(size_t)bar) : "memory");
})";

/// Builds on NVIDIA devices of sm_90a, whose tensor cores read local memory.
constexpr const char* wgmma_probe = R"(
kernel void probe(global uint* c) { asm volatile(".target sm_90a\nwgmma.fence.sync.aligned;" ::: "memory"); c[0] = 1; })";

/// Only the processor itself knows whether it supports VNNI, and a device that is a processor is this one.
bool processor_has_vnni() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512vnni") != 0 && __builtin_cpu_supports("avx512bw") != 0;
#else
    return false;
#endif
}

bool has_avx2(DeviceContext& device) {
    return device.info().type == "CPU" && device.probe("avx2", avx2_probe);
}

bool has_vnni(DeviceContext& device) {
    return device.info().type == "CPU" && processor_has_vnni() && device.probe("vnni", vnni_probe);
}

bool has_mma(DeviceContext& device) {
    return device.info().vendor.find("NVIDIA") != std::string::npos && device.probe("mma", mma_probe);
}

bool has_bulk_copies(DeviceContext& device) {
    return has_mma(device) && device.probe("bulk copies", bulk_copy_probe);
}

bool has_wgmma(DeviceContext& device) {
    return has_bulk_copies(device) && device.probe("wgmma", wgmma_probe);
}

bool has_dp4a(DeviceContext& device) {
    return device.info().vendor.find("NVIDIA") != std::string::npos && device.probe("dp4a", dp4a_probe);
}

constexpr double short_limit = 32767;  ///< counts are signed 16 bits on x86
constexpr double byte_limit = 127;     ///< one operand of vpmaddubsw and vpdpbusd is signed

bool fits_x86(const ks::xpcs::CorrelationProblem& problem) {
    return problem.compact() != ElementType::f32 && problem.max_count() <= short_limit;
}

bool fits_bytes(const ks::xpcs::CorrelationProblem& problem) {
    return problem.compact() == ElementType::u8;
}

bool needs_two_bytes(const ks::xpcs::CorrelationProblem& problem) {
    return problem.compact() == ElementType::u16;
}

bool fits_two_bytes(const ks::xpcs::CorrelationProblem& problem) {
    return fits_bytes(problem) || needs_two_bytes(problem);
}

/// What a product needs of device and counts, and what is said if that is missing.
struct ProductRow {
    const char* name;
    bool (*has)(DeviceContext&) = nullptr;
    bool (*fits)(const ks::xpcs::CorrelationProblem&) = nullptr;
    const char* lacks = nullptr;   ///< after the name of the device
    const char* counts = nullptr;  ///< a sentence
};
/// In the order of Product; the first needs nothing.
constexpr ProductRow products[] = {
    {"vector"},
    {"avx2", has_avx2, fits_x86, "does not support AVX2", "counts must be integers up to 32767"},
    {"mma", has_mma, fits_two_bytes, "has no 8-bit tensor cores", "counts must be integers up to 65535"},
    {"vnni", has_vnni, fits_x86, "does not support AVX-512 VNNI", "counts must be integers up to 32767"},
    {"dp4a", has_dp4a, fits_bytes, "does not have the instruction dp4a", "counts must be integers up to 255"},
    {"wgmma", has_wgmma, needs_two_bytes, "has no tensor cores that read local memory (sm_90a)",
     "counts must be integers up to 65535, and some over 255"}};

const ProductRow& row_of(Product product) {
    return products[static_cast<std::size_t>(product)];
}

constexpr Product best_first[] = {Product::vnni, Product::avx2, Product::wgmma, Product::mma, Product::dp4a};

/// Why a product that the device has, and that suits the counts, does not work; empty if it does.
std::string why_not(Product product, const GramShape& shape, const ks::xpcs::CorrelationProblem& problem,
                    DeviceContext& device) {
    if (fits_bytes(problem) || (product != Product::mma && product != Product::wgmma)) return {};
    if (!has_bulk_copies(device))
        return "for counts over 255, the device must copy into local memory by itself";
    return shape.fp64 ? "" : "for counts over 255, it requires double precision on the device";
}

Product best_product(DeviceContext& device, const ks::xpcs::CorrelationProblem& problem,
                     const GramShape& shape) {
    for (const Product product : best_first)
        if (row_of(product).fits(problem) && row_of(product).has(device) &&
            why_not(product, shape, problem, device).empty())
            return product;
    return Product::vector;
}

[[noreturn]] void refuse(const std::string& define, const std::string& why) {
    throw Error(ErrorKind::input, fmt::format("{} does not work here: {}", define, why), "define");
}

Product wanted_product(LaunchContext& context, const ks::xpcs::CorrelationProblem& problem,
                       const std::string& name, const GramShape& shape) {
    for (const Product product : best_first) {
        const ProductRow& row = row_of(product);
        if (name != row.name) continue;
        const std::string why = !row.has(context.device()) ? fmt::format("the device {}", row.lacks)
                                : !row.fits(problem)       ? row.counts
                                                     : why_not(product, shape, problem, context.device());
        if (why.empty()) return product;
        refuse("PRODUCT=" + name, why);
    }
    return Product::vector;
}

/// Products of two counts that can be added without exceeding `limit`.
std::size_t terms_below(double limit, double max_count) {
    const double square = std::max(1.0, max_count * max_count);
    return static_cast<std::size_t>(std::clamp(std::floor(limit / square), 0.0, 1e9));
}

void set_vector(GramShape& shape, const ks::xpcs::CorrelationProblem& problem) {
    shape.row_type = problem.compact();
    constexpr double uint_limit = 4294967295.0;
    const std::size_t terms = terms_below(uint_limit, problem.max_count());
    const bool narrow = !shape.floats && terms >= 16;
    shape.defines["ACC"] = shape.floats ? (shape.fp64 ? "double" : "float") : (narrow ? "uint" : "ulong");
    shape.flush = narrow ? terms : std::size_t{1} << 20;
}

/// For AVX2 and VNNI.
void set_x86(GramShape& shape, const ks::xpcs::CorrelationProblem& problem, bool vnni, bool own_rn) {
    const bool bytes = problem.max_count() <= byte_limit;
    shape.row_type = bytes ? ElementType::u8 : ElementType::i16;
    shape.defines["ELEM_BYTES"] = std::to_string(bytes ? 1 : 2);
    // AVX2: a 16-bit lane takes two products of bytes per step, at least 32 pixels between flushes. VNNI: a
    // 32-bit lane takes four of them. In both, a 32-bit lane takes two products of 16 bits.
    const double limit = bytes && !vnni ? 32767.0 : 2147483647.0;
    const std::size_t terms_a_step = bytes && vnni ? 4 : 2;
    shape.flush = std::max<std::size_t>(1, terms_below(limit, problem.max_count()) / terms_a_step);
    shape.group = 1;
    if (vnni && !own_rn) shape.defines["RN"] = "4";  // there are twice as many registers
}

/// Rows in steps for the tensor cores. Without them, groups multiply single tiles of whole rows.
/// @param span 1 or 2; none: whole rows
void set_steps(GramShape& shape, std::optional<std::size_t> span) {
    constexpr std::size_t bytes_of_step = 4096;
    shape.span = span.value_or(1);
    shape.step = span ? bytes_of_step / shape.side() : 0;
    if (span) {
        shape.defines["SPAN"] = std::to_string(*span);
        shape.defines["STEP"] = std::to_string(shape.step);
    } else {
        shape.defines.erase("SPAN");
        shape.defines.erase("STEP");
    }
}

/// Why rows cannot be in steps; empty if they can. Parts of a problem decide as the whole does.
std::string why_not_in_steps(const GramShape& shape, const ks::xpcs::CorrelationProblem& problem,
                             DeviceContext& device) {
    if (!has_bulk_copies(device)) return "the device cannot copy into local memory by itself";
    if (!shape.fp64) return "it requires double precision on the device";
    if (problem.partition().pixels_of_whole().size() > terms_below(4294967295.0, problem.max_count()))
        return "sums of products might exceed 32 bits";
    return {};
}

/// The value that was given for SPAN, unless it is "auto".
std::optional<std::size_t> given_span(const LaunchContext& context) {
    const std::map<std::string, std::string> given = given_defines(context);
    if (!given.contains("SPAN") || given.at("SPAN") == "auto") return {};
    return number(given, "SPAN");
}

/// Counts over 255 as bytes, and how long sums of their products stay below 2^32.
void set_planes(GramShape& shape, double max_count) {
    constexpr double most_in_three = 16383, low = 127;
    shape.planes = max_count <= most_in_three ? 3 : 2;
    const double largest = shape.planes == 3 ? low + std::floor(max_count / (low + 1)) : 255;
    shape.flush = terms_below(4294967295.0, largest) / shape.step;
    shape.defines["PLANES"] = std::to_string(shape.planes);
}

/// What mma and wgmma have in common.
void set_tensor(GramShape& shape, const ks::xpcs::CorrelationProblem& problem, LaunchContext& context) {
    // A span of two tiles halves the reads of rows, but with fewer frames, there are too few of them to keep
    // the device busy.
    constexpr std::size_t many_frames = 768;
    shape.row_type = ElementType::u8;
    shape.tile = 64;
    shape.group = 128;
    const std::size_t steps = terms_below(4294967295.0, problem.max_count()) / 64;
    shape.flush = std::max<std::size_t>(1, steps);
    const std::optional<std::size_t> wanted = given_span(context);
    const bool bytes = fits_bytes(problem);
    const std::string why = bytes ? why_not_in_steps(shape, problem, context.device()) : "";
    if (wanted == 2 && !why.empty()) refuse("SPAN=2", why);
    if (why.empty())
        set_steps(shape, wanted.value_or(problem.frames() > many_frames ? 2 : 1));
    else
        set_steps(shape, {});
}

void set_mma(GramShape& shape, const ks::xpcs::CorrelationProblem& problem, LaunchContext& context) {
    set_tensor(shape, problem, context);
    if (!fits_bytes(problem)) set_planes(shape, problem.max_count());
}

/// Counts of two bytes whose products are made together, in steps of 32 pixels.
void set_wgmma(GramShape& shape, const ks::xpcs::CorrelationProblem& problem, LaunchContext& context) {
    constexpr double products_of_most = 2;  // L H and H L are added to one sum
    set_tensor(shape, problem, context);
    shape.planes = 2;
    shape.step = 32;
    shape.group = 128 * shape.span;
    shape.flush = static_cast<std::size_t>(4294967295.0 / (products_of_most * 255 * 255)) / shape.step;
    shape.defines["PLANES"] = std::to_string(shape.planes);
    shape.defines["STEP"] = std::to_string(shape.step);
}

void set_dp4a(GramShape& shape, const ks::xpcs::CorrelationProblem& problem) {
    constexpr std::size_t step = 16;  // products per lane
    shape.row_type = ElementType::u8;
    shape.tile = 64;
    shape.group = 256;
    shape.flush = std::max<std::size_t>(1, terms_below(4294967295.0, problem.max_count()) / step);
}

using ks::xpcs::CorrelationProblem;

constexpr std::size_t descriptor_bytes = 64;  ///< a tile's descriptor and its position in the order
constexpr std::size_t max_groups = 1 << 16;

RowSlab make_slab(const CorrelationProblem& problem, const GramShape& shape, BinGroup group,
                  std::size_t frame0, std::size_t frames) {
    RowSlab slab{group, frame0, frames, rounded_up(frames, shape.side()), {}, {}, 0};
    for (std::size_t bin = group.bin0; bin < group.bin1; ++bin) {
        const std::size_t row = GramShape::row_length(problem.partition().bin_size(bin));
        slab.blocks.push_back(slab.elements);
        slab.row_lengths.push_back(static_cast<std::uint32_t>(row));
        slab.elements += std::uint64_t{row} * slab.padded * shape.planes;
    }
    return slab;
}

/// Rows, their sums (8 bytes per row), and the tables of one slab.
std::uint64_t bytes_of(const RowSlab& slab, const GramShape& shape) {
    return slab.elements * size_of(shape.row_type) + slab.group.bins() * (slab.padded * 8 + 16);
}

class Cutter {
  public:
    /// @param budget for rows and totals
    Cutter(const CorrelationProblem& problem, const GramShape& shape, std::uint64_t budget,
           std::uint64_t largest_allocation)
        : problem_(problem),
          shape_(shape),
          budget_(budget),
          slab_limit_(std::min(budget / slabs_in_budget, largest_allocation)) {}

    /// Cuts into groups of bins, and slabs within each.
    void cut(GramPlan& plan) const {
        const std::size_t bins = problem_.partition().bins();
        for (std::size_t bin0 = 0; bin0 < bins;) {
            std::size_t bin1 = bin0 + 1;
            while (bin1 < bins && have_room(plan, {bin0, bin1 + 1})) ++bin1;
            add_group(plan, {bin0, bin1});
            bin0 = bin1;
        }
    }

  private:
    /// More of them take longer in total: each pair of slabs is a launch, which keeps all cores busy except
    /// at its end.
    static constexpr std::uint64_t slabs_in_budget = 16;

    std::uint64_t row_of_tiles(BinGroup group) const {
        return bytes_of(make_slab(problem_, shape_, group, 0, shape_.tile), shape_);
    }

    bool have_room(const GramPlan& plan, BinGroup group) const {
        return group.bins() * total_bytes(shape_, plan.tile_rows) <= budget_ / 4 &&
               row_of_tiles(group) <= slab_limit_;
    }

    void add_group(GramPlan& plan, BinGroup group) const {
        const std::uint64_t band = row_of_tiles(group);
        const std::size_t frames = std::max<std::size_t>(1, slab_limit_ / band) * shape_.tile;
        const std::size_t first = plan.slabs.size();
        for (std::size_t t = 0; t < problem_.frames(); t += frames)
            plan.slabs.push_back(
                make_slab(problem_, shape_, group, t, std::min(frames, problem_.frames() - t)));
        const std::uint64_t rows =
            budget_ - std::min(budget_, group.bins() * total_bytes(shape_, plan.tile_rows));
        const std::size_t resident = rows / bytes_of(plan.slabs[first], shape_);
        add_steps(plan, first, std::max<std::size_t>(resident, 2) - 1);
        plan.largest_group = std::max(plan.largest_group, group.bins());
    }

    /// @param stay slabs that stay while another passes
    void add_steps(GramPlan& plan, std::size_t first, std::size_t stay) const {
        const std::size_t end = plan.slabs.size();
        for (std::size_t a0 = first; a0 < end; a0 += stay)
            for (std::size_t b = a0; b < end; ++b)
                for (std::size_t a = a0; a < std::min(a0 + stay, b + 1); ++a)
                    if (wanted(plan.slabs[a], plan.slabs[b]))
                        plan.steps.push_back({a, b, 0, plan.slabs[b].padded});
    }

    /// Whether the two slabs hold a pair of frames at a wanted delay.
    bool wanted(const RowSlab& a, const RowSlab& b) const {
        return b.frame0 == a.frame0 || b.frame0 - (a.frame0 + a.padded - 1) < problem_.delays();
    }

    const CorrelationProblem& problem_;
    const GramShape& shape_;
    std::uint64_t budget_, slab_limit_;
};

std::uint64_t two_time_bytes(const CorrelationProblem& problem) {
    return problem.two_time_bin() > 0 ? std::uint64_t{problem.frames()} * problem.frames() * 8 : 0;
}

std::size_t all_groups(const CorrelationProblem& problem, const GramShape& shape) {
    const std::size_t rows = rounded_up(problem.frames(), shape.side()) / shape.side();
    return problem.partition().bins() * (rows * (rows + 1) / 2);
}

/// The first band makes room for the whole slab.
void fill_resident(GramPlan& plan, const GramShape& shape) {
    const RowSlab& all = plan.slabs.front();
    const double row = static_cast<double>(all.elements) / static_cast<double>(all.padded);
    std::size_t first = 0;
    for (std::size_t i = 0; i < plan.bands.size(); ++i) {
        const std::size_t end = i + 1 == plan.bands.size() ? all.padded : plan.bands[i];
        const double pairs = static_cast<double>(end - first) * static_cast<double>(end + first) / 2;
        plan.steps.push_back({0, 0, first, end});
        plan.stream.slabs.push_back({i == 0 ? bytes_of(all, shape) : 0, 0});
        plan.stream.steps.push_back({{i}, std::max(row * pairs, 1.0)});
        first = end;
    }
}

void fill_stream(GramPlan& plan, const GramShape& shape) {
    for (const RowSlab& slab : plan.slabs)
        plan.stream.slabs.push_back({bytes_of(slab, shape), slab.elements * size_of(shape.row_type)});
    for (const PairStep& step : plan.steps) {
        std::vector<std::size_t> needed{step.a};
        if (step.b != step.a) needed.push_back(step.b);
        const auto work = static_cast<double>(plan.slabs[step.a].elements) *
                          static_cast<double>(plan.slabs[step.b].padded) * (step.a == step.b ? 0.5 : 1.0);
        plan.stream.steps.push_back({needed, std::max(work, 1.0)});
    }
}

}  // namespace

const char* name_of(Product product) {
    return row_of(product).name;
}

std::vector<std::string> product_words() {
    std::vector<std::string> words{"auto"};
    for (const ProductRow& row : products) words.emplace_back(row.name);
    return words;
}

std::string lack_of(Product product) {
    const char* const lacks = row_of(product).lacks;
    return lacks == nullptr ? "" : lacks;
}

std::string probe_of(Product product) {
    switch (product) {
        case Product::avx2:
            return avx2_probe;
        case Product::vnni:
            return processor_has_vnni() ? vnni_probe : "#error \"the processor has no AVX-512 VNNI\"\n";
        case Product::mma:
            return mma_probe;
        case Product::dp4a:
            return dp4a_probe;
        case Product::wgmma:
            return wgmma_probe;
        case Product::vector:
            break;
    }
    return {};
}

GramShape choose_shape(LaunchContext& context, const ks::xpcs::CorrelationProblem& problem,
                       std::optional<Product> only) {
    GramShape shape;
    shape.defines = tuned_defines(context, problem.compact());
    shape.floats = problem.compact() == ElementType::f32;
    // A product that does not let them be chosen sets them below.
    if (shape.defines.contains("TILE") && shape.defines["TILE"] != "auto")
        shape.tile = number(shape.defines, "TILE");
    if (shape.defines.contains("WG")) shape.group = number(shape.defines, "WG");
    const auto fp64 = shape.defines.find("FP64");
    shape.fp64 = context.info().fp64 && (fp64 == shape.defines.end() || fp64->second != "0");
    if (shape.floats && !shape.fp64)
        throw Error(ErrorKind::device, "float counts need double precision, which the device lacks",
                    context.info().name, "run a host variant, or convert the frames to integers");
    shape.wide =
        static_cast<double>(problem.largest_bin()) * problem.max_count() * problem.max_count() > 4294967295.0;

    const auto named = shape.defines.find("PRODUCT");
    const bool automatic = !only && (named == shape.defines.end() || named->second == "auto");
    shape.product = only        ? *only
                    : automatic ? best_product(context.device(), problem, shape)
                                : wanted_product(context, problem, named->second, shape);
    if (shape.product == Product::avx2 || shape.product == Product::vnni)
        set_x86(shape, problem, shape.product == Product::vnni, given_defines(context).contains("RN"));
    else if (shape.product == Product::mma)
        set_mma(shape, problem, context);
    else if (shape.product == Product::wgmma)
        set_wgmma(shape, problem, context);
    else if (shape.product == Product::dp4a)
        set_dp4a(shape, problem);
    else
        set_vector(shape, problem);
    if (automatic && shape.planes > 1)
        shape.otherwise = std::make_shared<const GramShape>(choose_shape(context, problem, Product::vector));
    // the tile of G and four bands of sums are in local memory
    while (shape.tile > 16 &&
           shape.tile * shape.tile * shape.g_bytes() + 4 * shape.tile * 8 > context.info().local_bytes &&
           shape.product == Product::vector)
        shape.tile /= 2;

    auto& defines = shape.defines;
    defines["PRODUCT"] = std::to_string(static_cast<int>(shape.product));
    defines["TILE"] = std::to_string(shape.tile);
    defines["WG"] = std::to_string(shape.group);
    defines["FP64"] = std::to_string(shape.fp64 ? 1 : 0);
    defines["G_BYTES"] = std::to_string(shape.g_bytes());
    defines["ELEM"] = cl_name(shape.row_type);
    defines["G_T"] = shape.floats ? "double" : (shape.wide ? "ulong" : "uint");
    defines["S_T"] = shape.floats ? "double" : "ulong";
    defines["P_T"] = defines["S_T"];
    defines["CONVERT_P4"] = "convert_" + defines["S_T"] + "4";
    return shape;
}

std::uint64_t group_bytes(const GramShape& shape) {
    const std::uint64_t left =
        shape.fp64 ? 2 * shape.tile * (8 + 3 * 8 + 4) : shape.tile * shape.tile * shape.g_bytes();
    return left * shape.span * shape.span + gram_bytes(shape) + descriptor_bytes;
}

std::uint64_t gram_bytes(const GramShape& shape) {
    return shape.planes > 1 ? shape.side() * shape.side() * sizeof(std::uint64_t) : 0;
}

std::uint64_t total_bytes(const GramShape& shape, std::size_t tile_rows) {
    return tile_rows * 2 * shape.tile * (8 + 3 * 8 + 8);
}

GramPlan make_plan(const LaunchContext& context, const CorrelationProblem& problem, GramShape& shape,
                   const FramesOnDevice& frames) {
    GramPlan plan;
    const std::uint64_t budget = context.budget();
    plan.tile_rows = (problem.frames() + shape.tile - 1) / shape.tile;
    plan.groups_per_launch = std::clamp<std::size_t>(budget / 16 / group_bytes(shape), 1, max_groups);
    plan.groups_per_launch =
        std::min(plan.groups_per_launch, std::max<std::size_t>(1, all_groups(problem, shape)));
    const std::size_t bins = problem.partition().bins();
    const std::uint64_t tables = (problem.partition().pixels_of_whole().size() + 2 * bins + 2) * 8;
    const std::uint64_t launch_bytes =
        plan.groups_per_launch * group_bytes(shape) + two_time_bytes(problem) + tables;

    const RowSlab everything = make_slab(problem, shape, {0, bins}, 0, problem.frames());
    const std::uint64_t whole =
        bytes_of(everything, shape) + launch_bytes + bins * total_bytes(shape, plan.tile_rows);
    if (fits_resident(context, frames.bytes(), whole) &&
        bytes_of(everything, shape) <= context.info().largest_allocation) {
        plan.resident = true;
        plan.largest_group = bins;
        plan.slabs.push_back(everything);
        // The host takes the sums of all rows at once.
        plan.bands = shape.fp64 ? frames.bands(shape.side()) : std::vector{problem.frames()};
        plan.stream.fixed_bytes = whole - bytes_of(everything, shape);
        fill_resident(plan, shape);
        return plan;
    }
    if (shape.step > 0) {
        constexpr const char* no_room =
            "the frames and their pixels by bin do not fit on the device together";
        if (given_span(context) == 2) refuse("SPAN=2", no_room);
        if (shape.planes > 1 && !shape.otherwise)
            refuse(fmt::format("PRODUCT={}", name_of(shape.product)),
                   fmt::format("for counts over 255, {}", no_room));
        if (shape.planes > 1)
            shape = GramShape(*shape.otherwise);
        else
            set_steps(shape, {});
        return make_plan(context, problem, shape, frames);
    }
    const std::uint64_t left = budget - std::min(budget, launch_bytes);
    Cutter(problem, shape, left, context.info().largest_allocation).cut(plan);
    plan.stream.fixed_bytes = launch_bytes + plan.largest_group * total_bytes(shape, plan.tile_rows);
    fill_stream(plan, shape);
    if (const std::uint64_t smallest = smallest_budget(plan.stream); smallest > budget)
        throw Error(
            ErrorKind::input,
            fmt::format("a limit of {} bytes is too small: these bins and frames need at least {} bytes",
                        budget, smallest),
            "memory limit", "set a larger --memory-limit, or select fewer frames");
    return plan;
}

}  // namespace ks::gpu::xpcs
