#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/io/files/data_name.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/hdf5_read.h"

namespace ks::io {

/// A list in a file; nothing if it does not exist. Throws ks::Error(input) if it has other values.
/// @param expected "numbers" @param read returns the values of a dataset, or nothing
template <class T, class Read>
std::vector<T> list_at(const h5::Handle& file, const DataName& name, const char* expected, const Read& read) {
    if (!h5::exists(file, name.object)) return {};
    const h5::Handle dataset = h5::open_dataset(file, name.file.string(), name.object);
    auto values = read(dataset);
    if (!values)
        throw Error(ErrorKind::input, fmt::format("expected a list of {}", expected), name.to_string());
    return std::move(*values);
}

}  // namespace ks::io
