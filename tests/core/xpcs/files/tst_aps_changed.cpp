// A file in the layout of APS 8-ID is made of the frames of the run, or refused.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/files/file_record.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/files/aps_file.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/run_on_host.h"

namespace ks::tests::aps_changed {
namespace {

class ApsOfChangedFrames : public IoTest {
  protected:
    void write(std::size_t more) const {
        io::h5::Writer file(at("scan.h5"), at("scan.h5"), nullptr);
        std::vector<std::uint16_t> counts(6 * 20 * 30);
        for (std::size_t i = 0; i < counts.size(); ++i)
            counts[i] = static_cast<std::uint16_t>(i * i % 11 + more);
        file.array("/frames", Array::of<std::uint16_t>({6, 20, 30}, counts));
        file.close();
    }
};

TEST_F(ApsOfChangedFrames, is_refused_and_leaves_no_file) {
    write(0);
    Request request;
    request.analysis = "xpcs";
    request.inputs["frames"] = {at("scan.h5") + "::/frames"};
    request.inputs["partition"] = {"rings:15,10,0,3,3"};
    const Analysis analysis = xpcs::make_analyses().front();
    request.parameters = defaults(analysis.info().parameters);
    for (const auto& [id, value] : std::map<std::string, double>{
             {"frame_time", 0.5}, {"wavelength", 1.5}, {"distance", 2000.0}, {"pixel_size", 75.0}})
        request.parameters[id] = value;
    const auto problem = analysis.load(request, quiet, nullptr);
    ks::Run run = run_on_host(xpcs::host_variants(), *problem, "host.gram");
    run.request = request;
    run.files = {io::record_of(at("scan.h5"))};
    xpcs::write_aps(run, at("same.hdf"), false, quiet);
    EXPECT_TRUE(std::filesystem::exists(at("same.hdf")));
    write(1);
    EXPECT_TRUE(contains(input_error([&] { xpcs::write_aps(run, at("other.hdf"), false, quiet); }),
                         {"scan.h5 has changed since the run"}));
    EXPECT_FALSE(std::filesystem::exists(at("other.hdf")));
}

}  // namespace
}  // namespace ks::tests::aps_changed
