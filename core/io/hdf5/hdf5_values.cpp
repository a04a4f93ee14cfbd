#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/named/named_files.h"

namespace ks::io::h5 {
namespace {

using Reader = std::function<herr_t(hid_t, void*)>;

std::size_t count_of(hid_t space) {
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    return n > 0 ? static_cast<std::size_t>(n) : 0;
}

std::optional<std::vector<std::string>> read_strings(hid_t type, hid_t space, const Reader& read) {
    if (H5Tget_class(type) != H5T_STRING) return std::nullopt;
    const std::size_t n = count_of(space);
    std::vector<std::string> all(n);
    if (n == 0) return all;
    const Handle memory(H5Tcopy(type));
    if (H5Tis_variable_str(type) > 0) {
        std::vector<char*> texts(n, nullptr);
        if (read(memory, texts.data()) < 0) return std::nullopt;
        for (std::size_t i = 0; i < n; ++i)
            if (texts[i] != nullptr) all[i] = texts[i];
        H5Dvlen_reclaim(memory, space, H5P_DEFAULT, texts.data());
        return all;
    }
    const std::size_t size = H5Tget_size(type);
    std::string bytes(n * size, '\0');
    if (read(memory, bytes.data()) < 0) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) {
        const char* from = bytes.data() + i * size;
        all[i].assign(from, strnlen(from, size));
        if (H5Tget_strpad(type) == H5T_STR_SPACEPAD)
            while (!all[i].empty() && all[i].back() == ' ') all[i].pop_back();
    }
    return all;
}

std::optional<std::vector<double>> read_numbers(hid_t type, hid_t space, std::size_t limit,
                                                const Reader& read) {
    if (!element_type(type)) return std::nullopt;
    const std::size_t n = count_of(space);
    if (n > limit) return std::nullopt;
    std::vector<double> all(n);
    if (n > 0 && read(H5T_NATIVE_DOUBLE, all.data()) < 0) return std::nullopt;
    return all;
}

}  // namespace

std::vector<std::size_t> shape_of(hid_t dataset) {
    const Lock lock;
    const Handle space(H5Dget_space(dataset));
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank <= 0) return {};
    std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    return {dims.begin(), dims.end()};
}

std::string to_text(const std::vector<std::size_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string type_name(hid_t type) {
    const Lock lock;
    const std::size_t bits = H5Tget_size(type) * 8;
    switch (H5Tget_class(type)) {
        case H5T_INTEGER:
            return fmt::format("{}{}", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "i", bits);
        case H5T_FLOAT:
            return fmt::format("f{}", bits);
        case H5T_STRING:
            return "string";
        case H5T_COMPOUND:
            return "compound";
        case H5T_ENUM:
            return "enum";
        case H5T_ARRAY:
            return "array";
        case H5T_VLEN:
            return "variable length";
        case H5T_REFERENCE:
            return "reference";
        case H5T_BITFIELD:
            return "bit field";
        case H5T_OPAQUE:
            return "opaque";
        default:
            return "unknown";
    }
}

std::optional<ElementType> element_type(hid_t type) {
    const Lock lock;
    const H5T_class_t kind = H5Tget_class(type);
    if (kind == H5T_ENUM) {
        const Handle base(H5Tget_super(type));
        return element_type(base);
    }
    const std::size_t size = H5Tget_size(type);
    if (kind == H5T_FLOAT) {
        if (size == 2 || size == 4) return ElementType::f32;
        return size == 8 ? std::optional(ElementType::f64) : std::nullopt;
    }
    if (kind != H5T_INTEGER) return std::nullopt;
    const bool plain = H5Tget_sign(type) == H5T_SGN_NONE;
    switch (size) {
        case 1:
            return plain ? ElementType::u8 : ElementType::i16;
        case 2:
            return plain ? ElementType::u16 : ElementType::i16;
        case 4:
            return plain ? ElementType::u32 : ElementType::i32;
        case 8:
            return plain ? ElementType::u64 : ElementType::i64;
        default:
            return std::nullopt;
    }
}

hid_t memory_type(ElementType type) {
    const Lock lock;
    switch (type) {
        case ElementType::u8:
            return H5T_NATIVE_UINT8;
        case ElementType::u16:
            return H5T_NATIVE_UINT16;
        case ElementType::u32:
            return H5T_NATIVE_UINT32;
        case ElementType::u64:
            return H5T_NATIVE_UINT64;
        case ElementType::i16:
            return H5T_NATIVE_INT16;
        case ElementType::i32:
            return H5T_NATIVE_INT32;
        case ElementType::i64:
            return H5T_NATIVE_INT64;
        case ElementType::f32:
            return H5T_NATIVE_FLOAT;
        case ElementType::f64:
            break;
    }
    return H5T_NATIVE_DOUBLE;
}

std::optional<std::string> attribute(hid_t object, const std::string& name) {
    const Lock lock;
    if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
    const Handle opened(H5Aopen(object, name.c_str(), H5P_DEFAULT));
    const Handle type(H5Aget_type(opened));
    const Handle space(H5Aget_space(opened));
    const Reader read = [&](hid_t memory, void* into) { return H5Aread(opened, memory, into); };
    if (const auto texts = read_strings(type, space, read))
        return texts->empty() ? std::nullopt : std::optional(texts->front());
    if (const auto values = read_numbers(type, space, 4096, read); values && !values->empty())
        return fmt::format("{}", values->front());
    return std::nullopt;
}

std::optional<std::vector<double>> attribute_numbers(hid_t object, const std::string& name) {
    const Lock lock;
    if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
    const Handle opened(H5Aopen(object, name.c_str(), H5P_DEFAULT));
    const Handle type(H5Aget_type(opened));
    const Handle space(H5Aget_space(opened));
    return read_numbers(type, space, 4096,
                        [&](hid_t memory, void* into) { return H5Aread(opened, memory, into); });
}

std::string nx_class(hid_t object) {
    return attribute(object, "NX_class").value_or("");
}

std::optional<std::vector<std::string>> strings(hid_t dataset) {
    const Lock lock;
    if (!values_followed(dataset)) return std::nullopt;
    const Handle type(H5Dget_type(dataset));
    const Handle space(H5Dget_space(dataset));
    return read_strings(type, space, [&](hid_t memory, void* into) {
        return H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, into);
    });
}

std::optional<std::vector<double>> numbers(hid_t dataset, std::size_t limit) {
    const Lock lock;
    if (!values_followed(dataset)) return std::nullopt;
    const Handle type(H5Dget_type(dataset));
    const Handle space(H5Dget_space(dataset));
    return read_numbers(type, space, limit, [&](hid_t memory, void* into) {
        return H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, into);
    });
}

}  // namespace ks::io::h5
