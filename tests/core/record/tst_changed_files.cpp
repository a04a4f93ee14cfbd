#include "core/record/changed_files.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace ks::changed_files_test {
namespace {

/// A run of one input with these files: name and hash.
/// @param modified of all files
Run run_of(const std::string& input, const std::vector<std::pair<std::string, std::string>>& files,
           std::int64_t modified = 7) {
    Run run;
    run.request.analysis = "spots";
    run.request.inputs["frames"] = {input, {}};
    for (const auto& [name, hash] : files) run.files.push_back({name, 10, modified, hash});
    return run;
}

TEST(ChangedFiles, OfASingleFileItsOtherContentIsNamed) {
    const auto before = run_of("/d/a.h5", {{"/d/a.h5", "1"}});
    EXPECT_TRUE(changed_files(before, before).empty());
    const auto changes = changed_files(before, run_of("/d/a.h5", {{"/d/a.h5", "2"}}));
    EXPECT_EQ(changes, (std::vector<FileChange>{{"/d/a.h5", ""}}));
    EXPECT_EQ(text_of(changes), "/d/a.h5 has changed since");
}

TEST(ChangedFiles, TheSameContentUnderAnotherNameIsNoChange) {
    const auto before = run_of("/d/a.h5", {{"/d/a.h5", "1"}});
    EXPECT_TRUE(changed_files(before, run_of("/e/a.h5", {{"/e/a.h5", "1"}})).empty());
    EXPECT_TRUE(changed_files(before, run_of("/d/b.h5", {{"/d/b.h5", "1"}})).empty());
    EXPECT_EQ(changed_files(before, run_of("/d/b.h5", {{"/d/b.h5", "2"}})).size(), 1U);
    EXPECT_TRUE(changed_files(run_of("/d/a.h5", {}), before).empty());
}

TEST(ChangedFiles, AFileThatWasNoPartOfTheRunHasNotChanged) {
    const auto before = run_of("/d/a.h5", {{"/d/a.h5", "1"}});
    EXPECT_EQ(text_of(changed_files(before, run_of("/d/b.h5", {{"/d/b.h5", "2"}}))),
              "the run used /d/a.h5, not /d/b.h5");
    EXPECT_EQ(text_of(changed_files(before, run_of("/e/a.h5::/data", {{"/e/a.h5", "2"}}))),
              "the run used /d/a.h5, not /e/a.h5");
    // A part that a link names.
    EXPECT_EQ(text_of(changed_files(before, run_of("/d/a.h5", {{"/d/a.h5", "1"}, {"/d/part.h5", "2"}}))),
              "the run did not use /d/part.h5");
}

TEST(ChangedFiles, OfASeriesNewMissingAndOtherFilesAreNamed) {
    const auto before = run_of("/d/i_#.tif", {{"/d/i_1.tif", "1"}, {"/d/i_2.tif", "2"}, {"/d/i_3.tif", "3"}});
    // A copy of a known file is a new one, too.
    const auto grown = run_of(
        "/d/i_#.tif", {{"/d/i_1.tif", "1"}, {"/d/i_2.tif", "2"}, {"/d/i_3.tif", "3"}, {"/d/i_4.tif", "3"}});
    EXPECT_EQ(text_of(changed_files(before, grown)), "/d/i_#.tif has changed since (new file i_4.tif)");
    EXPECT_EQ(text_of(changed_files(grown, before)), "/d/i_#.tif has changed since (missing file i_4.tif)");
    // Elsewhere, and with the content of the third file under the name of the second.
    const auto other = run_of("/e/i_#.tif", {{"/e/i_1.tif", "1"}, {"/e/i_2.tif", "3"}, {"/e/i_4.tif", "4"}});
    EXPECT_EQ(
        text_of(changed_files(before, other)),
        "the run used /d/i_#.tif, not /e/i_#.tif (new file i_4.tif; missing file i_3.tif; other content in "
        "i_2.tif)");
}

TEST(ChangedFiles, AnotherTimeOfTheSameBytesIsToldFromAChange) {
    const auto before = run_of("/d/a.h5", {{"/d/a.h5", "1"}});
    const auto touched = changed_files(before, run_of("/d/a.h5", {{"/d/a.h5", "1"}}, 8));
    EXPECT_FALSE(have_changed(touched));
    EXPECT_EQ(text_of(touched), "/d/a.h5 was written since, but its size and hash are the same");
    EXPECT_FALSE(have_changed(changed_files(before, run_of("/e/a.h5", {{"/e/a.h5", "1"}}, 8))));
    EXPECT_FALSE(have_changed(changed_files(before, run_of("/d/b.h5", {{"/d/b.h5", "1"}}, 8))));
    EXPECT_TRUE(have_changed(changed_files(before, run_of("/d/a.h5", {{"/d/a.h5", "2"}}, 8))));
    EXPECT_TRUE(have_changed(changed_files(before, run_of("/d/b.h5", {{"/d/b.h5", "2"}}, 8))));
    // A hash that is not known proves nothing.
    EXPECT_TRUE(have_changed(
        changed_files(run_of("/d/a.h5", {{"/d/a.h5", ""}}), run_of("/d/a.h5", {{"/d/a.h5", ""}}, 8))));
    const auto series = run_of("/d/i_#.tif", {{"/d/i_1.tif", "1"}, {"/d/i_2.tif", "2"}});
    const auto copied =
        changed_files(series, run_of("/d/i_#.tif", {{"/d/i_1.tif", "1"}, {"/d/i_2.tif", "2"}}, 8));
    EXPECT_FALSE(have_changed(copied));
    EXPECT_EQ(text_of(copied),
              "/d/i_#.tif was written since, but its size and hash are the same (other times of i_1.tif, "
              "i_2.tif)");
    const auto swapped =
        changed_files(series, run_of("/d/i_#.tif", {{"/d/i_1.tif", "1"}, {"/d/i_2.tif", "3"}}, 8));
    EXPECT_TRUE(have_changed(swapped));
    EXPECT_EQ(text_of(swapped), "/d/i_#.tif has changed since (other content in i_2.tif)");
}

TEST(ChangedFiles, OfManyFilesAFewAreNamed) {
    std::vector<std::pair<std::string, std::string>> files{{"/d/i_1.tif", "1"}};
    const auto before = run_of("/d/i_#.tif", files);
    for (const char* number : {"9", "8", "7", "6", "5", "4"})
        files.emplace_back("/d/i_" + std::string(number) + ".tif", number);
    EXPECT_EQ(text_of(changed_files(before, run_of("/d/i_#.tif", files))),
              "/d/i_#.tif has changed since (new files i_4.tif, i_5.tif, i_6.tif, i_7.tif and 2 more)");
}

}  // namespace
}  // namespace ks::changed_files_test
