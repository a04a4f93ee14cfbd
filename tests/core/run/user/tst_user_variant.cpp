#include "core/run/user/user_variant.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/core/run/user/own_variants.h"

namespace user_variant_test {

using namespace ks;
using tests::shipped_variants;

constexpr const char* good_text =
    "// kernelscope variant\n"
    "// base: tiled\n"
    "// title: Tiles of 32 rows\n"
    "// description: Fewer groups.\n"
    "// define: TILE = 32\n"
    "\n"
    "// base: of the kernel, not of the header\n"
    "kernel void find() {}\n";

UserVariant read(const std::string& text, const std::string& file = "/v/spots/mine.cl") {
    return user_variant_of_text("spots", file, text);
}

template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        return error.what();
    }
    return "accepted";
}

std::string refusal_of(const std::string& text) {
    return refusal([&] { as_variant(read(text), text, shipped_variants()); });
}

TEST(UserVariant, a_definition_that_its_base_has_under_another_name_is_not_the_texts_own) {
    std::vector<Variant> shipped = ks::tests::shipped_variants();
    shipped.front().defines = {{"WG", "64", {"1", "64"}, "of another program", {}, "gpu/spots/first.cl"},
                               {"OWN_WG", "128", {"32", "128"}, "of this one", "WG"}};
    const std::string text =
        "#ifndef WG\n#define WG 128\n#endif\n#ifndef MORE\n#define MORE 2\n#endif\n"
        "kernel void find() {}\n";
    const UserVariant own = user_variant_of_text("spots", "/k/spots/mine.cl",
                                                 "// kernelscope variant\n// base: tiled\n\n" + text);
    std::vector<std::string> names;
    for (const DefineSpec& define : as_variant(own, own.text, shipped).defines) names.push_back(define.name);
    EXPECT_EQ(names, (std::vector<std::string>{"WG", "OWN_WG", "MORE"}));
}

TEST(UserVariant, a_header_says_base_title_description_and_defines) {
    const UserVariant variant = read(good_text);
    EXPECT_EQ(variant.id(), "user.mine");
    EXPECT_EQ(variant.base, "tiled");
    EXPECT_EQ(variant.title, "Tiles of 32 rows");
    EXPECT_EQ(variant.description, "Fewer groups.");
    EXPECT_EQ(variant.defines, (std::map<std::string, std::string>{{"TILE", "32"}}));
    EXPECT_EQ(variant.text, good_text);
    EXPECT_EQ(variant.base_line, 2U);
    EXPECT_EQ(variant.define_lines.at("TILE"), 5U);
}

TEST(UserVariant, lines_may_end_as_windows_ends_them) {
    const UserVariant variant =
        read("// kernelscope variant\r\n// base: tiled\r\n\r\nkernel void find() {}\r\n");
    EXPECT_EQ(variant.base, "tiled");
    EXPECT_EQ(variant.title, "mine") << "the name where there is no title";
}

TEST(UserVariant, a_header_that_is_wrong_is_told_with_file_and_line) {
    const std::string start = "// kernelscope variant\n// base: tiled\n";
    EXPECT_EQ(refusal_of("kernel void find() {}\n").find("/v/spots/mine.cl:1: the first line"), 0U);
    EXPECT_EQ(refusal_of("").find("/v/spots/mine.cl:1: the first line"), 0U);
    EXPECT_EQ(refusal_of("// kernelscope variant\nkernel\n")
                  .find("/v/spots/mine.cl: the header does not name the base"),
              0U);
    EXPECT_EQ(refusal_of(start + "// defin: TILE=3\n")
                  .find("/v/spots/mine.cl:3: expected a line that begins with base:, title:"),
              0U);
    EXPECT_EQ(refusal_of(start + "// base: other\n").find("/v/spots/mine.cl:3: base is given twice"), 0U);
    EXPECT_EQ(refusal_of(start + "// title:\n").find("/v/spots/mine.cl:3: there is no value after title"),
              0U);
    EXPECT_EQ(refusal_of(start + "// define: TILE\n").find("/v/spots/mine.cl:3: expected NAME=VALUE"), 0U);
    EXPECT_EQ(refusal_of(start + "// define: TILE=16\n// define: TILE=32\n")
                  .find("/v/spots/mine.cl:4: TILE is defined twice"),
              0U);
    EXPECT_EQ(
        refusal_of(start + std::string("\n\0", 2)).find("/v/spots/mine.cl: expected text, found a null byte"),
        0U);
}

