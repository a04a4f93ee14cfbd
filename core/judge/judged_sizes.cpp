#include "core/judge/judged_sizes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "core/base/error.h"
#include "core/judge/has_word.h"
#include "core/run/user/text_defines.h"

namespace ks {
namespace {

/// Sizes for an analysis: smaller than a group, divisible by one, several groups in each dimension.
using ThreeProblems = std::array<ParameterSet, 3>;

ParameterSet whole_numbers(std::initializer_list<std::pair<const char*, std::int64_t>> values) {
    ParameterSet set;
    for (const auto& [id, value] : values) set[id] = value;
    return set;
}

ThreeProblems of_one_size(const char* id, std::int64_t several) {
    return {whole_numbers({{id, 7}}), whole_numbers({{id, 256}}), whole_numbers({{id, several}})};
}

ThreeProblems of_ranges() {
    ThreeProblems all;
    for (std::size_t i = 0; const char* range : {"range:7", "range:64", "range:300"}) {
        for (const char* id : {"x", "y"}) all[i][id] = std::string(range);
        ++i;
    }
    return all;
}

ParameterSet frames_of(std::int64_t frames, std::int64_t height, std::int64_t width) {
    ParameterSet set = whole_numbers({{"frames", frames}, {"height", height}, {"width", width}});
    set["ring_width"] = 3.0;  // gives several bins in such a small frame
    return set;
}

ThreeProblems of_frames() {
    return {frames_of(5, 7, 9), frames_of(16, 16, 16), frames_of(19, 17, 19)};
}

/// Besides sizes, these set numbers of repetitions and parameters that only make the work longer.
const std::map<std::string, ThreeProblems>& problems() {
    static const std::map<std::string, ThreeProblems> all{
        {"vector_add", of_one_size("size", 2500)},
        {"multiply", of_one_size("size", 2500)},
        {"map", of_one_size("size", 2500)},
        {"reduce", of_one_size("size", 2500)},
        {"dot", of_one_size("size", 2500)},
        {"scan", of_one_size("size", 2500)},
        {"matmul",
         {whole_numbers({{"size", 7}}), whole_numbers({{"size", 16}}), whole_numbers({{"size", 70}})}},
        {"index_space",
         {whole_numbers({{"global_x", 7}, {"global_y", 3}}),
          whole_numbers({{"global_x", 16}, {"global_y", 16}}),
          whole_numbers({{"global_x", 37}, {"global_y", 19}})}},
        {"printf",
         {whole_numbers({{"items", 7}}), whole_numbers({{"items", 8}}), whole_numbers({{"items", 16}})}},
        {"buffers",
         {whole_numbers({{"elements", 7}, {"repeats", 1}}), whole_numbers({{"elements", 64}, {"repeats", 1}}),
          whole_numbers({{"elements", 300}, {"repeats", 1}})}},
        {"copy",
         {whole_numbers({{"depth", 1}, {"height", 5}, {"width", 7}}),
          whole_numbers({{"depth", 2}, {"height", 16}, {"width", 32}}),
          whole_numbers({{"depth", 3}, {"height", 37}, {"width", 70}})}},
        {"memory_spaces",
         {whole_numbers({{"largest", 64}, {"items", 7}, {"passes", 3}, {"repeats", 1}}),
          whole_numbers({{"largest", 256}, {"items", 64}, {"passes", 3}, {"repeats", 1}}),
          whole_numbers({{"largest", 1024}, {"items", 300}, {"passes", 3}, {"repeats", 1}})}},
        {"images",
         {whole_numbers({{"width", 7}, {"height", 5}}), whole_numbers({{"width", 16}, {"height", 16}}),
          whole_numbers({{"width", 37}, {"height", 19}})}},
        {"atomics",
         {whole_numbers({{"items", 7}, {"calls", 2}, {"repeats", 1}}),
          whole_numbers({{"items", 64}, {"calls", 2}, {"repeats", 1}}),
          whole_numbers({{"items", 600}, {"calls", 2}, {"repeats", 1}})}},
        {"synchronise",
         {whole_numbers({{"groups", 1}, {"local_size", 7}, {"repeats", 1}, {"increments", 100}}),
          whole_numbers({{"groups", 2}, {"local_size", 16}, {"repeats", 1}, {"increments", 100}}),
          whole_numbers({{"groups", 5}, {"local_size", 19}, {"repeats", 1}, {"increments", 100}})}},
        {"tasks",
         {whole_numbers({{"size", 7}, {"steps", 4}}), whole_numbers({{"size", 64}, {"steps", 4}}),
          whole_numbers({{"size", 300}, {"steps", 4}})}},
        {"expression", of_ranges()},
        {"clusters",
         {whole_numbers({{"events", 1}, {"modules", 1}, {"digis", 7}, {"clusters", 3}}),
          whole_numbers({{"events", 1}, {"modules", 2}, {"digis", 64}, {"clusters", 20}}),
          whole_numbers({{"events", 2}, {"modules", 5}, {"digis", 200}, {"clusters", 70}})}},
        {"particles",
         {whole_numbers({{"points", 7}, {"planes", 2}}), whole_numbers({{"points", 64}, {"planes", 4}}),
          whole_numbers({{"points", 70}, {"planes", 11}})}},
        {"spots",
         {whole_numbers({{"height", 31}, {"width", 31}, {"spots", 2}}),
          whole_numbers({{"height", 32}, {"width", 32}, {"spots", 2}}),
          whole_numbers({{"height", 37}, {"width", 70}, {"spots", 4}})}},
        {"xpcs", of_frames()}};
    return all;
}

ParameterSet with(ParameterSet set, const ParameterSet& more) {
    for (const auto& [id, value] : more) set[id] = value;
    return set;
}

ParameterSet points_on(std::int64_t points, std::int64_t planes, const ParameterSet& more = {}) {
    return with(whole_numbers({{"points", points}, {"planes", planes}}), more);
}

ParameterValue word(const char* text) {
    return std::string(text);
}

ParameterSet cuts_of_two_layers() {
    return {{"charge_cut", word("5000,20000")}};
}

/// So many that bins of columns hold several. With more than 16 pixels in a column, duplicates are found
/// without a map.
ParameterSet in_many_columns(std::int64_t extent_x, const char* duplicates) {
    return with(whole_numbers({{"events", 1},
                               {"modules", 1},
                               {"digis", 20},
                               {"clusters", 5},
                               {"extent_x", extent_x},
                               {"extent_y", 65536}}),
                {{"layout", word("free")}, {"critical", word("lists")}, {"duplicates", word(duplicates)}});
}

ParameterSet critical(double background, const ParameterSet& more = {}) {
    return with(whole_numbers({{"frames", 2}, {"height", 140}, {"width", 150}}),
                with({{"background", background}, {"critical", true}}, more));
}

ParameterSet few_counts(const ParameterSet& more = {}) {
    return critical(0.02, with(whole_numbers({{"spots", 0}}), more));
}

/// One element more than fit whole groups, vectors and tiles.
ParameterSet one_beyond_groups() {
    return whole_numbers({{"size", 1025}});
}

/// More pieces of up to 16 elements than 16 bits can number, the last of which has only three elements.
ParameterSet beyond_pieces() {
    return whole_numbers({{"size", 65537 * 16 + 3}});
}

/// Longer than any group needs that combines several loads of vectors at a time.
ParameterSet of_many_elements() {
    return whole_numbers({{"size", 10000019}});
}

ParameterSet one_integer(const char* operation, std::int64_t seed) {
    return {{"operation", word(operation)}, {"type", word("u32")}, {"size", std::int64_t{1}}, {"seed", seed}};
}

/// Sizes, numbers and texts that use kernels, or parts of them, which have nothing to do with the default: of
/// the host (tiles of frames, cells of sources) or of the kernel (edges that a spot touches). Each is tried
/// with the last problem of the analysis, on the device only, after the values of other_values(). The table
/// in docs/dev/testing.md says what each of them is for.
const std::map<std::string, std::vector<ParameterSet>>& other_choices() {
    static const std::map<std::string, std::vector<ParameterSet>> all{
        // modules of two layers, whose cuts differ; several digis at each pixel, dropped and kept; modules
        // beyond the limits of groups, and beside them small ones
        {"clusters",
         {with(whole_numbers({{"modules", 120}, {"digis", 600}, {"clusters", 200}}), cuts_of_two_layers()),
          whole_numbers({{"repeated", 50}}),
          with(whole_numbers({{"repeated", 600}, {"invalid", 9}}),
               {{"connectivity", word("4")}, {"duplicates", word("keep")}}),
          whole_numbers({{"events", 1}, {"modules", 4}, {"digis", 14000}, {"clusters", 9}}),
          // more events than a processor has threads
          whole_numbers({{"events", 40}, {"modules", 2}, {"digis", 40}, {"clusters", 15}}),
          // digis that are dropped in clusters below a cut
          with(whole_numbers({{"repeated", 50}}), {{"charge_cut", word("5000")}}),
          // as many digis as the arrays of two kernels hold
          whole_numbers({{"events", 1}, {"modules", 1}, {"digis", 2048}, {"clusters", 500}}),
          whole_numbers({{"events", 1}, {"modules", 1}, {"digis", 6000}, {"clusters", 1500}}),
          // the charge of one of the clusters
          {{"charge_cut", word("9039")}},
          {{"charge_cut", word("0")}},
          // the same pixels in very many modules; modules with more columns than a group holds at a time
          with(whole_numbers({{"events", 1},
                              {"modules", 600},
                              {"digis", 60000},
                              {"clusters", 12000},
                              {"extent_x", 16},
                              {"extent_y", 16},
                              {"repeated", 3000}}),
               {{"layout", word("free")}, {"duplicates", word("drop")}}),
          with(whole_numbers({{"events", 1},
                              {"modules", 4},
                              {"digis", 1600},
                              {"clusters", 400},
                              {"extent_x", 160},
                              {"extent_y", 4000},
                              {"repeated", 200}}),
               {{"layout", word("free")}, {"duplicates", word("drop")}}),
          // more digis of an event than 16 bits can number, in small modules; as many events as some devices
          // need for each to be a block of its own (`map.cpu`)
          whole_numbers({{"events", 4}, {"modules", 200}, {"digis", 72000}, {"clusters", 18000}}),
          // columns and rows of 16 bits, with digis that are adjacent only if numbers of pixels wrap
          with(whole_numbers({{"events", 1},
                              {"modules", 1},
                              {"digis", 20000},
                              {"clusters", 5000},
                              {"extent_x", 65536},
                              {"extent_y", 8}}),
               {{"layout", word("free")}, {"critical", word("16_bits")}}),
          with(whole_numbers({{"events", 1},
                              {"modules", 1},
                              {"digis", 2000},
                              {"clusters", 500},
                              {"extent_x", 8},
                              {"extent_y", 65536}}),
               {{"layout", word("free")}, {"critical", word("16_bits")}}),
          // a digi in the last of both, whose number has all bits set, as that of padding may have
          with(whole_numbers({{"events", 1},
                              {"modules", 2},
                              {"digis", 300},
                              {"clusters", 100},
                              {"extent_x", 65536},
                              {"extent_y", 65536}}),
               {{"layout", word("free")}, {"critical", word("16_bits")}}),
          // charges beyond 16 bits, and of a cluster beyond 32
          {{"charge_cut", word("5000")}, {"critical", word("16_bits")}},
          {{"charge_cut", word("5000")}, {"critical", word("32_bits")}},
          // more neighbours than lists hold, of pixels and of digis that share one; columns in order, and in
          // bins of several
          {{"critical", word("lists")}, {"duplicates", word("keep")}},
          {{"critical", word("lists")}, {"duplicates", word("keep")}, {"connectivity", word("4")}},
          in_many_columns(8, "keep"),
          in_many_columns(32, "drop"),
          // more digis in a module than 16 bits can number
          with(whole_numbers({{"events", 1},
                              {"modules", 1},
                              {"digis", 70000},
                              {"clusters", 20000},
                              {"extent_x", 600},
                              {"extent_y", 600}}),
               {{"layout", word("free")}, {"duplicates", word("drop")}})}},
        // integers, whose differences wrap; nine values without the sign of a wrong neutral element
        {"reduce",
         {one_beyond_groups(),
          of_many_elements(),
          {{"operation", word("min")}, {"type", word("u32")}},
          {{"operation", word("max")}, {"type", word("u32")}},
          {{"operation", word("min")}, {"size", std::int64_t{9}}, {"seed", std::int64_t{950}}},
          {{"operation", word("max")}, {"size", std::int64_t{9}}, {"seed", std::int64_t{856}}},
          // one integer, which is smaller or larger than nearly any wrong neutral element
          one_integer("min", 15573268),
          one_integer("max", 32721788)}},
        {"dot", {one_beyond_groups(), of_many_elements()}},
        {"scan", {one_beyond_groups(), of_many_elements()}},
        {"vectors",
         {{{"a", word("-8,11,6,-5")},
           {"b", word("3,-7,2,9")},
           {"f", word("0.5,-2,7,11")},
           {"c", word("17.5,-0.4,300,91.6")}},
          {{"a", word("1,2,3,4")}, {"b", word("1,5,6,7")}, {"f", word("8,9,10,11")}},
          {{"a", word("1,2,3,4")}, {"b", word("2,3,4,5")}},
          // comparisons that are true for no element, for one, and for all but one; differences that wrap,
          // and products beyond the whole numbers of floats and beyond 32 bits
          {{"a", word("2147483647,6,7,8")}, {"b", word("-2147483648,6,3,4")}},
          {{"a", word("-100003,99991,16777259,46349")}, {"b", word("99991,-100003,46337,4099")}},
          {{"a", word("5,-2147483648,7,8")}, {"b", word("1,2147483647,3,4")}},
          {{"a", word("5,6,3,8")}, {"b", word("1,2,4,4")}},
          {{"a", word("5,6,7,3")}, {"b", word("1,2,3,4")}, {"f", word("-0.1,1e30,65537,3")}},
          {{"a", word("1,6,3,4")}, {"b", word("2,3,4,5")}},
          {{"a", word("1,2,6,4")}, {"b", word("2,3,4,5")}},
          {{"a", word("1,2,3,6")}, {"b", word("2,3,4,5")}}}},
        {"images",
         {{{"normalised", true}, {"addressing", word("repeat")}, {"shift_x", 9.0}},
          {{"normalised", true}, {"addressing", word("mirrored_repeat")}, {"shift_y", -7.0}},
          {{"zoom", 2.5}, {"shift_x", 3.25}, {"filter", word("linear")}},
          whole_numbers({{"height", 33}, {"width", 65}}),
          // more rows and columns than 8 bits, more pixels than 16 bits can number; more layers and slices
          whole_numbers({{"height", 600}, {"width", 300}}),
          with(whole_numbers({{"depth", 300}}), {{"kind", word("2d_array")}}),
          with(whole_numbers({{"depth", 300}}), {{"kind", word("3d")}})}},
        {"copy",
         {whole_numbers({{"dimensions", 1}}), whole_numbers({{"dimensions", 2}}),
          whole_numbers({{"height", 65}, {"width", 129}}),
          // more rows than 16 bits can number, in several slices, in one, and in each; more slices
          whole_numbers({{"depth", 700}, {"height", 100}, {"width", 3}}),
          whole_numbers({{"dimensions", 2}, {"depth", 1}, {"height", 70000}, {"width", 3}}),
          whole_numbers({{"depth", 2}, {"height", 70000}, {"width", 3}}),
          whole_numbers({{"depth", 70000}, {"height", 2}, {"width", 3}}),
          // more values of a row, and pieces of up to 16 of them, than 16 bits can number; of an array
          // without rows more than floats can, and pieces of up to 256
          whole_numbers({{"depth", 2}, {"height", 2}, {"width", 65537 * 16 + 3}}),
          whole_numbers({{"dimensions", 2}, {"depth", 1}, {"height", 2}, {"width", 65537 * 16 + 3}}),
          whole_numbers({{"dimensions", 1}, {"depth", 1}, {"height", 1}, {"width", 65536 * 256 + 19}})}},
        // more work-items than 8 and 16 bits can number
        {"printf", {whole_numbers({{"items", 300}})}},
        {"atomics", {whole_numbers({{"items", 70000}})}},
        {"synchronise", {whole_numbers({{"groups", 1100}, {"local_size", 64}, {"increments", 1}})}},
        {"tasks", {whole_numbers({{"size", 70000}})}},
        {"matmul", {whole_numbers({{"size", 65}})}},
        {"memory_spaces", {whole_numbers({{"items", 70000}})}},
        {"vector_add", {one_beyond_groups(), beyond_pieces()}},
        {"multiply", {one_beyond_groups(), beyond_pieces()}},
        // other coefficients than a text may hold instead of its arguments
        {"map",
         {{{"k1", -0.75}, {"k2", 1.5}},
          {{"k1", 0.0}, {"k2", 1.5}},
          {{"k1", -0.75}, {"k2", 0.0}},
          one_beyond_groups(),
          beyond_pieces()}},
        // vectors that differ, other expressions
        {"expression",
         {{{"x", word("range:1025")}, {"y", word("range:1025")}},
          // more values than the launch has work-items, and than 16 bits can number
          {{"x", word("range:70000")}, {"y", word("range:70000")}},
          {{"x", word("1,2,3,4,5")}, {"y", word("6,-7,8,9,2.5")}},
          {{"x", word("1,2,3,4,5")},
           {"y", word("6,7,8,9,12.5")},
           {"map_expression", word("x[i]-y[i]")},
           {"reduce_expression", word("max(a,b)")},
           {"neutral", word("-1000.0f")}}}},
        {"index_space",
         {whole_numbers({{"dimensions", 1}}),
          whole_numbers({{"dimensions", 3},
                         {"global_x", 24},
                         {"global_y", 12},
                         {"global_z", 4},
                         {"local_x", 4},
                         {"local_y", 3},
                         {"local_z", 2}}),
          // more work-items than 16 bits can number along each dimension, and groups along x: GPUs may limit
          // the number of groups along the others
          whole_numbers({{"dimensions", 1}, {"global_x", 70000}, {"local_x", 1}}),
          whole_numbers({{"global_x", 3}, {"global_y", 70000}, {"local_x", 1}, {"local_y", 4}}),
          whole_numbers({{"dimensions", 3},
                         {"global_x", 3},
                         {"global_y", 2},
                         {"global_z", 70000},
                         {"local_x", 1},
                         {"local_y", 1},
                         {"local_z", 4}})}},
        // more sources than a tile or a cell holds, the terms of the other kernels, sources at targets, cells
        // far from targets, more targets than 16 bits can number, all that is computed besides. The number of
        // targets is odd. (The small problem has many targets in a row.)
        {"particles",
         {points_on(1100, 3, {{"weights", word("signed")}}),
          points_on(70, 5, {{"kernel", word("laplace")}}),
          points_on(70, 5, {{"kernel", word("helmholtz")}}),
          points_on(129, 6, {{"kernel", word("laplace")}, {"shape", word("lattice")}}),
          // several of them at one target
          points_on(
              129, 6,
              {{"kernel", word("laplace")}, {"shape", word("lattice")}, {"repeated", std::int64_t{90}}}),
          points_on(65537, 2, {{"kernel", word("laplace")}}),
          points_on(40, 149),
          points_on(70, 5, {{"kernel", word("helmholtz")}, {"weights", word("complex")}}),
          points_on(70, 5, {{"kernel", word("helmholtz")}, {"wavenumber", -7.0}}),
          points_on(70, 5, {{"kernel", word("helmholtz")}, {"wavenumber", 0.0}}),
          points_on(70, 5, {{"kernel", word("helmholtz")}, {"gradient", word("on")}, {"wavenumber", 0.0}}),
          points_on(70, 5, {{"kernel", word("helmholtz")}, {"gradient", word("on")}}),
          points_on(70, 5, {{"weights", word("complex")}, {"vectors", std::int64_t{2}}}),
          points_on(70, 5, {{"kernel", word("helmholtz")}, {"gradient", word("on")}, {"wavenumber", -7.0}}),
          points_on(300, 19, {{"kernel", word("laplace")}, {"gradient", word("on")}}),
          // sources at targets, where the direction of the gradient is undefined
          points_on(129, 6,
                    {{"kernel", word("laplace")}, {"gradient", word("on")}, {"shape", word("lattice")}}),
          points_on(129, 6,
                    {{"kernel", word("helmholtz")}, {"gradient", word("on")}, {"shape", word("lattice")}}),
          // each choice with each other one; several vectors that fit into a launch, and those that do not
          points_on(70, 5, {{"kernel", word("helmholtz")}, {"vectors", std::int64_t{2}}}),
          points_on(70, 5,
                    {{"kernel", word("laplace")}, {"gradient", word("on")}, {"vectors", std::int64_t{2}}}),
          points_on(70, 5,
                    {{"kernel", word("laplace")}, {"gradient", word("on")}, {"weights", word("complex")}}),
          points_on(70, 5,
                    {{"kernel", word("helmholtz")},
                     {"gradient", word("on")},
                     {"precision", word("f64")},
                     {"weights", word("complex")},
                     {"vectors", std::int64_t{2}}}),
          points_on(300, 5, {{"kernel", word("laplace")}, {"precision", word("f64")}}),
          points_on(300, 5, {{"vectors", std::int64_t{3}}}),
          // targets with several lists of cells (`treecode`)
          {{"points", std::int64_t{4000}},
           {"planes", std::monostate{}},
           {"grid", std::int64_t{12}},
           {"kernel", word("laplace")}},
          {{"points", std::int64_t{300}}, {"planes", std::monostate{}}, {"grid", std::int64_t{5}}},
          {{"points", std::int64_t{300}}, {"planes", std::monostate{}}, {"targets", std::int64_t{333}}},
          // rows of a cube longer than a block of vectors; in double precision
          {{"points", std::int64_t{7}},
           {"planes", std::monostate{}},
           {"grid", std::int64_t{67}},
           {"kernel", word("laplace")}},
          {{"points", std::int64_t{20}},
           {"planes", std::monostate{}},
           {"grid", std::int64_t{35}},
           {"precision", word("f64")}},
          // a single source and a single target on each plane
          points_on(1, 1, {{"sigma", 1.0}})}},
        // spots in each row and column, at each edge; modules, the last of them at the end of a frame, and
        // windows that are not square; pixels without counts; counts that some kernels clip, in the tiles of
        // spots alone, in every window, and beyond what sums of squares in 32 bits can hold
        {"spots",
         {// several bands of rows and strips of columns, the last band of a single row
          whole_numbers({{"height", 257}, {"width", 1100}, {"spots", 300}}),
          whole_numbers({{"frames", 10}, {"spots", 150}}),
          whole_numbers({{"frames", 4}, {"height", 128}, {"width", 130}, {"spots", 240}}),
          with(whole_numbers({{"frames", 2}, {"height", 106}, {"width", 101}, {"spots", 130}}),
               {{"modules", word("34,31,2,4")}, {"kernel", word("2,4")}}),
          with(whole_numbers({{"spots", 40}}), {{"background", 0.1}}),
          with(whole_numbers({{"frames", 3}, {"width", 130}, {"spots", 300}}), {{"background", 750.0}}),
          with(whole_numbers({{"spots", 40}}), {{"background", 1250.0}}),
          with(whole_numbers({{"spots", 150}}), {{"background", 10000.0}}),
          // a last column and a last row of their own
          whole_numbers({{"height", 129}, {"width", 129}, {"spots", 120}}),
          // counts at the thresholds, masked pixels with counts, windows of two pixels; other thresholds
          critical(30), critical(900), critical(10000), critical(30, {{"threshold", 45.0}}),
          critical(30, {{"sigma_b", 3.5}, {"sigma_s", 5.0}}), critical(30, {{"gain", 2.5}}),
          critical(30, {{"sigma_b", 0.0}, {"sigma_s", 0.0}}), critical(30, {{"min_local", std::int64_t{30}}}),
          critical(30, {{"kernel", word("15,4")}}), critical(30, {{"kernel", word("8,3")}}),
          critical(30, {{"kernel", word("1,1")}, {"saturation", 150.0}}),
          // counts of other types
          critical(30, {{"type", word("u32")}}), critical(30, {{"type", word("f32")}}),
          critical(30, {{"type", word("u8")}}),
          // each of them with a gain, the widest windows in the other direction, and negative counts, of
          // some pixels and of whole windows
          critical(30, {{"type", word("u8")}, {"gain", 2.5}}),
          critical(30, {{"type", word("u32")}, {"gain", 2.5}, {"kernel", word("4,15")}}),
          critical(30, {{"type", word("f32")}, {"dark", 28.0}}),
          critical(30, {{"type", word("f32")}, {"dark", 31.0}, {"gain", 2.5}, {"threshold", -9.0}}),
          // products of counts and of pixels of a window beyond 32 bits
          critical(30, {{"type", word("u32")}, {"kernel", word("10,10")}}),
          critical(30, {{"extended_rule", word("older")}}),
          // hardly any counts, so that few are enough
          few_counts(), few_counts({{"type", word("u32")}}), few_counts({{"kernel", word("8,3")}})}},
        // more pixels per bin than a group reads at a time; counts that need all 8 bits; sums of products
        // beyond 16 bits, and beyond 32; frames and pairs of frames without counts. (The small problem has
        // more frames than a tile of pairs.)
        {"xpcs",
         {frames_of(19, 90, 91), with(frames_of(19, 17, 19), {{"mean", 150.0}}),
          with(frames_of(19, 17, 19), {{"type", word("u16")}, {"mean", 1000.0}}),
          with(frames_of(19, 90, 91), {{"type", word("u16")}, {"mean", 60000.0}}),
          with(frames_of(19, 17, 19), {{"kind", word("speckle")}, {"mean", 0.005}}),
          // more pixels, also in a bin, than 16 bits can number; more frames than a group reads at a time
          with(frames_of(7, 400, 401), {{"kind", word("speckle")}, {"mean", 250.0}, {"ring_width", 100.0}}),
          with(frames_of(3, 400, 401),
               {{"kind", word("speckle")}, {"mean", 60000.0}, {"type", word("u16")}, {"ring_width", 100.0}}),
          // counts beyond 16 bits, sums of products beyond 53
          with(frames_of(3, 90, 91), {{"type", word("u32")}, {"mean", 1e7}, {"ring_width", 20.0}}),
          // more bins than 8 bits can number
          with(frames_of(3, 1, 651), {{"ring_width", 1.0}}),
          with(frames_of(1100, 3, 4), {{"mean", 150.0}, {"ring_width", 1.5}}),
          // sums of products beyond 32 bits within a piece of a level
          with(frames_of(64, 40, 41), {{"type", word("u16")}, {"mean", 1000.0}, {"ring_width", 20.0}}),
          // sums beyond 32 bits of products that still are far below
          with(frames_of(3, 90, 91), {{"type", word("u16")}, {"mean", 25000.0}, {"ring_width", 22.0}}),
          // maps of sums that are no whole numbers, and of frames without counts
          with(frames_of(19, 17, 19), {{"two_time", true}, {"type", word("f32")}, {"dark", 5.0}}),
          with(frames_of(19, 17, 19), {{"two_time", true}, {"kind", word("speckle")}, {"mean", 0.005}}),
          // tiles of the map beside the diagonal
          with(frames_of(150, 7, 9), {{"two_time", true}}), frames_of(65, 9, 13)}}};
    return all;
}

/// The other values of switches and words, one at a time.
std::vector<ParameterSet> other_values(const AnalysisInfo& info) {
    /// Values that say nothing about a kernel, or that only together with others make a problem.
    struct Exception {
        const char *analysis, *parameter;
        const char* value = nullptr;  ///< null: all of them
    };
    static constexpr std::array exceptions{Exception{"buffers", "write_to_read_only"},  // wrong on purpose
                                           Exception{"clusters", "layout"},    // of other numbers of modules
                                           Exception{"clusters", "critical"},  // with a charge cut
                                           Exception{"images", "addressing", "repeat"},
                                           Exception{"images", "addressing", "mirrored_repeat"},
                                           Exception{"particles", "weights", "none"},  // as ones
                                           Exception{"spots", "algorithm"},  // a variant has its own
                                           Exception{"spots", "critical"},
                                           Exception{"spots", "type"}};  // with critical windows
    const auto is_tried = [&](const ParameterSpec& spec, const ParameterValue& value) {
        return value != spec.default_value && std::ranges::none_of(exceptions, [&](const Exception& one) {
                   return info.id == one.analysis && spec.id == one.parameter &&
                          (one.value == nullptr || value == word(one.value));
               });
    };
    std::vector<ParameterSet> all;
    for (const ParameterSpec& spec : info.benchmark) {
        std::vector<ParameterValue> values;
        if (spec.type == ParameterType::boolean) values = {true, false};
        if (spec.type == ParameterType::choice) values.assign(spec.choices.begin(), spec.choices.end());
        for (ParameterValue& value : values)
            if (is_tried(spec, value)) all.push_back({{spec.id, std::move(value)}});
    }
    return all;
}

/// The problems that the host divides wherever it can. Without a row: the last one of the analysis.
const std::map<std::string, std::vector<ParameterSet>>& problems_in_parts() {
    static const std::map<std::string, std::vector<ParameterSet>> all{
        {"clusters",
         {with(whole_numbers({{"events", 3}, {"modules", 120}, {"digis", 600}, {"clusters", 200}}),
               cuts_of_two_layers())}},
        // The last launch over sources has a single one. Each source counts at each target.
        {"particles",
         {points_on(1025, 11, {{"sigma", 1.0}}), points_on(1025, 11, {{"kernel", word("helmholtz")}})}},
        {"spots", {whole_numbers({{"frames", 10}, {"spots", 150}})}},
        {"xpcs", {frames_of(150, 7, 9)}}};
    return all;
}

/// Small problems with choices that are compiled to other branches of kernels, as many of them at a time as
/// have nothing to do with each other: they are simulated, and simulations take longer than runs.
const std::map<std::string, std::vector<ParameterSet>>& simulated_choices() {
    static const std::map<std::string, std::vector<ParameterSet>> all{
        {"reduce",
         {{{"size", std::int64_t{600}}, {"operation", word("min")}, {"type", word("u32")}},
          {{"size", std::int64_t{600}}, {"operation", word("max")}}}},
        {"copy", {whole_numbers({{"dimensions", 1}}), whole_numbers({{"dimensions", 2}})}},
        {"clusters",
         {with(whole_numbers({{"events", 1}, {"modules", 2}, {"digis", 64}, {"clusters", 20}}),
               {{"charge_cut", word("5000")}, {"repeated", std::int64_t{20}}, {"critical", word("16_bits")}}),
          with(whole_numbers({{"events", 1}, {"modules", 2}, {"digis", 64}, {"clusters", 20}}),
               {{"connectivity", word("4")}, {"duplicates", word("keep")}, {"repeated", std::int64_t{20}}})}},
        // sources at targets; targets at points and in a cube, not as many as fill groups
        {"particles",
         {points_on(27, 3, {{"kernel", word("laplace")}, {"shape", word("lattice")}}),
          points_on(7, 2, {{"kernel", word("laplace")}, {"gradient", word("on")}}),
          {{"points", std::int64_t{7}},
           {"planes", std::monostate{}},
           {"targets", std::int64_t{33}},
           {"kernel", word("helmholtz")},
           {"weights", word("complex")},
           {"vectors", std::int64_t{2}}},
          {{"points", std::int64_t{7}},
           {"planes", std::monostate{}},
           {"grid", std::int64_t{3}},
           {"precision", word("f64")}}}},
        {"spots",
         {with(whole_numbers({{"height", 31}, {"width", 31}, {"spots", 2}}),
               {{"type", word("u32")}, {"modules", word("15,15,1,1")}, {"kernel", word("2,4")}}),
          with(whole_numbers({{"height", 31}, {"width", 31}, {"spots", 2}}),
               {{"type", word("f32")}, {"saturation", 150.0}})}},
        {"xpcs",
         {with(frames_of(5, 7, 9), {{"two_time", true}}), with(frames_of(5, 7, 9), {{"type", word("u16")}}),
          with(frames_of(5, 7, 9), {{"type", word("f32")}})}}};
    return all;
}

/// Problems of an analysis on the device besides the usual ones: what differs from the last one of these.
std::vector<ParameterSet> further_problems(const AnalysisInfo& info) {
    std::vector<ParameterSet> all = other_values(info);
    if (const auto known = other_choices().find(info.id); known != other_choices().end())
        all.insert(all.end(), known->second.begin(), known->second.end());
    return all;
}

std::vector<ParameterSet> further_problems_in_parts(const AnalysisInfo& info) {
    const auto known = problems_in_parts().find(info.id);
    return known == problems_in_parts().end() ? std::vector{ParameterSet()} : known->second;
}

constexpr const char* group_size = "local_size";

/// Whether the driver chooses the group size if it is not given.
bool driver_may_choose_group(const AnalysisInfo& info) {
    const auto spec = std::ranges::find(info.benchmark, group_size, &ParameterSpec::id);
    return spec != info.benchmark.end() && spec->absent.has_value();
}

/// What the simulator gets instead of a choice that is wrong on purpose.
ParameterSet quiet(const AnalysisInfo& info) {
    ParameterSet set;
    for (const ParameterSpec& spec : info.benchmark)
        if (spec.id == "write_to_read_only") set[spec.id] = false;
    return set;
}

/// A size of a range, and the local size whose multiple it has to be.
struct RangeSize {
    const char *analysis, *global, *local;
};
constexpr std::array range_sizes{RangeSize{"index_space", "global_x", "local_x"},
                                 RangeSize{"index_space", "global_y", "local_y"},
                                 RangeSize{"index_space", "global_z", "local_z"}};

ParameterSet whole_groups(const AnalysisInfo& info, ParameterSet sizes, const ParameterSet& given) {
    const ParameterSet usual = defaults(info.benchmark);
    for (const RangeSize& range : range_sizes) {
        if (info.id != range.analysis || given.contains(range.global) || !given.contains(range.local))
            continue;
        const auto* local = std::get_if<std::int64_t>(&given.at(range.local));
        if (local == nullptr || *local < 1) continue;
        const auto at = sizes.find(range.global);
        const std::int64_t global = integer(at == sizes.end() ? usual : sizes, range.global);
        sizes[range.global] = (global + *local - 1) / *local * *local;
    }
    return sizes;
}

/// Whether the analysis takes a range of so many work-items: given local sizes may have made it larger.
bool is_range_taken(const AnalysisInfo& info, const ParameterSet& sizes) {
    double items = 1;
    std::int64_t dimension = 0;
    for (const RangeSize& range : range_sizes) {
        if (info.id != range.analysis || dimension++ >= integer(sizes, "dimensions")) continue;
        items *= static_cast<double>(integer(sizes, range.global));
        const auto spec = std::ranges::find(info.benchmark, range.global, &ParameterSpec::id);
        if (spec != info.benchmark.end() && items > spec->maximum.value_or(items)) return false;
    }
    return true;
}

ParameterSet overlaid(ParameterSet with, const ParameterSet& given) {
    for (const auto& [id, value] : given) with[id] = value;
    return with;
}

/// All sizes: given ones override `usual`, and replace it entirely where the two contradict each other.
ParameterSet complete(const Analysis& analysis, const ParameterSet& usual, const ParameterSet& given) {
    try {
        return analysis.benchmark_sizes(overlaid(whole_groups(analysis.info(), usual, given), given));
    } catch (const Error&) {
        return analysis.benchmark_sizes(given);
    }
}

void add_once(std::vector<ParameterSet>& all, ParameterSet one) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
}

/// All combinations of the lists.
std::vector<ParameterSet> combined(const Analysis& analysis, const SizeLists& lists) {
    if (lists.empty()) return {ParameterSet()};
    BenchPlan plan;
    plan.analysis = analysis.info().id;
    plan.sizes = lists;
    plan.sweep = Sweep::product;
    std::vector<ParameterSet> all;
    for (const ParameterSet& complete : bench_points(analysis, plan)) {
        ParameterSet given;
        for (const auto& [id, values] : lists)
            if (const auto value = complete.find(id); value != complete.end()) given.insert(*value);
        all.push_back(std::move(given));
    }
    return all;
}

/// The default values of parameters that neither are sizes nor were given.
ParameterSet usual_values(const AnalysisInfo& info, const SizeLists& given) {
    ParameterSet values = defaults(info.benchmark);
    std::erase_if(values, [&](const auto& value) {
        return is_judged_size(info.id, value.first) || given.contains(value.first);
    });
    return values;
}

/// The smallest allowed value of a definition that is not below `least`; empty: there is none.
std::string value_from(const DefineSpec& define, std::int64_t least) {
    if (define.allowed.empty()) return std::to_string(least);
    for (const std::string& value : define.allowed) {
        std::int64_t number = 0;
        const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (status == std::errc() && end == value.data() + value.size() && number >= least) return value;
    }
    return {};
}

struct SimulatedDefine {
    const char* name;
    std::int64_t least;
    std::vector<std::string> analyses;  ///< empty: all
    bool for_simulator_only = false;    ///< see is_for_simulator_only()
};
const std::vector<SimulatedDefine> simulated_values{{"ATOMIC_READS", 1, {"clusters"}, true},
                                                    {"WG", 16, {"clusters", "particles", "spots"}},
                                                    {"LARGE_WG", 32, {"clusters"}},
                                                    {"DECIDE_WG", 16, {"spots"}}};
/// How far a loop gets per pass: the size of its group, or the elements that a group holds at a time.
const std::vector<SimulatedDefine> step_values{
    {"WG", 16, {}},           {"ITEMS", 1, {"scan"}},      {"WIDTH", 1, {"reduce", "dot"}},
    {"STRIP", 1, {"matmul"}}, {"TILE", 16, {"particles"}}, {"CHUNK", 1, {"xpcs"}},
    {"PIECE", 1, {"xpcs"}}};

/// The smallest allowed values of these definitions, except of those that are given, or chosen by the text.
std::map<std::string, std::string> smallest_values(const std::vector<SimulatedDefine>& of,
                                                   const Variant& variant, const OwnText& own,
                                                   const std::string& shipped,
                                                   const std::map<std::string, std::string>& given) {
    const auto chosen = own.text.empty()
                            ? std::map<std::string, TextDefine>()
                            : chosen_defines(own.text, shipped, host_defines(variant.defines, given));
    const auto of_shipped = text_defines(shipped);
    std::map<std::string, std::string> values;
    for (const SimulatedDefine& simulated : of) {
        const std::string name = simulated.name;
        const auto define = std::ranges::find(variant.defines, name, &DefineSpec::name);
        const bool is_for_it =
            simulated.analyses.empty() || std::ranges::count(simulated.analyses, variant.analysis) > 0;
        if (define == variant.defines.end() || !is_for_it) continue;
        const std::string& in_text = name_in_program(*define);
        const bool is_of_text = !own.text.empty() && define->program_file.empty();
        if (given.contains(name) ||
            (is_of_text && (chosen.contains(in_text) || !has_word(own.with_files, in_text))))
            continue;
        // The launch of the shipped kernel sets it to a value of its own.
        if (is_own_define(*define) && of_shipped.contains(name)) continue;
        if (const std::string value = value_from(*define, simulated.least); !value.empty())
            values[name] = value;
    }
    return values;
}

/// Limited to what the simulator can handle: at most four times its largest size.
ParameterSet simulable(ParameterSet given, const ParameterSet& largest) {
    constexpr std::int64_t most = 4;
    std::erase_if(given, [&](const auto& one) {
        const auto own = largest.find(one.first);
        if (own == largest.end()) return false;
        const auto* value = std::get_if<std::int64_t>(&one.second);
        const auto* limit = std::get_if<std::int64_t>(&own->second);
        return value != nullptr && limit != nullptr && *value > most * *limit;
    });
    return given;
}

}  // namespace

