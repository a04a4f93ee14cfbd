#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "tests/reference_data.h"

namespace ks::tests {
namespace fs = std::filesystem;

/// A folder that a test fills and that goes with it.
class IoTest : public ::testing::Test {
  protected:
    IoTest() {
        std::string pattern = (fs::temp_directory_path() / "kernelscope-io-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder = pattern;
    }
    ~IoTest() override {
        std::error_code ignored;
        fs::permissions(folder, fs::perms::owner_all, ignored);
        fs::remove_all(folder, ignored);
    }
    std::string at(const std::string& name) const { return (folder / name).string(); }

    fs::path folder;
    Progress quiet;
};

inline void write_bytes(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

inline std::string read_bytes(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The ks::Error that `call` throws: its kind must be input; "" where it throws nothing.
inline std::string input_error(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

inline ::testing::AssertionResult contains(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
        if (text.find(part) == std::string::npos)
            return ::testing::AssertionFailure() << "\"" << part << "\" is not in \"" << text << "\"";
    return ::testing::AssertionSuccess();
}

/// An HDF5 file made with the C library alone, so that the program does not vouch for itself.
class TestFile {
  public:
    explicit TestFile(const std::string& path, hid_t create = H5P_DEFAULT)
        : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, create, H5P_DEFAULT)),
          links_(H5Pcreate(H5P_LINK_CREATE)) {
        H5Pset_create_intermediate_group(links_, 1);
    }
    ~TestFile() {
        H5Pclose(links_);
        H5Fclose(file_);
    }
    TestFile(const TestFile&) = delete;
    TestFile& operator=(const TestFile&) = delete;
    hid_t id() const { return file_; }

    using Shape = std::vector<hsize_t>;
    static std::size_t count(const Shape& shape) {
        return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    }

    /// A dataset; values are written where given (of type `memory`). `chunk` empty: contiguous.
    void make(const std::string& path, hid_t type, const Shape& shape, const void* values = nullptr,
              hid_t memory = -1, const Shape& chunk = {}, const std::function<void(hid_t)>& more = {}) {
        const hid_t space = shape.empty()
                                ? H5Screate(H5S_SCALAR)
                                : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
        if (!chunk.empty()) H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
        if (more) more(properties);
        const hid_t dataset = H5Dcreate2(file_, path.c_str(), type, space, links_, properties, H5P_DEFAULT);
        ASSERT_GE(dataset, 0) << path;
        if (values != nullptr) {
            ASSERT_GE(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0) << path;
        }
        H5Dclose(dataset);
        H5Pclose(properties);
        H5Sclose(space);
    }
    /// u16 values 0, 1, 2, ... times `factor`.
    void ramp(const std::string& path, const Shape& shape, const Shape& chunk = {},
              const std::function<void(hid_t)>& more = {}, unsigned factor = 1) {
        std::vector<std::uint16_t> values(count(shape));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i * factor);
        make(path, H5T_STD_U16LE, shape, values.data(), H5T_NATIVE_UINT16, chunk, more);
    }
    void number(const std::string& path, double value, const std::string& unit = {}) {
        make(path, H5T_IEEE_F64LE, {}, &value, H5T_NATIVE_DOUBLE);
        if (!unit.empty()) text_attribute(path, "units", unit);
    }
    void group(const std::string& path, const std::string& nx_class = {}) {
        const hid_t made = H5Gcreate2(file_, path.c_str(), links_, H5P_DEFAULT, H5P_DEFAULT);
        ASSERT_GE(made, 0) << path;
        H5Gclose(made);
        if (!nx_class.empty()) text_attribute(path, "NX_class", nx_class);
    }
    void text_attribute(const std::string& path, const std::string& name, const std::string& value) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, value.size());
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t made = H5Acreate_by_name(file_, path.c_str(), name.c_str(), type, space, H5P_DEFAULT,
                                             H5P_DEFAULT, H5P_DEFAULT);
        EXPECT_GE(H5Awrite(made, type, value.data()), 0);
        H5Aclose(made);
        H5Sclose(space);
        H5Tclose(type);
    }
    void soft_link(const std::string& path, const std::string& target) {
        EXPECT_GE(H5Lcreate_soft(target.c_str(), file_, path.c_str(), links_, H5P_DEFAULT), 0);
    }
    void external_link(const std::string& path, const std::string& file, const std::string& target) {
        EXPECT_GE(H5Lcreate_external(file.c_str(), target.c_str(), file_, path.c_str(), links_, H5P_DEFAULT),
                  0);
    }

  private:
    hid_t file_, links_;
};

}  // namespace ks::tests