TEST(UserVariant, a_plain_comment_ends_the_header_unless_it_looks_like_a_mistyped_line_of_it) {
    const std::string start = "// kernelscope variant\n// base: tiled\n// define: TILE=32\n";
    for (const char* comment :
         {"// Copyright 2026: all rights", "// Note: rows are padded", "// TODO: vectors", "//",
          "// Time: 3 ms", "// base of the loop", "// pieces of 16 rows", "// define what a tile is",
          "/// one work-item per row", "// https://x.org"}) {
        const std::string code = std::string(comment) + "\n// and more\nkernel void find() {}\n";
        const UserVariant variant = read(start + code);
        EXPECT_EQ(variant.defines.at("TILE"), "32") << comment;
        // A copy keeps the comment, and a definition is set before it.
        EXPECT_TRUE(copy_for_user(variant, "second", "/v").text.ends_with("\n\n" + code)) << comment;
        EXPECT_EQ(with_define(start + code, "WG", "64"), start + "// define: WG=64\n" + code);
        EXPECT_EQ(with_define(start + code, "TILE", ""), "// kernelscope variant\n// base: tiled\n" + code);
    }
    for (const char* line : {"// defin: TILE=16", "// Define: TILE=16", "// tilte: Mine", "// piece: yes",
                             "// descripton: x", "// define TILE=16", "// pieces yes", "// base tiled"})
        EXPECT_EQ(refusal_of(start + line + "\nkernel void find() {}\n")
                      .find("/v/spots/mine.cl:4: expected a line that begins with base:, title:"),
                  0U)
            << line;
    EXPECT_EQ(refusal_of(start + "// a comment\n// pieces: yes\nkernel void find() {}\n"),
              "/v/spots/mine.cl:5: \"pieces: yes\" has no effect, because the comment in line 4 ends the "
              "header; move it before that comment, or put an empty line before it");
    EXPECT_FALSE(read(start + "// a comment\n\n// pieces: yes\nkernel void find() {}\n").pieces);
}

TEST(UserVariant, a_base_or_a_define_that_is_wrong_is_told_with_file_and_line) {
    const auto with = [](const std::string& base, const std::string& define = "TILE=16") {
        return refusal_of("// kernelscope variant\n// define: " + define + "\n// base: " + base + "\n\n");
    };
    EXPECT_EQ(with("tiled"), "accepted");
    EXPECT_EQ(with("untold").find("/v/spots/mine.cl:3: unknown base \"untold\" of spots"), 0U);
    EXPECT_EQ(with("host.reference").find("/v/spots/mine.cl:3: the base host.reference runs on the host"),
              0U);
    EXPECT_EQ(with("driver").find("/v/spots/mine.cl:3: driver has no kernel"), 0U);
    EXPECT_EQ(with("user.other").find("/v/spots/mine.cl:3: unknown base"), 0U);
    EXPECT_EQ(with("tiled", "ROWS=3").find("/v/spots/mine.cl:2: define ROWS: unknown definition"), 0U);
    EXPECT_EQ(with("tiled", "TILE=17").find("/v/spots/mine.cl:2: define TILE: expected one of 16, 32"), 0U);
    const UserVariant elsewhere = user_variant_of_text("sports", "/v/sports/mine.cl", good_text);
    EXPECT_EQ(refusal([&] {
                  as_variant(elsewhere, {}, shipped_variants());
              }).find("/v/sports/mine.cl: its folder \"sports\" is not named after an analysis"),
              0U);
}

