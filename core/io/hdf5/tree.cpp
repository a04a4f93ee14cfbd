#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "core/base/error.h"
#include "core/io/files/followed_files.h"
#include "core/io/hdf5/filters.h"
#include "core/io/hdf5/hdf5_frames.h"
#include "core/io/hdf5/hdf5_links.h"
#include "core/io/hdf5/hdf5_read.h"
#include "core/io/hdf5/layout_text.h"
#include "core/io/hdf5/nexus.h"

namespace ks::io {
namespace {

constexpr std::size_t longest_value = 80;

/// Small values as text, with their unit.
std::string value_text(hid_t dataset, const std::vector<std::size_t>& shape) {
    std::size_t n = 1;
    for (const std::size_t dim : shape) n *= dim;
    if (n == 0 || n > 4) return {};
    std::string text;
    if (const auto texts = h5::strings(dataset))
        text = fmt::format("{}", fmt::join(*texts, ", "));
    else if (const auto values = h5::numbers(dataset))
        text = fmt::format("{:.10g}", fmt::join(*values, ", "));
    for (char& c : text)
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    if (text.size() > longest_value) {
        std::size_t end = longest_value;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
            --end;  // inside a character
        text.resize(end);
        text += "...";
    }
    const auto unit = h5::attribute(dataset, "units");
    return unit && !text.empty() ? text + " " + *unit : text;
}

void fill_dataset(FileNode& node, hid_t dataset) {
    node.kind = FileNode::Kind::dataset;
    const h5::Handle type(H5Dget_type(dataset));
    node.type = h5::type_name(type);
    node.shape = h5::shape_of(dataset);
    node.layout = layout_text(dataset);
    node.value = value_text(dataset, node.shape);
    node.frames = !why_not_frames(dataset).has_value();
}

/// Why the object cannot be opened.
/// @param target of the link to it; empty: it is not a link
std::string fault_of(const h5::Handle& file, const std::filesystem::path& name, const std::string& path,
                     const std::string& target) {
    try {
        h5::open_object(file, name.string(), path);
    } catch (const NotFollowed& error) {
        return (target.empty() ? "" : target + ", ") + error.message();
    } catch (const Error& error) {
        return target.empty() ? error.message() : target;
    }
    return target.empty() ? "damaged" : target;
}

/// The node at `path`, below `root`: parents are visited before their children.
FileNode& place(FileNode& root, const std::string& path) {
    FileNode* at = &root;
    while (true) {
        FileNode* next = nullptr;
        if (!at->children.empty()) {
            FileNode& last = at->children.back();
            if (path.starts_with(last.path + "/")) next = &last;
        }
        if (next == nullptr) break;
        at = next;
    }
    return at->children.emplace_back();
}

}  // namespace

FileNode read_hdf5_tree(const std::filesystem::path& path, const std::string& group) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(path);
    const h5::Handle top = h5::open_object(file, path.string(), group);
    FileNode root;
    root.name = path.filename().string();
    root.path = group;
    h5::walk(top, group, [&](const h5::Met& met) {
        FileNode& node = place(root, met.path);
        node.name = met.name;
        node.path = met.path;
        node.note = met.note;
        if (!met.object.valid()) {
            node.kind = FileNode::Kind::missing;
            node.type = fault_of(file, path, met.path, met.target);
            return false;
        }
        node.nx_class = met.group ? h5::nx_class(met.object) : std::string();
        if (h5::is_dataset(met.object))
            fill_dataset(node, met.object);
        else if (!met.group)
            node.type = "named datatype";
        return met.group;
    });
    return root;
}

std::string layout_text(hid_t dataset) {
    const h5::Lock lock;
    const h5::Handle properties(H5Dget_create_plist(dataset));
    switch (H5Pget_layout(properties)) {
        case H5D_COMPACT:
            return "compact";
        case H5D_CONTIGUOUS:
            return H5Pget_external_count(properties) > 0 ? "external file" : "contiguous";
        case H5D_VIRTUAL: {
            std::size_t n = 0;
            H5Pget_virtual_count(properties, &n);
            return fmt::format("virtual, {} source{}", n, n == 1 ? "" : "s");
        }
        case H5D_CHUNKED:
            break;
        default:
            return "unknown";
    }
    std::vector<hsize_t> chunk(h5::shape_of(dataset).size());
    H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    std::string text = fmt::format("chunked {}", fmt::join(chunk, "x"));
    const int n = H5Pget_nfilters(properties);
    for (int i = 0; i < n; ++i) {
        unsigned flags = 0, config = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values,
                                                   nullptr, 0, nullptr, &config);
        text += ", " + h5::filter_name(filter);
    }
    return text;
}

}  // namespace ks::io
