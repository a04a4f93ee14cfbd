// Texts that people read are free of phrases that a native colleague would not write. A short list of them is
// looked for in the documents and in the string literals of the sources.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "core/io/files/temporary_folder.h"

namespace ks::tests::language {
namespace {

namespace fs = std::filesystem;

struct Phrase {
    std::string_view word;  ///< part of every match; a text without it is not searched
    const char* pattern;    ///< ECMAScript; texts are compared in lower case
    const char* better;
    const char* example;  ///< has this phrase and no other one of the list
};

constexpr std::array phrases{
    Phrase{"yardstick", R"(\byardsticks?\b)", "baseline or reference", "Twice as fast as the yardstick"},
    Phrase{"rung", R"(\brungs?\b)", "step", "The rungs of the ladder"},
    Phrase{"one a ", R"(\bone a (processor|row|frame|pixel|bin|rank|device|element|work-item)\b)",
           "one per ...", "threads, one a processor"},
    Phrase{"a ",
           R"(\ba (row|column|value|frame|pixel|work-item|launch|thread|sum|lane) )"
           R"(an? (row|column|pixel|frame|bin|work-item|element|rank|device|spot|task|step|counter)\b)",
           "one ... per ...", "Two vectors are added, a work-item an element"},
    Phrase{"not told", R"(\bnot told\b)", "not reported", "Registers: not told"},
    Phrase{" an inch", R"(\b(pixels|dots|lines|points) an inch\b)", "per inch", "Pixels an inch"},
    Phrase{" a ", R"(\b(bytes|operations|flop|frames) a (byte|second)\b)", "per ...", "operations a byte"},
    Phrase{"surely", R"(\bsurely (faster|slower)\b)", "significantly", "surely slower than the default"},
    Phrase{"in sight", R"(\bin sight\b)", "visible, current", "the page in sight"},
    Phrase{"the program brings", R"(\bthe program brings\b)", "built in",
           "faster than what the program brings"},
    Phrase{"of the user's own", R"(\bof the user's own\b)", "the user's ...", "a kernel of the user's own"},
    Phrase{"behind the ", R"(\bbehind the (end|array|copy|point)\b)", "past, after", "reads behind the end"},
    Phrase{"as much as there is", R"(\bas much as there is\b)", "no limit", "Memory: as much as there is"},
    Phrase{" beside", R"(\bstands? beside\b)", "is next to", "The result stands beside the kernel"},
    Phrase{" of ", R"(\bsays? of (itself|themselves)\b)", "reports", "what a device says of itself"},
};

/// A piece of text, with the line of each of its characters.
struct Text {
    std::string text;  ///< in lower case, without line breaks
    std::vector<std::size_t> lines;

    void add(char c, std::size_t line) {
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        lines.push_back(line);
    }
};

/// Reads the string literals of a C++ source; those with only blanks and comments between them are one.
class LiteralReader {
  public:
    explicit LiteralReader(std::string_view source) : source_(source) {}

    std::vector<Text> read() {
        while (at_ < source_.size()) {
            if (goes_on_with("//"))
                skip_past("\n");
            else if (goes_on_with("/*"))
                skip_past("*/");
            else if (goes_on_with("R\"") && !is_after_word())
                read_raw();
            else if (source_[at_] == '"')
                read_quoted();
            else if (source_[at_] == '\'' && !is_after_word())  // 1'000 has no character
                skip_character();
            else
                skip_other();
        }
        finish();
        return std::move(found_);
    }

  private:
    bool goes_on_with(std::string_view what) const { return source_.substr(at_).starts_with(what); }
    bool is_after_word() const {
        return at_ > 0 &&
               (source_[at_ - 1] == '_' || std::isalnum(static_cast<unsigned char>(source_[at_ - 1])) != 0);
    }
    void advance(std::size_t count) {
        for (; count > 0 && at_ < source_.size(); --count)
            if (source_[at_++] == '\n') ++line_;
    }
    void skip_past(std::string_view end) {
        const std::size_t found = source_.find(end, at_);
        advance(found == std::string_view::npos ? source_.size() : found + end.size() - at_);
    }
    void read_quoted() {
        advance(1);
        while (at_ < source_.size() && source_[at_] != '"') {
            const bool escaped = source_[at_] == '\\' && at_ + 1 < source_.size();
            if (escaped) advance(1);
            const char c = source_[at_];
            current_.add(escaped && std::isalnum(static_cast<unsigned char>(c)) != 0 ? ' ' : c, line_);
            advance(1);
        }
        advance(1);
    }
    void read_raw() {
        advance(2);
        const std::size_t open = std::min(source_.find('(', at_), source_.size());
        const std::string end = fmt::format("){}\"", source_.substr(at_, open - at_));
        advance(open - at_ + 1);
        const std::size_t close = std::min(source_.find(end, at_), source_.size());
        while (at_ < close) {
            current_.add(source_[at_] == '\n' ? ' ' : source_[at_], line_);
            advance(1);
        }
        advance(end.size());
    }
    void skip_character() {
        advance(1);
        while (at_ < source_.size() && source_[at_] != '\'') advance(source_[at_] == '\\' ? 2 : 1);
        advance(1);
        finish();
    }
    void skip_other() {
        if (std::isspace(static_cast<unsigned char>(source_[at_])) == 0) finish();
        advance(1);
    }
    void finish() {
        if (!current_.text.empty()) found_.push_back(std::exchange(current_, {}));
    }

