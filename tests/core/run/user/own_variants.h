#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/io/files/temporary_folder.h"
#include "core/run/variant.h"

namespace ks::tests {

/// A folder of the user's variants that is removed with all that it holds.
class OwnVariants {
  public:
    const std::filesystem::path& path() const { return folder_.path(); }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }

  private:
    io::TemporaryFolder folder_{"kernelscope-variants"};
};

/// "tiled" and "driver" of spots, which have kernels and none, and one on the host.
inline std::vector<Variant> shipped_variants() {
    Variant tiled;
    tiled.analysis = "spots";
    tiled.id = "tiled";
    tiled.source_file = "gpu/spots/tiled.cl";
    tiled.source = "// what it tries\nkernel void find() {}\n";
    tiled.entry_points = {"find"};
    tiled.defines = {{"TILE", "16", {"16", "32"}, "rows of a tile"}};
    tiled.takes = {{"algorithm", "the algorithm", {"dispersion"}}};
    tiled.streaming = Streaming::frames;
    tiled.baseline = true;
    tiled.rank = 50;
    Variant driver = tiled;
    driver.id = "driver";
    driver.entry_points = {};
    Variant host = driver;
    host.id = "host.reference";
    host.source = "";
    return {tiled, driver, host};
}

}  // namespace ks::tests
