#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <hdf5.h>

namespace ks::tests {

/// A small HDF5 file made with the C library alone, so that nothing of the program vouches for itself.
class Hdf5Fixture {
  public:
    explicit Hdf5Fixture(const std::string& path)
        : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {
        if (file_ < 0) throw std::runtime_error("cannot create " + path);
    }
    ~Hdf5Fixture() { H5Fclose(file_); }
    Hdf5Fixture(const Hdf5Fixture&) = delete;
    Hdf5Fixture& operator=(const Hdf5Fixture&) = delete;

    /// u16 dataset at /name whose element i is value(i).
    void counts(const std::string& name, const std::vector<hsize_t>& shape,
                const std::function<std::uint16_t(std::size_t)>& value) {
        const hsize_t n = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
        std::vector<std::uint16_t> values(n);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(i);
        write(name, shape, H5T_STD_U16LE, H5T_NATIVE_UINT16, values.data());
    }
    /// f32 dataset, likewise.
    void reals(const std::string& name, const std::vector<hsize_t>& shape,
               const std::function<float(std::size_t)>& value) {
        const hsize_t n = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
        std::vector<float> values(n);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(i);
        write(name, shape, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, values.data());
    }
    void strings(const std::string& name, const std::vector<hsize_t>& shape) {
        const hsize_t n = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>());
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 4);
        const std::string text(n * 4, 'a');
        write(name, shape, type, type, text.data());
        H5Tclose(type);
    }
    void group(const std::string& name) {
        H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    void external_link(const std::string& name, const std::string& file, const std::string& object) const {
        H5Lcreate_external(file.c_str(), object.c_str(), file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }

  private:
    void write(const std::string& name, const std::vector<hsize_t>& shape, hid_t stored, hid_t memory,
               const void* values) {
        const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t set =
            H5Dcreate2(file_, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        const herr_t status = H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        H5Dclose(set);
        H5Sclose(space);
        if (status < 0) throw std::runtime_error("cannot write " + name);
    }
    hid_t file_;
};

}  // namespace ks::tests