    std::string_view source_;
    std::size_t at_ = 0, line_ = 1;
    Text current_;
    std::vector<Text> found_;
};

/// The paragraphs of a Markdown file, each as one line.
std::vector<Text> paragraphs_of(const std::string& document) {
    std::vector<Text> all(1);
    std::istringstream stream(document);
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string::npos) {
            all.emplace_back();
            continue;
        }
        if (!all.back().text.empty()) all.back().add(' ', number);
        for (const char c : line.substr(begin)) all.back().add(c, number);
    }
    return all;
}

/// Adds "FILE:LINE has "PHRASE": write BETTER" for each phrase of the list.
void search(const std::string& file, const std::vector<Text>& texts, std::vector<std::string>& found) {
    static const std::vector<std::regex> patterns = [] {
        std::vector<std::regex> all;
        for (const Phrase& phrase : phrases) all.emplace_back(phrase.pattern);
        return all;
    }();
    for (const Text& text : texts)
        for (std::size_t i = 0; i < phrases.size(); ++i) {
            if (text.text.find(phrases[i].word) == std::string::npos) continue;
            for (std::sregex_iterator at(text.text.begin(), text.text.end(), patterns[i]), end; at != end;
                 ++at)
                found.push_back(fmt::format("{}:{} has \"{}\": write {}", file,
                                            text.lines[static_cast<std::size_t>(at->position())], at->str(),
                                            phrases[i].better));
        }
}

/// All phrases of the list in the documents and sources of a tree, in the order of its files.
std::vector<std::string> findings(const fs::path& root) {
    std::vector<fs::path> files;
    for (const char* folder : {"app", "core", "docs", "gpu", "ui"})
        if (fs::is_directory(root / folder))
            for (const auto& entry : fs::recursive_directory_iterator(root / folder))
                files.push_back(entry.path());
    for (const auto& entry : fs::directory_iterator(root)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> found;
    for (const fs::path& path : files) {
        const std::string extension = path.extension().string();
        const bool is_source = extension == ".cpp" || extension == ".h";
        if (!is_source && extension != ".md") continue;
        std::ifstream stream(path, std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(stream), {}};
        search(fs::relative(path, root).generic_string(),
               is_source ? LiteralReader(content).read() : paragraphs_of(content), found);
    }
    return found;
}

/// A made-up tree in which phrases are planted.
class PlantedTexts : public testing::Test {
  protected:
    void write(const std::string& file, const std::string& content) {
        fs::create_directories((folder_.path() / file).parent_path());
        std::ofstream(folder_.path() / file) << content;
    }
    std::vector<std::string> found() const { return findings(folder_.path()); }

  private:
    io::TemporaryFolder folder_{"kernelscope-language"};
};

TEST(Language, of_documents_and_texts_has_no_phrase_of_the_list) {
    const fs::path root = KERNELSCOPE_SOURCE_DIR;
    ASSERT_TRUE(fs::is_regular_file(root / "README.md") && fs::is_directory(root / "docs"));
    const std::vector<std::string> found = findings(root);
    EXPECT_TRUE(found.empty()) << fmt::format("{}", fmt::join(found, "\n"));
}

TEST_F(PlantedTexts, each_phrase_is_found_in_a_literal_and_in_a_document) {
    for (const Phrase& phrase : phrases) {
        write("ui/shell/x.cpp", fmt::format("\nauto text() {{ return tr(\"{}\"); }}\n", phrase.example));
        write("docs/dev/x.md", fmt::format("# Title\n\n{}.\n", phrase.example));
        const std::vector<std::string> both = found();
        ASSERT_EQ(both.size(), 2U) << phrase.example << ": " << fmt::format("{}", fmt::join(both, "; "));
        EXPECT_TRUE(both[0].starts_with("docs/dev/x.md:3 has \"")) << both[0];
        EXPECT_TRUE(both[1].starts_with("ui/shell/x.cpp:2 has \"")) << both[1];
        EXPECT_TRUE(both[0].ends_with(phrase.better) && both[1].ends_with(phrase.better)) << both[0];
    }
}

TEST_F(PlantedTexts, a_phrase_is_found_over_the_end_of_a_line) {
    write("README.md", "Rows are written, One a\n  row, in order.\n");
    write("core/x.h", "constexpr auto text = \"rows are written, one \"  // a remark\n    \"a row\";\n");
    const std::vector<std::string> expected{"README.md:1 has \"one a row\": write one per ...",
                                            "core/x.h:1 has \"one a row\": write one per ..."};
    EXPECT_EQ(found(), expected);
}

TEST_F(PlantedTexts, raw_literals_and_what_follows_a_character_are_read) {
    write("app/x.cpp",
          "const char quote = '\"', mark = '\\'';\nconst int n = 1'000;\nauto a = R\"x(\nin sight)x\";\n");
    EXPECT_EQ(found(), std::vector<std::string>{"app/x.cpp:4 has \"in sight\": write visible, current"});
}

TEST_F(PlantedTexts, comments_names_and_other_words_are_no_findings) {
    write("gpu/x.h",
          "// the yardstick\n/* in \"sight\" */ int yardstick = 0; // a \" rung\nauto a = \"wrung, "
          "insight\";\n");
    write("gpu/x.cl", "// in sight\n");
    write("docs/x.md", "One per row, a row of a frame, in\n\nsight.\n");
    EXPECT_EQ(found(), std::vector<std::string>{});
}

}  // namespace
}  // namespace ks::tests::language
