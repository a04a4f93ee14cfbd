#include "core/base/json_problem.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace ks::tests {
namespace {

std::string problem_when(const std::function<void()>& act) {
    try {
        act();
    } catch (const std::exception& error) {
        return problem_of(error);
    }
    return "nothing was thrown";
}

TEST(JsonProblem, NamesWhatIsWrongWithTheJson) {
    const nlohmann::json json{{"text", "x"}, {"list", {1, 2}}};
    EXPECT_EQ(problem_when([&] { (void)json.at("analysis"); }), "the key \"analysis\" is missing");
    EXPECT_EQ(problem_when([&] { (void)json.at("text").get<int>(); }),
              "a value has an unexpected type (string)");
    EXPECT_EQ(problem_when([&] { (void)json.at("list").at(7); }), "a value is missing or out of range");
    EXPECT_EQ(problem_when([] { EXPECT_FALSE(nlohmann::json::parse("{\"a\" 1}").is_null()); }),
              "invalid JSON at byte 6");
}

TEST(JsonProblem, KeepsTheTextOfOtherExceptions) {
    EXPECT_EQ(problem_when([] { throw std::runtime_error("no space left"); }), "no space left");
}

}  // namespace
}  // namespace ks::tests