bool is_judged_size(const std::string& analysis, const std::string& id) {
    const auto known = problems().find(analysis);
    return known != problems().end() && known->second.back().contains(id);
}

JudgedSizes sizes_to_judge(const Analysis& analysis, const SizeLists& given) {
    const AnalysisInfo& info = analysis.info();
    const auto known = problems().find(info.id);
    const ThreeProblems* const own = known == problems().end() ? nullptr : &known->second;
    const auto makes_work = [&](const std::string& id) { return own != nullptr && own->back().contains(id); };
    const bool explicitly =
        std::ranges::any_of(given, [&](const auto& list) { return makes_work(list.first); });
    std::vector<ParameterSet> usual;
    if (own != nullptr) usual.assign(own->begin(), own->end());
    // A group size that the driver chooses always divides the range, so nothing is beyond its end.
    if (own != nullptr && !explicitly && driver_may_choose_group(info)) {
        usual.push_back(own->back());
        usual.back()[group_size] = std::int64_t{64};
    }
    JudgedSizes all;
    if (own != nullptr)
        for (const auto& [id, value] : own->back()) all.names.push_back(id);
    all.usual = usual_values(info, given);
    const ParameterSet& last = own == nullptr ? info.small : own->back();
    for (const ParameterSet& one : combined(analysis, given)) {
        add_once(all.on_device, complete(analysis, info.small, one));
        const ParameterSet small = own == nullptr ? one : simulable(one, own->back());
        const bool as_given = small.size() == one.size();
        for (std::size_t i = 0; i < usual.size(); ++i) {
            if (explicitly && as_given && i + 1 < usual.size())
                continue;  // sizes that were not given: the last problem
            if (!explicitly) add_once(all.on_device, complete(analysis, usual[i], small));
            add_once(all.simulated, complete(analysis, usual[i], overlaid(small, quiet(info))));
        }
        if (!explicitly)
            for (const ParameterSet& more : further_problems(info))
                if (ParameterSet sizes = complete(analysis, overlaid(last, more), small);
                    is_range_taken(info, sizes))
                    add_once(all.on_device, std::move(sizes));
        if (own != nullptr && !explicitly)
            for (const ParameterSet& more : further_problems_in_parts(info))
                add_once(all.in_parts, complete(analysis, overlaid(last, more), small));
        if (const auto more = simulated_choices().find(info.id);
            more != simulated_choices().end() && !explicitly)
            for (const ParameterSet& choices : more->second) {
                ParameterSet sizes = complete(analysis, overlaid(last, choices), small);
                add_once(all.on_device, sizes);
                if (std::ranges::find(all.simulated, sizes) == all.simulated.end())
                    add_once(all.simulated_choices, std::move(sizes));
            }
        if (own == nullptr) add_once(all.simulated, complete(analysis, info.small, one));
    }
    return all;
}

std::map<std::string, std::string> simulated_defines(const Variant& variant, const OwnText& own,
                                                     const std::string& shipped,
                                                     const std::map<std::string, std::string>& given) {
    return smallest_values(simulated_values, variant, own, shipped, given);
}

std::map<std::string, std::string> small_steps(const Variant& variant, const OwnText& own,
                                               const std::string& shipped,
                                               const std::map<std::string, std::string>& given) {
    return smallest_values(step_values, variant, own, shipped, given);
}

bool is_for_simulator_only(const std::string& define) {
    return std::ranges::any_of(simulated_values, [&](const SimulatedDefine& one) {
        return one.for_simulator_only && define == one.name;
    });
}

}  // namespace ks
