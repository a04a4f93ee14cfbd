#include "core/run/user/user_includes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>

#include "core/base/error.h"
#include "core/kernels/resolved_source.h"
#include "tests/core/run/user/own_variants.h"

namespace user_includes_test {

using namespace ks;
namespace fs = std::filesystem;

class UserIncludes : public testing::Test {
  protected:
    std::string resolved(const std::string& text) {
        own.write("k/kernel.cl", text);
        looked_for.clear();
        return with_own_includes(text, at("kernel.cl"), {folder(), {folder()}, defines}, looked_for);
    }
    /// The sentence that refuses a text.
    std::string refusal(const std::string& text) {
        try {
            return "taken: " + resolved(text);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            return error.what();
        }
    }
    fs::path folder() const { return own.path() / "k"; }
    std::string at(const std::string& name) const { return (folder() / name).string(); }
    void write(const std::string& name, const std::string& text) const { own.write("k/" + name, text); }

    /// What the preprocessor of the system's compiler makes of a text that lies in the folder, without lines
    /// that are empty. @param options "-I ..."
    std::string preprocessed(const std::string& text, const std::string& options) const {
        const fs::path file = own.write("k/preprocessed.c", text);
        const std::string command =
            "cd / && cc -E -P " + options + " " + file.string() + " 2> /dev/null || echo failed";
        std::string made;
        FILE* const out = popen(command.c_str(), "r");
        std::string line;
        for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out)) {
            line += static_cast<char>(c);
            if (c != '\n') continue;
            if (line.find_first_not_of(" \n") != std::string::npos) made += line;
            line.clear();
        }
        pclose(out);
        return made;
    }

    tests::OwnVariants own;
    std::map<std::string, std::string> defines;
    std::set<fs::path> looked_for;
};

TEST_F(UserIncludes, a_compiler_s_preprocessor_makes_the_same_of_the_text_without_any_file) {
    if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no cc";
    write("a.h", "int a;\n");
    write("b.h", "int b;\n#include \"a.h\"\nint after_a;");
    write("once.h", "#pragma once\nint once;\n");
    write("guard.h", "#ifndef GUARD\n#define GUARD\n#include \"back.h\"\nint guarded;\n#endif\n");
    write("back.h", "#ifndef BACK\n#define BACK\n#include \"guard.h\"\nint back;\n#endif\n");
    write("row.h", "ROW(1)\nROW(2)\n");
    write("sub/near.h", "#include \"beside.h\"\n#include \"../a.h\"\n");
    write("sub/beside.h", "int beside;\n");
    write("open.h", "#define OPEN 1 \\\n");
    write("crlf.h", "int crlf;\r\n#include \"a.h\"\r\n");
    write(
        "again.h",
        "int TYPE;\n#ifndef LAST\n#define LAST\n#undef TYPE\n#define TYPE b\n#include \"again.h\"\n#endif\n");
    write("inner.h", "#ifndef INNER\n#define INNER\nint inner;\n#endif\n");
    write("outer.h", "#pragma once\n#include \"inner.h\"\nint outer;\n");
    write("undefining.h", "#pragma once\n#ifdef M\n#include \"outer.h\"\n#endif\n#undef INNER\n");
    write("same_guard.h", "#ifndef GUARD\n#define GUARD\n#include \"once.h\"\nint same_guard;\n#endif\n");
    for (const std::string text : {
             "#include \"a.h\"\n#include <b.h>\nint k;\n",
             "%:include \"a.h\"\n#in\\\nclude <b.h>\n/* x */ # /* y */ include \"a.h\" // z\n",
             "#include \"a.h\";\n",
             "#define LIB \"a.h\"\n#include LIB\n#define ANGLE <b.h>\n#include ANGLE\n",
             "#define LIB \"a.h\"\n#include LIB\n#undef LIB\n#define LIB \"b.h\"\n#include LIB\n",
             "#define STR(x) #x\n#define TEXT(x) STR(x)\n#define SUB sub\n#include TEXT(SUB/near.h)\n",
             "#ifdef NEVER\n#include \"cuda_only.h\"\n#include <a.h>\n#else\n#include \"b.h\"\n#endif\n",
             "/*\n#include \"none.h\"\n*/\n// \\\n#include \"none.h\"\nint k;\n",
             "#if 0\n#include \"once.h\"\n#endif\n#include \"once.h\"\n#include \"once.h\"\nint k;\n",
             "#include \"guard.h\"\n#include \"back.h\"\nint k;\n",
             "#define ROW(x) int r##x;\n#include \"row.h\"\n#undef ROW\n#define ROW(x) int s##x;\n#include "
             "\"row.h\"\n",
             "#include \"sub/near.h\"\n#include \"sub/../a.h\"\n",
             "#include \"open.h\"\nint k = OPEN;\n",
             "#include \"crlf.h\"\rint k;\r\n",
             "#ifdef __has_include\n#if __has_include(\"a.h\") && !__has_include(<none.h>)\nint "
             "found;\n#endif\n"
             "#if __has_include(<none.h>)\n#include <none.h>\n#elif __has_include(<b.h>)\n#include <b.h>\n"
             "#endif\n#endif\n",
             "#define TYPE a\n#include \"again.h\"\n",
             "#include \"guard.h\"\n#include \"same_guard.h\"\n#include \"once.h\"\n",
             "#include \"guard.h\"\n#undef GUARD\n#include \"guard.h\"\n#include \"same_guard.h\"\n",
             "#define M\n#include \"undefining.h\"\n#include \"outer.h\"\n#include \"inner.h\"\n",
             "#define GUARD\n#include \"same_guard.h\"\n#include \"once.h\"\n",
             "#ifdef NEVER\n#include \"guard.h\"\n#else\n#include \"same_guard.h\"\n#endif\n#include "
             "\"guard.h\"\n#include \"once.h\"\n",
             "#ifndef SIZE\n#define SIZE 16\n#endif\n#if SIZE == 16\n#include \"a.h\"\n#endif\n",
         }) {
        const std::string alone = resolved(text);
        const std::string wanted = preprocessed(text, "-I " + folder().string());
        EXPECT_NE(wanted, "failed\n") << text;
        EXPECT_EQ(preprocessed(alone, "-nostdinc"), wanted) << text << "became\n" << alone;
    }
}

