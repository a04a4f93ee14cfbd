// The present names of what a run has read.

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/record/moved_inputs.h"
#include "core/run/repeats/repeats.h"

namespace moved_inputs_test {

using namespace ks;
namespace fs = std::filesystem;

TEST(MovedInputs, repeats_move_with_the_input_of_their_folder) {
    const fs::path folder = fs::temp_directory_path() / "kernelscope_moved_inputs";
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const char* leaf : {"rep_1.h5", "rep_2.h5"}) std::ofstream(folder / leaf) << leaf;
    // A session restores data under the name of their folder, not of the link under which they were opened.
    ks::Run run;
    run.request.inputs["frames"] = {"/nowhere/link/rep_1.h5::/entry/data", {}};
    std::vector<RepeatRow> rows(4);
    rows[0].name = "/nowhere/link/rep_1.h5::/entry/data";
    rows[1].name = "/nowhere/link/rep_2.h5::/entry/data";
    rows[1].chosen = false;
    rows[1].left_out = left_out_by_hand;
    rows[2].name = "/nowhere/link/absent.h5";
    rows[3].name = "/elsewhere/rep_2.h5";
    set_repeats(run.result, rows);
    const std::string now = (folder / "rep_1.h5").string();
    const auto moved =
        with_moved_inputs(std::make_shared<const ks::Run>(run), {{{"/nowhere/link/rep_1.h5", now}}, {}});
    EXPECT_EQ(moved->request.inputs.at("frames").name, now + "::/entry/data");
    const std::vector<RepeatRow> found = repeats_of(*moved);
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0].name, now + "::/entry/data");
    EXPECT_EQ(found[1].name, (folder / "rep_2.h5").string() + "::/entry/data");
    EXPECT_EQ(found[1].chosen, std::optional(false));
    EXPECT_EQ(found[2].name, "/nowhere/link/absent.h5") << "there is no such file";
    EXPECT_EQ(found[3].name, "/elsewhere/rep_2.h5");
    ASSERT_EQ(moved->result.warnings.size(), 1U);
    EXPECT_TRUE(moved->result.warnings[0].starts_with((folder / "rep_2.h5").string()))
        << moved->result.warnings[0];
    fs::remove_all(folder);
}

}  // namespace moved_inputs_test
