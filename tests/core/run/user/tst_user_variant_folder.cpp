#include "core/run/user/user_variant_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "core/run/user/user_includes.h"
#include "tests/core/run/own_cache.h"
#include "tests/core/run/user/own_variants.h"

namespace user_variant_folder_test {

using namespace ks;
namespace fs = std::filesystem;

const std::string header = "// kernelscope variant\n// base: tiled\n\n";

class Folder : public testing::Test {
  protected:
    std::vector<std::string> ids() const {
        std::vector<std::string> list;
        for (const GoodUserVariant& good : all.listing()->good) list.push_back(good.variant.id);
        return list;
    }
    /// The only sentence.
    std::string wrong() const {
        const auto listing = all.listing();
        EXPECT_EQ(listing->broken.size(), 1U);
        return listing->broken.empty() ? "" : listing->broken[0].error.what();
    }
    void expect_wrong(const std::string& part) const {
        const std::string sentence = wrong();
        EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
    }
    std::string source() const { return all.listing()->good.at(0).variant.source; }
    std::string at(const std::string& name) const { return (own.path() / name).string(); }

    tests::OwnVariants own;
    const UserVariantFolder all{own.path(), tests::shipped_variants()};
};

TEST_F(Folder, a_link_to_itself_and_a_text_in_UTF_16_are_named_as_such) {
    own.write("spots/mine.cl", header);
    fs::create_symlink("turn.cl", own.path() / "spots/turn.cl");
    expect_wrong(at("spots/turn.cl") + ": the link leads back to itself");
    fs::remove(own.path() / "spots/turn.cl");
    std::string wide = "\xFF\xFE";
    for (const char one : header) wide += {one, '\0'};
    own.write("spots/wide.cl", wide);
    expect_wrong(at("spots/wide.cl") + ": expected text in UTF-8, found UTF-16");
    EXPECT_EQ(ids(), std::vector<std::string>{"user.mine"});
}

TEST_F(Folder, files_are_listed_and_a_change_is_seen_at_the_next_question) {
    EXPECT_TRUE(ids().empty());
    own.write("spots/mine.cl", header + "first");
    own.write("spots/deeper/other.cl", header);
    own.write("spots/note.txt", "no kernel");
    own.write("spots/.mine.cl", "hidden");
    EXPECT_EQ(ids(), (std::vector<std::string>{"user.mine", "user.other"}));
    EXPECT_TRUE(all.listing()->broken.empty());
    const auto before = all.listing();
    EXPECT_EQ(all.listing(), before) << "nothing changed, nothing is read";
    own.write("spots/mine.cl", header + "the second");
    EXPECT_NE(all.listing(), before);
    EXPECT_EQ(all.listing()->good.at(0).variant.source, header + "the second");
    fs::remove(own.path() / "spots/mine.cl");
    EXPECT_EQ(ids(), std::vector<std::string>{"user.other"});
    fs::remove_all(own.path());
    EXPECT_TRUE(ids().empty());
}

TEST_F(Folder, a_file_may_begin_with_a_byte_order_mark_which_no_compiler_gets) {
    own.write("spots/mine.cl", "\xEF\xBB\xBF" + header + "first");
    EXPECT_EQ(ids(), std::vector<std::string>{"user.mine"});
    EXPECT_TRUE(all.listing()->broken.empty());
    EXPECT_EQ(source(), header + "first");
    EXPECT_EQ(read_kernel_source(at("spots/mine.cl"), {}), header + "first");
}

TEST_F(Folder, a_broken_file_does_not_hide_the_others) {
    own.write("spots/good.cl", header);
    own.write("spots/bad.cl", "// kernelscope variant\n// base: none\n");
    EXPECT_EQ(ids(), std::vector<std::string>{"user.good"});
    expect_wrong(at("spots/bad.cl") + ":2: unknown base \"none\"");
    const auto broken = all.listing()->broken.at(0).variant;
    EXPECT_EQ(broken.id, "user.bad");
    EXPECT_EQ(broken.analysis, "spots");
    EXPECT_EQ(broken.user_file, at("spots/bad.cl"));
}

TEST_F(Folder, names_that_are_equal_but_for_the_folder_are_refused_with_both_files) {
    own.write("spots/a/mine.cl", header);
    own.write("spots/b/mine.cl", header);
    EXPECT_TRUE(ids().empty());
    expect_wrong(at("spots/a/mine.cl") + " and " + at("spots/b/mine.cl"));
}

TEST_F(Folder, names_that_are_equal_but_for_capitals_are_both_refused) {
    own.write("spots/mine.cl", header);
    own.write("spots/Mine.cl", header);
    const auto listing = all.listing();
    EXPECT_TRUE(listing->good.empty());
    ASSERT_EQ(listing->broken.size(), 2U);
    for (const BrokenUserVariant& broken : listing->broken)
        for (const char* name : {"spots/mine.cl", "spots/Mine.cl"})
            EXPECT_NE(std::string(broken.error.what()).find(at(name)), std::string::npos);
}

TEST_F(Folder, a_folder_that_is_no_analysis_is_told) {
    own.write("sports/mine.cl", header);
    expect_wrong(at("sports/mine.cl") + ": its folder \"sports\" is not named after an analysis");
}

TEST_F(Folder, a_variant_in_no_folder_is_told) {
    own.write("mine.cl", header);
    expect_wrong(at("mine.cl") + ": it is not in the folder of an analysis");
}

TEST_F(Folder, a_pipe_is_not_waited_for) {
    own.write("spots/note.txt", "");
    ASSERT_EQ(mkfifo(at("spots/pipe.cl").c_str(), 0600), 0);
    expect_wrong("the file is a pipe");
}

TEST_F(Folder, a_file_without_header_is_one_to_include_or_is_told) {
    own.write("spots/lib.cl", "int lib;\n");
    expect_wrong(at("spots/lib.cl") + ": its first line is not \"// kernelscope variant\"");
    own.write("spots/mine.cl", header + "#include \"lib.cl\"\n");
    EXPECT_TRUE(all.listing()->broken.empty());
    EXPECT_EQ(ids(), std::vector<std::string>{"user.mine"});
}

TEST_F(Folder, included_files_stand_in_their_place_with_their_lines) {
    own.write("spots/mine.cl",
              header + "#include \"near.cl\"\nkernel void find() {}\n#include \"gpu/spots/a.cl\"\n");
    own.write("spots/near.cl", "int near;\n#include \"common.cl\"\n");
    own.write("common.cl", "int common;\n");
    const std::string mine = " \"" + at("spots/mine.cl") + "\"", near = " \"" + at("spots/near.cl") + "\"",
                      end = " // end of include\n";
    EXPECT_EQ(source(), header + "#line 4" + mine + " // begin of include \"near.cl\"\n#line 1" + near +
                            "\nint near;\n#line 2" + near + " // begin of include \"common.cl\"\n#line 1 \"" +
                            at("common.cl") + "\"\nint common;\n#line 3" + near + end + "#line 5" + mine +
                            end + "kernel void find() {}\n#include \"gpu/spots/a.cl\"\n");
}

TEST_F(Folder, the_nearest_file_is_included) {
    own.write("spots/deeper/mine.cl", header + "#include \"x.cl\"\n");
    own.write("x.cl", "farthest\n");
    EXPECT_NE(source().find("farthest\n"), std::string::npos);
    own.write("spots/x.cl", "farther\n");
    EXPECT_NE(source().find("farther\n"), std::string::npos);
    own.write("spots/deeper/x.cl", "near\n");
    EXPECT_NE(source().find("near\n"), std::string::npos);
}

TEST_F(Folder, a_changed_included_file_is_seen_and_one_that_appears_too) {
    own.write("spots/mine.cl", header + "#include \"lib.h\"\n");
    expect_wrong(at("spots/mine.cl") + ":4: included file not found: \"lib.h\"");
    own.write("spots/lib.h", "one\n");
    EXPECT_NE(source().find("one\n"), std::string::npos);
    own.write("spots/lib.h", "the second\n");
    EXPECT_NE(source().find("the second\n"), std::string::npos);
}

TEST_F(Folder, an_include_that_leaves_the_folder_is_refused) {
    const tests::OwnVariants outside;
    outside.write("secret.cl", "secret\n");
    const std::string there = (outside.path() / "secret.cl").string();
    for (const std::string& path : {std::string("../../x.cl"), there, std::string("a/../../../x.cl")}) {
        own.write("spots/mine.cl", header + "#include \"" + path + "\"\n");
        expect_wrong(at("spots/mine.cl") + ":4: included files must be in " + own.path().string());
    }
    fs::create_symlink(there, own.path() / "spots" / "link.h");
    own.write("spots/mine.cl", header + "#include \"link.h\"\n");
    expect_wrong(at("spots/mine.cl") + ":4: a link leads out of " + own.path().string());
}

TEST_F(Folder, files_that_include_each_other_are_refused) {
    own.write("spots/mine.cl", header + "#include \"a.h\"\n");
    own.write("spots/a.h", "\n#include \"b.h\"\n");
    own.write("spots/b.h", "#include \"a.h\"\n");
    expect_wrong(at("spots/b.h") + ":1: files include each other endlessly");
}

TEST_F(Folder, a_change_is_seen_however_the_file_is_named) {
    for (const std::string line : {"#include <lib.h>", "#define LIB \"lib.h\"\n#include LIB",
                                   "#define TEXT(x) #x\n#include TEXT(lib.h)", "%:include \"lib.h\"",
                                   "#in\\\nclude <lib.h>", "#ifdef NEVER\n#include <lib.h>\n#endif"}) {
        own.write("spots/mine.cl", header + line + "\n");
        own.write("spots/lib.h", "int one;\n");
        EXPECT_NE(source().find("\nint one;\n"), std::string::npos) << line << source();
        own.write("spots/lib.h", "int second;\n");
        EXPECT_NE(source().find("\nint second;\n"), std::string::npos) << line << source();
        EXPECT_EQ(source().find("#include"), std::string::npos) << line << source();
    }
}

TEST_F(Folder, an_include_that_a_compiler_may_leave_out_is_its_matter) {
    own.write("spots/mine.cl", header +
                                   "/*\n#include \"a.h\"\n*/\n#ifdef NEVER\n#include \"b.h\"\n"
                                   "#include </etc/passwd>\n#endif\nint end;\n");
    const std::string text = source();
    EXPECT_EQ(text.find("\n#include </etc"), std::string::npos) << text;
    EXPECT_NE(text.find("#error \"included file not found: 'b.h'\"\n#line 9 \"" + at("spots/mine.cl")),
              std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with("#line 10 \"" + at("spots/mine.cl") + "\"\n#endif\nint end;\n")) << text;
}

TEST_F(Folder, files_that_guard_themselves_may_include_each_other) {
    own.write("spots/mine.cl", header + "#include \"a.h\"\n");
    own.write("spots/a.h", "#ifndef A\n#define A\n#include \"b.h\"\nint a;\n#endif\n");
    own.write("spots/b.h", "#ifndef B\n#define B\n#include \"a.h\"\nint b;\n#endif\n");
    const std::string text = source();
    EXPECT_LT(text.find("int b;"), text.find("int a;"));
    EXPECT_EQ(text.find("int a;"), text.rfind("int a;"));
}

TEST_F(Folder, two_files_of_one_name_in_two_folders_are_not_said_to_differ_in_capitals) {
    own.write("spots/deep.cl", header);
    own.write("spots/tries/deep.cl", header);
    const std::string sentence = wrong();
    EXPECT_NE(sentence.find("have the same name"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("capital"), std::string::npos) << sentence;
}

TEST_F(Folder, a_name_is_free_where_no_kernel_of_the_analysis_has_it_in_any_letters_or_folder) {
    own.write("spots/v2.cl", header);
    own.write("spots/tries/deep.cl", header);
    own.write("spots/lib.cl", "int included;\n");
    EXPECT_THROW(all.require_free("spots", "V2", at("spots/V2.cl")), Error);
    EXPECT_THROW(all.require_free("spots", "deep", at("spots/deep.cl")), Error);
    EXPECT_NO_THROW(all.require_free("spots", "V2", at("spots/v2.cl"))) << "it may change its own letters";
    EXPECT_NO_THROW(all.require_free("spots", "v3", {}));
    EXPECT_NO_THROW(all.require_free("spots", "lib", {})) << "a file without header has no name";
    EXPECT_NO_THROW(all.require_free("clusters", "v2", {}));
}

TEST_F(Folder, a_saved_text_is_a_variant_without_its_file) {
    const GoodUserVariant good = all.of_text("spots", "user.gone", header + "kept");
    EXPECT_EQ(good.variant.id, "user.gone");
    EXPECT_EQ(good.variant.base, "tiled");
    EXPECT_EQ(good.variant.source, header + "kept");
    EXPECT_THROW(all.of_text("spots", "user.gone", "no header"), Error);
}

TEST(UserVariantsFolder, the_environment_names_it) {
    const tests::OwnCache own("KERNELSCOPE_VARIANTS");
    EXPECT_EQ(user_variants_folder(), own.path());
    unsetenv("KERNELSCOPE_VARIANTS");
    const tests::OwnCache data("XDG_DATA_HOME");
    EXPECT_EQ(user_variants_folder(), data.path() / "kernelscope" / "variants");
    unsetenv("XDG_DATA_HOME");
    const tests::OwnCache home("HOME");
    EXPECT_EQ(user_variants_folder(), home.path() / ".local" / "share" / "kernelscope" / "variants");
}

}  // namespace user_variant_folder_test
