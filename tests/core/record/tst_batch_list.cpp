#include <gtest/gtest.h>

#include "core/record/batch.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class BatchList : public IoTest {};

TEST_F(BatchList, AByteOrderMarkIsNoPartOfTheFirstName) {
    write_bytes(at("list.txt"), "\xEF\xBB\xBF/data/a.h5\r\n# a comment\r\nb.h5\r\n");
    EXPECT_EQ(read_batch_list(at("list.txt")), (std::vector<std::string>{"/data/a.h5", at("b.h5")}));
}

TEST_F(BatchList, AListWithOnlyAMarkIsEmpty) {
    write_bytes(at("list.txt"), "\xEF\xBB\xBF\r\n");
    EXPECT_TRUE(contains(input_error([&] { read_batch_list(at("list.txt")); }), {"list.txt", "found none"}));
}

}  // namespace
}  // namespace ks::tests
