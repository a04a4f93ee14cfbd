// Codes of OpenCL have their names, and a meaning where the name does not tell.

#include <gtest/gtest.h>

#include "gpu/runtime/codes/opencl_code.h"

namespace opencl_code_test {

using namespace ks::gpu;

TEST(OpenclCode, a_code_is_told_with_its_name) {
    EXPECT_EQ(code_text(-11), "CL_BUILD_PROGRAM_FAILURE (-11)");
    EXPECT_EQ(code_text(-54), "CL_INVALID_WORK_GROUP_SIZE (-54)");
    EXPECT_EQ(code_text(-4711), "unknown code (-4711)");
}

TEST(OpenclCode, what_a_name_does_not_tell_is_said) {
    EXPECT_NE(code_meaning(-5).find("registers"), std::string::npos);
    EXPECT_NE(code_meaning(-54).find("group"), std::string::npos);
    EXPECT_EQ(code_meaning(-4711), "");
}

}  // namespace opencl_code_test