TEST(UserVariant, a_name_that_is_no_good_id_is_refused) {
    for (const char* file : {"/v/a b.cl", "/v/-x.cl", "/v/a,b.cl", "/v/\xc3\xa4.cl", "/v/a\x1b[2J.cl"})
        EXPECT_NE(refusal([&] { read(good_text, file); }).find("is not a valid variant name"),
                  std::string::npos)
            << file;
    EXPECT_NE(refusal([&] { require_variant_name(std::string(65, 'a'), ""); }), "accepted");
    EXPECT_EQ(refusal([&] { require_variant_name("", ""); }).find("\"\" is not a valid variant name"), 0U);
    for (const char* name : {"mine", "Mine-2", "tile_32.v2", "3"}) require_variant_name(name, "");
}

TEST(UserVariant, the_program_runs_it_as_its_base_but_for_the_text) {
    const Variant base = shipped_variants()[0];
    const Variant variant = as_variant(read(good_text), "the text", shipped_variants());
    EXPECT_EQ(variant.id, "user.mine");
    EXPECT_EQ(variant.analysis, "spots");
    EXPECT_EQ(variant.title, "Tiles of 32 rows");
    EXPECT_EQ(variant.source, "the text");
    EXPECT_EQ(variant.source_file, base.source_file);
    EXPECT_EQ(variant.entry_points, base.entry_points);
    EXPECT_EQ(variant.takes.size(), 1U);
    EXPECT_EQ(variant.streaming, Streaming::frames);
    EXPECT_EQ(variant.defines.at(0).default_value, "32");
    EXPECT_EQ(variant.user_file, "/v/spots/mine.cl");
    EXPECT_EQ(variant.base, "tiled");
    EXPECT_TRUE(variant.from_user());
    EXPECT_FALSE(variant.baseline);
    EXPECT_FALSE(variant.by_name_only);
}

TEST(UserVariant, a_copy_has_the_kernel_behind_a_header_and_comes_back_from_its_file) {
    const tests::OwnVariants folder;
    const UserVariant copy = copy_for_user(shipped_variants()[0], "mine", folder.path());
    EXPECT_EQ(
        copy.text,
        "// kernelscope variant\n// base: tiled\n// title: mine\n// description: An editable copy of tiled.\n"
        "\n// what it tries\nkernel void find() {}\n");
    save_user_variant(copy, false);
    const UserVariant again = read_user_variant("spots", folder.path() / "spots" / "mine.cl");
    EXPECT_EQ(again.text, copy.text);
    EXPECT_EQ(again.base, "tiled");
    EXPECT_NE(refusal([&] { save_user_variant(copy, false); }), "accepted") << "it is there";
    save_user_variant(copy, true);
}

TEST(UserVariant, a_copy_of_a_copy_has_one_header_and_keeps_the_defines) {
    const UserVariant copy = copy_for_user(read(good_text), "second", "/v");
    EXPECT_EQ(copy.file, "/v/spots/second.cl");
    EXPECT_EQ(copy.base, "tiled");
    EXPECT_EQ(copy.defines.at("TILE"), "32");
    EXPECT_EQ(copy.description, "An editable copy of user.mine.");
    EXPECT_TRUE(
        copy.text.ends_with("TILE=32\n\n// base: of the kernel, not of the header\nkernel void find() {}\n"))
        << copy.text;
}

TEST(UserVariant, what_has_no_kernel_is_not_copied) {
    for (const std::size_t i : {1U, 2U})
        EXPECT_NE(refusal([&] { copy_for_user(shipped_variants()[i], "mine", "/v"); }).find("has no kernel"),
                  std::string::npos);
    EXPECT_NE(refusal([&] {
                  copy_for_user(shipped_variants()[0], "../mine", "/v");
              }).find("is not a valid variant name"),
              std::string::npos);
}

}  // namespace user_variant_test