TEST_F(UserIncludes, random_trees_of_files_become_what_a_preprocessor_makes_of_them) {
    if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no cc";
    std::mt19937 random(7);
    const auto below = [&random](unsigned n) { return static_cast<int>(random() % n); };
    constexpr int files = 6, trees = 15;
    for (int tree = 0; tree < trees; ++tree) {
        const auto body = [&](const std::string& name, int lowest) {
            std::string text;
            int open = 0;
            for (int line = 0; line < 9; ++line) {
                const std::string macro = "M" + std::to_string(below(4));
                const int what = below(9);
                if (what < 4 && lowest < files) {
                    const std::string file = "f" + std::to_string(lowest + below(files - lowest)) + ".h";
                    text += below(2) == 0 ? "#include <" + file + ">\n" : "#include \"" + file + "\"\n";
                } else if (what == 4) {
                    text += "#ifdef " + macro + "\n";
                    ++open;
                } else if (what == 5 && open > 0) {
                    text += "#else\n#endif\n";
                    --open;
                } else if (what == 6) {
                    text += (below(3) == 0 ? "#undef " : "#define ") + macro + "\n";
                } else if (what == 7) {
                    text += "#undef G" + std::to_string(below(files)) + "\n";
                } else {
                    text += "int " + name + std::to_string(line) + ";\n";
                }
            }
            for (; open > 0; --open) text += "#endif\n";
            return text;
        };
        std::string all;
        for (int i = 0; i < files; ++i) {
            const std::string guard = "G" + std::to_string(below(4) == 0 ? 0 : i);
            std::string text;
            switch (below(3)) {
                case 0:
                    text = "#pragma once\n" + body("once", i + 1);
                    break;
                case 1:
                    text = "#ifndef " + guard + "\n#define " + guard + "\n" + body("guarded", i + 1) +
                           "#endif\n";
                    break;
                default:
                    text = body("plain", i + 1);
            }
            write("f" + std::to_string(i) + ".h", text);
            all += "---- f" + std::to_string(i) + ".h\n" + text;
        }
        const std::string kernel = body("kernel", 0) + body("more", 0);
        const std::string wanted = preprocessed(kernel, "-I " + folder().string());
        EXPECT_NE(wanted, "failed\n") << kernel << all;
        EXPECT_EQ(preprocessed(resolved(kernel), "-nostdinc"), wanted) << kernel << all;
    }
}

TEST_F(UserIncludes, a_guarded_file_that_has_been_read_in_any_case_stands_there_once) {
    std::string all;
    for (int i = 0; i < 12; ++i) {
        const std::string name = "g" + std::to_string(i);
        std::string below;
        for (int k = 0; k < i; ++k) below += "#include \"g" + std::to_string(k) + ".h\"\n";
        write(name + ".h",
              "#ifndef " + name + "\n#define " + name + "\n" + below + "int " + name + ";\n#endif\n");
        all += "#include \"" + name + ".h\"\n";
    }
    const std::string text = resolved(all + all);
    EXPECT_EQ(text.find("int g3;"), text.rfind("int g3;"));
    EXPECT_EQ(text.find("int g11;"), text.rfind("int g11;"));
}

