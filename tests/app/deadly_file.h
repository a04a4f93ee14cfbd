#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <hdf5.h>

namespace ks::tests {

/// While it lives, programs that are started find the filter of tests/deadly_filter, which crashes.
class DeadlyFilter {
  public:
    DeadlyFilter() { setenv("HDF5_PLUGIN_PATH", DEADLY_FILTER_FOLDER, 1); }
    ~DeadlyFilter() {
        for (const char* name :
             {"HDF5_PLUGIN_PATH", "DEADLY_FILTER", "DEADLY_FILTER_SPINS", "DEADLY_FILTER_MS"})
            unsetenv(name);
    }
    DeadlyFilter(const DeadlyFilter&) = delete;
    DeadlyFilter& operator=(const DeadlyFilter&) = delete;

    /// From now on it never comes back. @param file gets the number of the process that is in it
    void hang(const std::string& file) { setenv("DEADLY_FILTER", file.c_str(), 1); }
    /// The same, while it computes.
    void spin(const std::string& file) {
        hang(file);
        setenv("DEADLY_FILTER_SPINS", "1", 1);
    }
    /// From now on it does no harm, but takes its time for each chunk.
    void take(int milliseconds) { setenv("DEADLY_FILTER_MS", std::to_string(milliseconds).c_str(), 1); }

    /// A file whose dataset of u16, all 3, is read by that filter. The path's groups are made.
    static void write(const std::string& file, const std::string& path, const std::vector<hsize_t>& shape) {
        std::vector<hsize_t> chunk = shape;
        if (chunk.size() == 3) chunk[0] = 1;
        const int rank = static_cast<int>(shape.size());
        std::size_t values = 1;
        for (const hsize_t extent : chunk) values *= extent;
        const std::vector<std::uint16_t> same(values, 3);
        const hid_t opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                    space = H5Screate_simple(rank, shape.data(), nullptr),
                    how = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_create_intermediate_group(links, 1);
        H5Pset_chunk(how, rank, chunk.data());
        H5Pset_filter(how, 300, H5Z_FLAG_OPTIONAL, 0, nullptr);
        const hid_t set = H5Dcreate2(opened, path.c_str(), H5T_STD_U16LE, space, links, how, H5P_DEFAULT);
        std::vector<hsize_t> offset(shape.size(), 0);
        bool done = set >= 0;
        for (hsize_t i = 0; i < (rank == 3 ? shape[0] : 1); ++i) {
            offset[0] = i;
            done =
                done && H5Dwrite_chunk(set, H5P_DEFAULT, 0, offset.data(), 2 * same.size(), same.data()) >= 0;
        }
        H5Dclose(set);
        H5Pclose(links);
        H5Pclose(how);
        H5Sclose(space);
        H5Fclose(opened);
        if (!done) throw std::runtime_error("cannot write " + file);
    }
};

}  // namespace ks::tests
