#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/io/hdf5/hdf5_write.h"
#include "core/run/run.h"

namespace ks::io {

/// Paths in the file by the names of a result's datasets.
using DatasetPaths = std::map<std::string, std::string>;

/// Writes /entry/kernelscope: request, variant, device, driver, timings, verdict and builds as JSON text, and
/// what is needed to read the run back. Datasets that `placed` does not name are written to
/// /entry/kernelscope/datasets/NAME; the caller has written the others.
void write_run_record(h5::Writer& out, const Run& run, const DatasetPaths& placed);

/// Writes which group viewers show by default ("data" of /entry), the program, and the time of the run.
void write_origin(h5::Writer& out, const Run& run, const std::string& shown);

/// Whether the file is HDF5 and records a run.
bool holds_run(const std::filesystem::path& file);
/// Id of the analysis of the recorded run. Throws ks::Error(input) if the file holds no run or a damaged one.
std::string recorded_analysis(const std::filesystem::path& file);
/// Reads a run back: record and datasets, as they are in the file. Throws ks::Error(input) if the file holds
/// no run or a damaged one.
Run read_run_record(const std::filesystem::path& file);
/// The same, and throws ks::Error(input) if it is a run of another analysis.
Run read_run_of(const std::filesystem::path& file, const std::string& analysis);

}  // namespace ks::io
