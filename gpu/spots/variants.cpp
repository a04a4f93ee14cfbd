#include "gpu/spots/variants.h"

#include "core/spots/problem.h"
#include "gpu/runtime/decode/frame_decoder.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

constexpr const char *sliding_file = "gpu/spots/sliding/sliding.cl",
                     *decide_file = "gpu/spots/sliding/decide.cl",
                     *background_file = "gpu/spots/vector_cpu/vector_cpu_background.cl";

// Of the program in a file; empty: of the variant's own file.

DefineSpec pixels(const char* file = "") {
    return {"V", "8", {"4", "8", "16"}, "pixels per work-item", {}, file};
}
DefineSpec strip(const char* file = "") {
    return {"STRIP", "16", {"8", "16", "32", "64", "128", "256"}, "rows that a work-item walks down",
            {},      file};
}
DefineSpec group(const char* file = "") {
    return {"WG", "64", {"1", "32", "64", "128", "256"}, "work-items per group", {}, file};
}

DefineSpec decide_group(const char* file = "") {
    return {"DECIDE_WG", "128", {"1", "32", "64", "128", "256"}, "work-items per block of candidates",
            "WG",        file};
}
DefineSpec decide_words(const char* file = "") {
    return {"DECIDE_WORDS", "4", {"1", "4", "16", "1024"}, "words of 32 pixels per work-item and block",
            "WORDS",        file};
}
/// On processors, work-items are loops.
TuningTable deciding_processors() {
    return {{"CPU", "", {{"DECIDE_WG", "1"}, {"DECIDE_WORDS", "1024"}}}};
}
TuningTable sliding_processors() {
    return {{"CPU", "", {{"STRIP", "128"}, {"WG", "1"}, {"DECIDE_WG", "1"}, {"DECIDE_WORDS", "1024"}}}};
}

Condition algorithm(const char* name) {
    return {"algorithm", "the algorithm", {name}};
}
/// Floats must be added in the definition's order, which leaves nothing for packed counts and vectors to do.
Condition counts() {
    return {"element", "pixels of type", {"u8", "u16", "u32", "i16", "i32", "i64"}};
}
/// The window extends this many pixels to either side.
Condition columns(double maximum) {
    return {"kernel_x", "windows whose half-width is", {}, 1, maximum};
}
Condition rows(double maximum) {
    return {"kernel_y", "windows whose half-height is", {}, {}, maximum};
}

Variant described(const char* id, const char* title, const char* description, const char* source,
                  std::vector<std::string> entry_points, std::vector<DefineSpec> defines,
                  Constraints constraints, std::vector<Condition> takes, int rank,
                  std::vector<std::string> shared_sources = {}) {
    shared_sources.emplace_back("gpu/spots/frames/margins.cl");
    for (const Condition& condition : takes)
        if (condition.values == algorithm("dispersion").values)
            shared_sources.emplace_back("gpu/spots/lib/large_counts.cl");  // for counts of 32 bits
    shared_sources.emplace_back("gpu/spots/frames/signal_list.cl");        // to convert bits to a list
    shared_sources.emplace_back(FrameDecoder::file);  // for frames that are compressed in the file
    for (const char* grouping : {"frame_bits", "link", "measure", "table"})  // and to group it
        shared_sources.push_back(std::string("gpu/spots/grouping/") + grouping + ".cl");
    return {.analysis = "spots",
            .id = id,
            .title = title,
            .description = description,
            .source_file = source,
            .shared_sources = std::move(shared_sources),
            .entry_points = std::move(entry_points),
            .defines = std::move(defines),
            .constraints = std::move(constraints),
            .takes = std::move(takes),
            .streaming = Streaming::frames,
            .rank = rank};
}

