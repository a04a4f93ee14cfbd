// The main function of a folder's GoogleTest program: PROGRAM [tst_FILE...] [--gtest_...]
// With names of files, only the tests of these files run. What is skipped has to be allowed by
// tests/may_skip.txt.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/io/files/temporary_folder.h"
#include "tests/may_skip.h"

#if defined(__SANITIZE_ADDRESS__)
/// No library is unloaded: what one keeps for as long as it is loaded would be a leak of a library without a
/// name. HDF5 loads all plugins in its folder to find the one of a filter, and unloads the others.
extern "C" int dlclose(void* /*library*/) {
    return 0;
}
#endif

namespace {

std::string name_of(const testing::TestInfo& test) {
    return std::string(test.test_suite_name()) + "." + test.name();
}

template <class Visit>
void for_each_test(const Visit& visit) {
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i)
        for (int k = 0; k < all.GetTestSuite(i)->total_test_count(); ++k)
            visit(*all.GetTestSuite(i)->GetTestInfo(k));
}

/// Chooses the tests of these files; false where one of them has none.
bool choose(const std::vector<std::string>& files) {
    std::string filter;
    for (const std::string& file : files) {
        bool any = false;
        for_each_test([&](const testing::TestInfo& test) {
            if (std::filesystem::path(test.file()).stem() != file) return;
            filter += name_of(test) + ":";
            any = true;
        });
        if (any) continue;
        std::printf("FAILED: there are no tests of %s here\n", file.c_str());
        return false;
    }
    testing::GTEST_FLAG(filter) = filter;
    return true;
}

bool all_that_must_run_ran() {
    bool good = true;
    for_each_test([&](const testing::TestInfo& test) {
        if (!test.is_reportable()) return;
        if (!test.should_run()) good &= ks::tests::may_skip(name_of(test), "disabled");
        if (!test.result()->Skipped()) return;
        std::string reason;
        for (int i = 0; i < test.result()->total_part_count(); ++i)
            reason += test.result()->GetTestPartResult(i).message();
        good &= ks::tests::may_skip(name_of(test), reason);
    });
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    // Not the kernels of who runs the tests. A test may start its program again, in a process that ends
    // without cleaning up: it uses the folder of the first one.
    std::optional<ks::io::TemporaryFolder> folder;
    if (std::getenv("KERNELSCOPE_VARIANTS") == nullptr) {
        folder.emplace("kernelscope-tests");
        setenv("KERNELSCOPE_VARIANTS", (folder->path() / "variants").c_str(), 0);
    }
    testing::InitGoogleTest(&argc, argv);
    const std::vector<std::string> files(argv + 1, argv + argc);
    if (!files.empty() && !choose(files)) return 1;
    const int failed = RUN_ALL_TESTS();
    return all_that_must_run_ran() ? failed : 1;
}
