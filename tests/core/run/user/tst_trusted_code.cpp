// What a request that a saved run brought may compile and read.

#include "core/run/user/shown_variant.h"
#include "core/run/user/trusted_code.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/io/files/followed_files.h"
#include "tests/core/run/fake_analysis.h"
#include "tests/core/run/own_cache.h"

namespace trusted_code_test {

using namespace ks;
namespace fs = std::filesystem;

class TrustedCode : public testing::Test {
  protected:
    /// As a saved run holds it that somebody sent.
    static Request sent(const std::string& source) {
        Request request = fake::request("fancy");
        request.kernel_source = source;
        request.from_file = "/sent/run.h5";
        return request;
    }
    std::string refusal(const Request& request) {
        try {
            engine_.run(request, progress_);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
            return std::string(error.what()) + "\n" + error.details();
        }
        return {};
    }
    void expect_refused(const Request& request) {
        const std::string said = refusal(request);
        for (const char* part :
             {"/sent/run.h5: it contains code that has never run here: sums, fancy, other source", "--trust",
              "kernel void mine()"})
            EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
        EXPECT_EQ(counts_->executions, 0);
    }

    ks::tests::OwnCache user_{"KERNELSCOPE_DATA"};
    std::shared_ptr<fake::Counts> counts_ = std::make_shared<fake::Counts>();
    Engine engine_ = fake::engine(counts_);
    Progress progress_;
};

TEST_F(TrustedCode, an_unknown_source_is_not_run_and_nothing_is_loaded) {
    expect_refused(sent("kernel void mine() {}"));
    EXPECT_EQ(counts_->loads, 0);
    EXPECT_THROW(engine_.record(sent("kernel void mine() {}"), fake::Numbers(), progress_), Error);
}

TEST_F(TrustedCode, what_the_user_ran_is_known_afterwards_with_the_same_code_alone) {
    engine_.remember_what_runs();
    Request own = sent("kernel void mine() {}");
    own.from_file.clear();
    EXPECT_EQ(refusal(own), "");
    EXPECT_EQ(refusal(sent("kernel void mine() {}")), "");
    counts_->executions = 0;
    expect_refused(sent("kernel void mine() { }"));
    Request defines = sent("kernel void mine() {}");
    defines.defines = {{"TILE", "32"}};
    EXPECT_EQ(refusal(defines), "") << "a number is no code";
    counts_->executions = 0;
    for (const auto& [name, value] :
         {std::pair("TILE", "32; other()"), {"float", "32"}, {"T -include x", "1"}}) {
        defines.defines = {{name, value}};
        expect_refused(defines);
    }
}

TEST_F(TrustedCode, a_run_that_was_made_here_belongs_to_the_user) {
    know_code("kernel void mine() {}");
    EXPECT_EQ(engine_.run(sent("kernel void mine() {}"), progress_).request.from_file, "");
}

TEST_F(TrustedCode, a_run_that_nobody_asked_for_compiles_known_texts_only) {
    engine_.remember_what_runs();
    Request request = fake::request("fancy");
    request.kernel_source = "kernel void mine() {}";
    request.unasked = true;
    EXPECT_NE(refusal(request).find("the text of fancy has changed outside the program"), std::string::npos);
    EXPECT_EQ(refusal(request).empty(), false) << "a refused text is not known afterwards";
    EXPECT_EQ(counts_->executions, 0);
    request.unasked = false;
    request.defines = {{"float", "half"}};
    EXPECT_EQ(refusal(request), "");
    request.unasked = true;
    request.defines.clear();
    EXPECT_EQ(refusal(request), "");
    EXPECT_FALSE(engine_.run(request, progress_).request.unasked);
    request.kernel_source = "kernel void mine() { }";
    EXPECT_NE(refusal(request), "");
    know_kernel_text(request.kernel_source);
    EXPECT_EQ(refusal(request), "");
}

TEST_F(TrustedCode, inputs_are_read_beside_the_run_or_where_they_are_known) {
    const ks::tests::OwnCache folder("KERNELSCOPE_CACHE");
    const fs::path sent_folder = folder.path() / "sent", other = folder.path() / "other";
    for (const fs::path& one : {sent_folder, other}) {
        fs::create_directory(one);
        std::ofstream(one / "data") << "1";
    }
    Request request = fake::request("fancy");
    request.from_file = (sent_folder / "run.h5").string();
    request.inputs["numbers"] = {(sent_folder / "data").string(), {}};
    EXPECT_EQ(refusal(request), "");
    request.inputs["numbers"] = {(other / "data").string(), {}};
    EXPECT_NE(refusal(request).find("is outside the folder of"), std::string::npos);
    EXPECT_EQ(io::take_not_followed().size(), 1U);
    know_input(other / "data");
    EXPECT_EQ(refusal(request), "");
}

TEST_F(TrustedCode, code_and_inputs_from_elsewhere_are_told_at_once) {
    const ks::tests::OwnCache folder("KERNELSCOPE_CACHE");
    const fs::path other = folder.path() / "other";
    fs::create_directory(other);
    fs::create_directory(folder.path() / "sent");
    std::ofstream(other / "data") << "1";
    Request request = sent("kernel void mine() {}");
    request.from_file = (folder.path() / "sent/run.h5").string();
    request.inputs["numbers"] = {(other / "data").string(), {}};
    const auto expect_both = [&](const std::string& said) {
        for (const std::string& part :
             {std::string("it contains code that has never run here"), (other / "data").string(),
              std::string("is outside the folder of"), std::string("if you trust the code and data\n"),
              std::string("kernel void mine() {}")})
            EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
    };
    expect_both(refusal(request));
    try {
        engine_.load(request, progress_);
        ADD_FAILURE() << "it was loaded";
    } catch (const Error& error) {
        expect_both(std::string(error.what()) + "\n" + error.details());
    }
    EXPECT_EQ(counts_->executions, 0);
    EXPECT_EQ(counts_->loads, 0);
    // One of them that is known is not told of.
    know_code("kernel void mine() {}");
    EXPECT_EQ(refusal(request).find("code"), std::string::npos) << refusal(request);
    know_input(other / "data");
    EXPECT_EQ(refusal(request), "");
}

/// The hash of "kernel" and "kernel 2", as libxxhash gives them.
constexpr const char *first_mark = "e211a4", *second_mark = "112d7c";

TEST_F(TrustedCode, a_variant_is_named_with_the_mark_of_the_text_that_ran) {
    ks::Run run;
    run.request = fake::request("fancy");
    run.variant.id = "fancy";
    run.variant.source = "shipped";
    EXPECT_EQ(shown_variant(run), "fancy");
    run.request.kernel_source = "kernel";
    EXPECT_EQ(shown_variant(run), std::string("fancy, other source ") + first_mark);
    EXPECT_EQ(shown_variant("fancy", run.request), shown_variant(run));
    run.variant.id = "user.mine";
    run.variant.user_file = "mine.cl";
    run.variant.source = "kernel";
    EXPECT_EQ(shown_variant(run), std::string("user.mine, text ") + first_mark);
    run.request.kernel_source = "kernel 2";
    EXPECT_EQ(shown_variant(run), std::string("user.mine, text ") + second_mark);
    EXPECT_EQ(shown_kernel(run), shown_variant(run));
    run.request.defines = {{"ROWS", "4"}, {"VECTORS", "2"}};
    EXPECT_EQ(shown_kernel(run), shown_variant(run) + ", ROWS = 4, VECTORS = 2");
}

TEST_F(TrustedCode, a_copy_of_the_shipped_text_is_no_other_source) {
    ks::Run run;
    run.variant.id = "fancy";
    run.variant.source = run.request.kernel_source = "shipped";
    EXPECT_EQ(shown_variant(run), "fancy");
}

}  // namespace trusted_code_test
