#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/run/variant.h"

namespace ks::tests {

/// A folder of the user's variants that is removed with all that it holds.
class OwnVariants {
  public:
    OwnVariants() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "kernelscope-variants-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = pattern;
    }
    ~OwnVariants() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    OwnVariants(const OwnVariants&) = delete;
    OwnVariants& operator=(const OwnVariants&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }

  private:
    std::filesystem::path path_;
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
