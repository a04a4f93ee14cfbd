#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/wire/jobs.h"
#include "tests/core/run/fake_analysis.h"
#include "tests/core/run/user/own_variants.h"

namespace {

using namespace ks;

const std::string shipped = "kernel void shipped_text() {}\n";

/// All its variants have one kernel.
class Kernels : public fake::Devices {
  public:
    Kernels() : Devices(std::make_shared<fake::Counts>()), rows_(Devices::variants()) {
        for (Variant& one : rows_) {
            one.source_file = "gpu/sums/add.cl";
            one.source = shipped;
            one.entry_points = {"shipped_text"};
        }
    }
    const std::vector<Variant>& variants() const override { return rows_; }
    std::map<std::string, std::string> kernel_files() override { return {{"gpu/sums/add.cl", shipped}}; }

  private:
    std::vector<Variant> rows_;
};

class OfferedTexts : public testing::Test {
  protected:
    OfferedTexts() {
        own_.write("sums/part.cl", "float users_part;\n");
        file_ = own_.write("sums/mine.cl",
                           "// kernelscope variant\n// base: plain\n\n#include \"part.cl\"\n"
                           "kernel void users_text() {}\n");
        own_.write("sums/broken.cl",
                   "// kernelscope variant\n// base: none.of.these\n\nfloat broken_text;\n");
        std::vector<Analysis> analyses;
        analyses.emplace_back(fake::sums(std::make_shared<fake::Counts>()));
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(std::make_unique<Kernels>());
        engine_ = std::make_unique<Engine>(
            std::make_shared<const Registry>(std::move(analyses), std::vector<HostVariant>()),
            std::move(backends), own_.path());
    }
    /// How often a text is in the message that answers a job.
    template <class Answer>
    static std::size_t times(const Answer& answer, std::string_view text) {
        const std::vector<std::byte> bytes = wire::encode(wire::message_with("answer", answer, 1));
        const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        std::size_t count = 0;
        for (std::size_t at = all.find(text); at != all.npos; at = all.find(text, at + 1)) ++count;
        return count;
    }

    tests::OwnVariants own_;
    std::filesystem::path file_;
    std::unique_ptr<Engine> engine_;
};

TEST_F(OfferedTexts, an_encoded_offer_holds_no_kernel_text) {
    const wire::Offered offered = wire::offered_by(*engine_);
    ASSERT_EQ(offered.offers.at("sums").size(), engine_->devices().size());
    for (const std::vector<Offer>& on_device : offered.offers.at("sums")) {
        ASSERT_EQ(on_device.size(), 5U);  // three shipped ones, the user's, and the broken one
        for (const Offer& offer : on_device)
            for (const char* text : {"shipped_text() {}", "users_text", "users_part", "broken_text"})
                EXPECT_EQ(times(offer, text), 0U) << offer.variant.id << ": " << text;
    }
}

TEST_F(OfferedTexts, a_message_holds_each_text_once_however_many_devices_there_are) {
    const wire::Offered offered = wire::offered_by(*engine_);
    EXPECT_EQ(times(offered, "users_text"), 1U);
    EXPECT_EQ(times(offered, "users_part"), 1U);
    EXPECT_EQ(times(offered, "shipped_text() {}"), 0U);
    EXPECT_EQ(times(wire::catalogue_of(*engine_), "shipped_text() {}"), 1U);
}

TEST_F(OfferedTexts, the_text_of_an_offered_variant_is_found_by_its_path) {
    const wire::Message answer = wire::message_with("answer", wire::catalogue_of(*engine_), 1);
    const wire::Catalogue catalogue = wire::answer_from<wire::CatalogueJob>(answer);
    const auto text_of = [&](const std::string& id) {
        const std::vector<Offer>& offers = catalogue.offers.at("sums").front();
        const auto found =
            std::ranges::find_if(offers, [&](const Offer& offer) { return offer.variant.id == id; });
        return found == offers.end() ? "not offered" : catalogue.text_of(found->variant);
    };
    EXPECT_EQ(text_of("plain"), shipped);
    EXPECT_EQ(text_of("user.broken"), "");
    const std::string own = text_of("user.mine");
    EXPECT_NE(own.find("float users_part;"), std::string::npos) << own;
    EXPECT_NE(own.find("kernel void users_text"), std::string::npos) << own;
    EXPECT_EQ(catalogue.user_texts.size(), 1U);
    EXPECT_EQ(catalogue.user_texts.count(file_.string()), 1U);
}

}  // namespace