TEST_F(UserIncludes, a_text_without_files_is_the_same_byte_for_byte) {
    for (const std::string text : {"int a;\r\n", "#include \"gpu/spots/a.cl\"\nint a;", "#pragma once\n",
                                   "/* #include \"a.h\" */", "#if defined(__has_include)\n#endif\n"})
        EXPECT_EQ(resolved(text), text);
    EXPECT_EQ(resolved("#include <gpu/spots/a.cl>\nint a;\n"),
              "#include \"gpu/spots/a.cl\"\n#line 2 \"" + at("kernel.cl") + "\"\nint a;\n");
}

TEST_F(UserIncludes, all_files_that_decide_are_looked_for) {
    write("a.h", "int a;\n");
    resolved(
        "#ifdef NEVER\n#include <a.h>\n#include \"none.h\"\n#if "
        "__has_include(\"asked.h\")\n#endif\n#endif\n");
    EXPECT_EQ(looked_for, (std::set<fs::path>{at("a.h"), at("none.h"), at("asked.h")}));
}

TEST_F(UserIncludes, a_file_that_is_not_there_is_a_fault_where_the_compiler_comes_to_it) {
    EXPECT_TRUE(refusal("int a;\n#include \"none.h\"\n")
                    .starts_with(at("kernel.cl") + ":2: included file not found: \"none.h\""));
    write("a.h", "\n#include \"none.h\"\n");
    EXPECT_NE(refusal("#include \"a.h\"\n").find(at("a.h") + ":2: included file not found"),
              std::string::npos);
    const std::string text = resolved("#ifdef NEVER\n#include \"a.h\"\n#include NONE\n#endif\nint end;\n");
    EXPECT_NE(
        text.find("#line 2 \"" + at("kernel.cl") + "\" // begin of include \"a.h\"\n#line 1 \"" + at("a.h") +
                  "\"\n\n#error \"included file not found: 'none.h'\"\n"
                  "#line 3 \"" +
                  at("a.h") + "\"\n#line 3 \"" + at("kernel.cl") + "\" // end of include\n#error \""),
        std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with("#line 4 \"" + at("kernel.cl") + "\"\n#endif\nint end;\n")) << text;
}

TEST_F(UserIncludes, nothing_outside_of_the_folder_is_read) {
    const std::string secret = own.write("secret.h", "int secret;\n").string();
    fs::create_symlink(secret, folder().parent_path() / "link.h");
    write("a.h", "");
    fs::create_symlink(secret, at("link.h"));
    for (const std::string& named : {std::string("\"../secret.h\""), std::string("<../secret.h>"),
                                     "\"" + secret + "\"", "<" + secret + ">"}) {
        for (const std::string& text :
             {"#include " + named + "\n", "#define LIB " + named + "\n#include LIB\n",
              "%:include " + named + "\n", "#ifdef A\n#endif\n#inc\\\nlude " + named + "\n"})
            EXPECT_NE(refusal(text).find("included files must be in " + folder().string()), std::string::npos)
                << text << refusal(text);
        const std::string left_out = resolved("#ifdef NEVER\n#include " + named + "\n#endif\n");
        EXPECT_NE(left_out.find("#error \"included files must be in"), std::string::npos) << left_out;
        EXPECT_EQ(left_out.find("int secret"), std::string::npos) << left_out;
    }
    EXPECT_NE(refusal("#include \"link.h\"\n").find("a link leads out of"), std::string::npos);
    for (const char* word : {"import", "include_next", "embed", "__include_macros"})
        EXPECT_NE(refusal("#" + std::string(word) + " \"a.h\"\n").find("is not supported"), std::string::npos)
            << word;
}

TEST_F(UserIncludes, pipes_folders_and_what_is_too_large_are_refused) {
    write("a.h", "");
    ASSERT_EQ(mkfifo(at("pipe.h").c_str(), 0600), 0);
    fs::create_directory(at("folder.h"));
    fs::create_symlink("/dev/zero", at("zero.h"));
    write("large.h", std::string((4 << 20) + 1, ' '));
    write("bytes.h", std::string("int a;\0", 7));
    for (const char* name : {"pipe.h", "folder.h", "zero.h", "large.h", "bytes.h"}) {
        EXPECT_EQ(refusal("#include <" + std::string(name) + ">\n").find("taken"), std::string::npos) << name;
        EXPECT_NE(resolved("#if 0\n#include <" + std::string(name) + ">\n#endif\n").find("#error"),
                  std::string::npos)
            << name;
    }
    write("half.h", std::string(3 << 20, ' '));
    std::string many;
    for (int i = 0; i < 6; ++i) many += "#include \"half.h\"\n";
    EXPECT_NE(refusal(many).find("longer than 16777216 bytes"), std::string::npos);
    write("twice0.h", "int end;\n");
    for (int i = 0; i < 20; ++i) {
        const std::string below = "#include \"twice" + std::to_string(i) + ".h\"\n";
        write("twice" + std::to_string(i + 1) + ".h", below + below);
    }
    EXPECT_NE(refusal("#include \"twice20.h\"\n").find("more than 4096 files"), std::string::npos);
}