/// The published kernel. @param columns, rows of a group; @param as_published default of that define
Variant brute(const char* id, const char* title, const char* description, const char* columns,
              const char* rows, const char* as_published, int rank) {
    // the largest tile, with windows of 31 x 31 pixels of 4 bytes and their flags
    return described(
        id, title, description, "gpu/spots/tile/seed_brute.cl", {"find_in_tiles"},
        {{"TX", columns, {"8", "16", "32"}, "columns of a group"},
         {"TY", rows, {"4", "8", "12", "16"}, "rows of a group"},
         {"AS_PUBLISHED", as_published, {"0", "1"}, "1: nearly all work-items load the whole tile"}},
        {.fp64 = true, .local_bytes = (32 + 30) * (16 + 30) * 5}, {algorithm("dispersion")}, rank);
}

}  // namespace

std::vector<SpotVariant> spot_variants() {
    const Constraints doubles{.fp64 = true};
    const Constraints tiles{.fp64 = true, .local_bytes = (32 + 30) * (16 + 30) * 5};
    const Condition basic = algorithm("dispersion"), extended = algorithm("dispersion_extended");
    Variant published =
        brute("seed.brute", "Window sums anew for every pixel",
              "As published: nearly all work-items of a group load the whole tile, and every pixel sums "
              "its window.",
              "16", "12", "1", 20);
    published.baseline = true;
    Variant article =
        described("extended.brute", "Extended dispersion, one work-item per pixel",
                  "As described in its article: three passes, in which every pixel reads its whole "
                  "neighbourhood anew.",
                  "gpu/spots/extended/extended_brute.cl", {"dispersed", "eroded", "over_background"},
                  {{"TX", "16", {"8", "16", "32"}, "columns of a group"},
                   {"TY", "12", {"4", "8", "12", "16"}, "rows of a group"}},
                  doubles, {extended}, 20);
    article.baseline = true;
    Variant strips = described(
        "extended.vector", "Extended dispersion with explicit vectors",
        "Work-items test strips of a grid's rows in vectors of 16, and erode one word at a time; for "
        "processors.",
        "gpu/spots/vector_cpu/vector_cpu_extended.cl", {"dispersed_strips", "erode", "over_background"},
        {{"COLUMNS", "512", {"128", "256", "512", "1024", "2048"}, "columns of a strip"},
         {"ROWS", "128", {"32", "64", "128", "256", "512"}, "rows of a strip"},
         decide_group(background_file),
         decide_words(background_file)},
        doubles, {extended, counts()}, 45, {"gpu/spots/extended/erode.cl", background_file});
    strips.cpu_rank = 200;
    Variant vectors =
        described("vector.cpu", "Explicit vectors, for processors",
                  "Work-items walk down wide strips with column sums in vectors of 16; few candidates are "
                  "decided at once.",
                  "gpu/spots/vector_cpu/vector_cpu.cl", {"find_signal"},
                  {{"COLUMNS", "512", {"128", "256", "512", "1024", "2048"}, "columns of a strip"},
                   {"ROWS", "128", {"32", "64", "128", "256", "512"}, "rows of a strip"}},
                  doubles, {basic, counts()}, 45);
    vectors.cpu_rank = 200;
    return {
        {published, make_tile_kernels},
        {brute("seed.brute.tuned", "The published kernel with a group that suits the device",
               "One work-item per group loads the tile; the group size comes from a tuning table.", "32", "8",
               "0", 15),
         make_tile_kernels},
        {described("cooperative", "Tiles loaded by the whole group",
                   "The published kernel, except that all work-items of a group load the tile together.",
                   "gpu/spots/tile/cooperative.cl", {"find_in_tiles"},
                   {{"TX", "32", {"8", "16", "32"}, "columns of a group"},
                    {"TY", "8", {"4", "8", "12", "16"}, "rows of a group"}},
                   tiles, {basic}, 40),
         make_tile_kernels},
        {described("sliding", "Sliding sums in registers",
                   "Work-items walk down strips; few candidates are left for an exact second pass.",
                   sliding_file, {"candidates"},
                   {pixels(), strip(), group(), decide_group(decide_file), decide_words(decide_file)},
                   doubles, {basic}, 100, {decide_file}),
         make_sliding_kernels, sliding_processors()},
        {described(
             "exact.integer", "Decided without double precision",
             "Sliding sums; candidates are decided with 64- and 128-bit integers only.",
             "gpu/spots/sliding/exact_integer.cl", {"decide"},
             {pixels(sliding_file), strip(sliding_file), group(sliding_file), decide_group(), decide_words()},
             {.extensions = {}}, {basic, counts()}, 60, {sliding_file}),
         make_integer_kernels, sliding_processors()},
        {described(
             "packed", "Two counts per word",
             "Tiles are in local memory; pairs of counts are summed at once, and candidates are decided "
             "immediately.",
             "gpu/spots/packed/packed.cl", {"masked_chunks", "find_in_tiles"},
             {{"WG", "128", {"64", "128", "256"}, "work-items per group"},
              {"ACROSS", "16", {"8", "16"}, "work-items of 8 columns across a tile"},
              {"RUN", "4", {"4", "8", "16"}, "rows that a work-item walks down"},
              {"LOADS", "3", {"1", "2", "3", "5", "6", "10"}, "chunks that a work-item loads at a time"},
              {"QUEUE", "512", {"64", "256", "512", "1024"}, "number of candidates decided at a time"}},
             {.fp64 = true, .local_bytes = 28 << 10}, {basic, counts(), columns(8), rows(8)}, 120),
         make_packed_kernels},
        {described(
             "screened", "Smallest windows first",
             "Work-items walk down rows of several frames; the largest of 8 neighbours is compared with the "
             "smallest window, and pixels that pass are decided immediately.",
             "gpu/spots/screened/screened.cl", {"masked_windows", "screen_tiles"},
             {{"WG", "32", {"32", "64", "128"}, "work-items per group"},
              {"ACROSS", "32", {"8", "16", "32"}, "work-items of 8 columns across a tile"},
              {"RUN", "22", {"8", "15", "22"}, "rows that a work-item walks down"},
              {"AHEAD", "1", {"1", "2", "3"}, "rows that a work-item loads ahead"},
              {"FRAMES", "16", {"1", "2", "4", "8", "16", "32"}, "frames per launch"},
              {"MAX_REGISTERS", "72", {"64", "72", "80", "96", "128"}, "registers per work-item (NVIDIA)"}},
             {.fp64 = true, .local_bytes = 28 << 10}, {basic, counts(), columns(8), rows(4)}, 125),
         make_screened_kernels,
         {{"CPU", "", {{"FRAMES", "1"}}}}},
        {vectors, make_vector_kernels},
        {described("extended.fused", "Extended dispersion on rows of a grid",
                   "Every fifth row is tested completely; other rows and the background are tested only "
                   "where erosion may keep something.",
                   "gpu/spots/extended/extended.cl", {"masked_windows", "keep", "over_background"},
                   {{"LANES", "32", {"16", "32"}, "work-items of 8 columns across a group"},
                    {"WG", "128", {"32", "64", "128"}, "work-items per group"}},
                   {.fp64 = true, .local_bytes = 30 << 10}, {extended, counts()}, 50),
         make_grid_rows_kernels},
        {strips, make_vector_extended_kernels, deciding_processors()},
        {described("extended.direct", "Extended dispersion, sums in order",
                   "All sums are computed anew in the definition's order, which floats require; erosion "
                   "works on one word at a time.",
                   "gpu/spots/extended/extended_direct.cl", {"dispersed", "erode", "over_background"},
                   {{"V", "4", {"4", "8", "16"}, "pixels per work-item"},
                    {"STRIP", "32", {"8", "16", "32", "64"}, "rows that a work-item walks down"},
                    decide_group(),
                    decide_words()},
                   doubles, {extended}, 30, {"gpu/spots/extended/erode.cl"}),
         make_direct_extended_kernels, deciding_processors()},
        {article, make_brute_extended_kernels},
    };
}

std::vector<ClVariant> cl_variants() {
    std::vector<ClVariant> all;
    for (SpotVariant& row : spot_variants())
        all.push_back({std::move(row.info),
                       [make = row.make](const ks::spots::SpotProblem& problem, LaunchContext& context) {
                           return launch_spots(problem, context, make);
                       },
                       std::move(row.tuning)});
    return all;
}

}  // namespace ks::gpu::spots