TEST_F(UserIncludes, what_would_go_on_behind_the_end_of_a_file_is_refused) {
    write("comment.h", "int a; /* b");
    write("if.h", "#if A\nint a;\n");
    write("endif.h", "#endif\n#if A\n");
    EXPECT_NE(refusal("#include \"comment.h\"\n").find("has a comment"), std::string::npos);
    for (const char* name : {"if.h", "endif.h"})
        EXPECT_NE(refusal("#include \"" + std::string(name) + "\"\n").find("do not match"),
                  std::string::npos);
}

TEST_F(UserIncludes, a_macro_is_taken_where_it_has_one_meaning) {
    write("a.h", "int a;\n");
    write("b.h", "int b;\n");
    const std::string several =
        refusal("#ifdef X\n#define LIB \"a.h\"\n#else\n#define LIB \"b.h\"\n#endif\n#include LIB\n");
    EXPECT_NE(several.find(at("kernel.cl") +
                           ":6: the file named by \"LIB\" cannot be determined: LIB is defined several"),
              std::string::npos)
        << several;
    EXPECT_NE(refusal("#include NONE\n").find("expected the name of a file to include, found \"NONE\""),
              std::string::npos);
    defines["GIVEN"] = "\"a.h\"";
    EXPECT_NE(resolved("#include GIVEN\n").find("\nint a;\n"), std::string::npos);
    const std::string text = resolved("#ifdef X\n#define LIB \"a.h\"\n#endif\n#include LIB\n");
    EXPECT_NE(text.find("#if !defined(LIB)\n#error \"'LIB' is not 'a.h' here\"\n#endif\n"), std::string::npos)
        << text;
}

TEST_F(UserIncludes, a_question_for_a_file_that_cannot_be_answered_is_a_fault) {
    EXPECT_NE(refusal("#define HAS(x) __has_include(x)\n").find("is only supported in #if and #elif"),
              std::string::npos);
    EXPECT_EQ(resolved("#if A\n#elif __has_include_next(<a.h>)\n#endif\n"),
              "#if A\n#elif 1\n#error \"__has_include_next is only supported in #if and #elif, with a "
              "file name\"\n#line 3 \"" +
                  at("kernel.cl") + "\"\n#endif\n");
}

TEST_F(UserIncludes, a_kernel_file_includes_what_lies_beside_it) {
    write("kernel.cl", "#include <lib/a.h>\nint k;\n");
    write("lib/a.h", "int a;\n");
    EXPECT_EQ(read_kernel_source(at("kernel.cl"), {}),
              "#line 1 \"" + at("kernel.cl") + "\" // begin of include <lib/a.h>\n#line 1 \"" +
                  at("lib/a.h") + "\"\nint a;\n#line 2 \"" + at("kernel.cl") +
                  "\" // end of include\nint k;\n");
    const fs::path before = fs::current_path();
    fs::current_path(folder());
    EXPECT_EQ(read_kernel_source("kernel.cl", {}),
              "#line 1 \"kernel.cl\" // begin of include <lib/a.h>\n#line 1 \"lib/a.h\"\nint a;\n"
              "#line 2 \"kernel.cl\" // end of include\nint k;\n");
    fs::current_path(before);
}

TEST_F(UserIncludes, directives_are_shown_with_the_depth_of_what_they_include) {
    write("a.h", "#pragma once\nint a;\n#include <b.h>\nint after;\n");
    write("b.h", "int b;\n");
    const std::string text = resolved("// first\n#include \"a.h\"\n#include \"a.h\"\nint k;\n");
    const ks::ResolvedSource source = ks::resolve_source(at("kernel.cl"), text, {});
    std::string shown;
    for (const ks::SourceLine& line : source.lines) {
        if (line.text.find("KERNELSCOPE_ONCE") != std::string::npos || line.text == "#endif") continue;
        EXPECT_EQ(line.include, line.text.starts_with("#include")) << line.text;
        EXPECT_EQ(line.compiled.has_value(), !line.include) << line.text;
        shown += std::string(line.depth, '>') + line.text + ' ' +
                 fs::path(line.place.file).filename().string() + ':' + std::to_string(line.place.line) + '\n';
    }
    EXPECT_EQ(shown,
              "// first kernel.cl:1\n#include \"a.h\" kernel.cl:2\n>int a; a.h:2\n>#include <b.h> a.h:3\n"
              ">>int b; b.h:1\n>int after; a.h:4\n#include \"a.h\" kernel.cl:3\nint k; kernel.cl:4\n");
    EXPECT_EQ(source.text().find("#include"), std::string::npos) << source.text();
}

}  // namespace user_includes_test
