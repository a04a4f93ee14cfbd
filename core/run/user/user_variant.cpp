#include "core/run/user/user_variant.h"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/printable.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/file_text.h"
#include "core/run/user/text_defines.h"
#include "core/run/user/trusted_code.h"
#include "core/run/user/user_includes.h"

namespace ks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 64;

const Variant& base_of(const UserVariant& own, const std::vector<Variant>& shipped) {
    std::vector<std::string> ids;
    const std::string where = at_line(own.file, own.base_line);
    for (const Variant& variant : shipped) {
        if (variant.analysis != own.analysis || variant.on_host()) continue;
        if (variant.id != own.base) {
            if (!variant.entry_points.empty()) ids.push_back(variant.id);
            continue;
        }
        if (variant.entry_points.empty())
            throw Error(ErrorKind::input, own.base + " has no kernel that could be replaced", where);
        return variant;
    }
    if (ids.empty())
        throw Error(
            ErrorKind::input,
            fmt::format("its folder \"{}\" is not named after an analysis with kernels", own.analysis),
            own.file.string());
    if (own.base.starts_with("host."))
        throw Error(ErrorKind::input, fmt::format("the base {} runs on the host and has no kernel", own.base),
                    where, "available bases: " + joined(ids));
    throw Error(ErrorKind::input, fmt::format("unknown base \"{}\" of {}", own.base, own.analysis), where,
                "available bases: " + joined(ids));
}

}  // namespace

std::vector<DefineSpec> own_defines(std::string_view text, const std::vector<DefineSpec>& of_base) {
    std::vector<DefineSpec> own;
    for (const auto& [name, define] : text_defines(text)) {
        const bool is_number = !define.value.empty() &&
                               std::ranges::all_of(define.value, [](char c) { return c >= '0' && c <= '9'; });
        if (define.guarded && !define.conditional && is_number &&
            std::ranges::find(of_base, name, &DefineSpec::name) == of_base.end() &&
            define_in_text(of_base, name) == nullptr)
            own.push_back({name, define.value, {}, own_define_help});
    }
    return own;
}

bool is_user_variant(const std::string& id) {
    return id.starts_with(UserVariant::user_variant_prefix);
}

std::string without_user_prefix(const std::string& id) {
    return is_user_variant(id) ? id.substr(std::string_view(UserVariant::user_variant_prefix).size()) : id;
}

void require_variant_name(const std::string& name, const std::string& where) {
    const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 && c < 128; };
    const bool good = !name.empty() && name.size() <= longest_name &&
                      is_plain(static_cast<unsigned char>(name[0])) && std::ranges::all_of(name, [&](char c) {
                          return is_plain(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
                      });
    if (!good)
        throw Error(ErrorKind::input,
                    fmt::format("\"{}\" is not a valid variant name: expected at most {} letters, digits, "
                                "'.', '_' and '-', starting with a letter or a digit",
                                printable(name), longest_name),
                    where);
}

UserVariant user_variant_of_text(std::string analysis, fs::path file, std::string text) {
    UserVariant variant;
    variant.analysis = std::move(analysis);
    variant.name = file.stem().string();
    variant.file = std::move(file);
    variant.text = std::move(text);
    require_variant_name(variant.name, variant.file.string());
    require_text(variant.text, variant.file.string());
    variant.text = std::string(without_byte_order_mark(variant.text));
    static_cast<VariantHeader&>(variant) = read_variant_header(variant.text, variant.file);
    if (variant.title.empty()) variant.title = variant.name;
    return variant;
}

UserVariant read_user_variant(std::string analysis, const fs::path& file) {
    return user_variant_of_text(std::move(analysis), file,
                                io::small_text(file, "a kernel's source", io::largest_kernel));
}

UserVariant copy_for_user(const UserVariant& of, const std::string& name, const fs::path& folder) {
    require_variant_name(name, "name of the copy");
    VariantHeader header;
    header.base = of.base;
    header.title = name;
    header.description = fmt::format("An editable copy of {}.", of.name.empty() ? of.base : of.id());
    header.defines = of.defines;
    header.pieces = of.pieces;
    std::string text = text_of(header);
    text += without_header(of.text);
    return user_variant_of_text(of.analysis, folder / of.analysis / (name + ".cl"), std::move(text));
}

UserVariant copy_for_user(const Variant& of, const std::string& name, const fs::path& folder) {
    if (of.from_user()) return copy_for_user(read_user_variant(of.analysis, of.user_file), name, folder);
    if (of.on_host() || of.entry_points.empty() || of.source.empty())
        throw Error(ErrorKind::input, of.id + " has no kernel to copy", of.analysis);
    UserVariant shipped;
    shipped.analysis = of.analysis;
    shipped.base = of.id;
    shipped.text = of.source;
    return copy_for_user(shipped, name, folder);
}

void save_user_variant(const UserVariant& variant, bool overwrite) {
    std::error_code failed;
    fs::create_directories(variant.file.parent_path(), failed);
    if (failed)
        throw Error(ErrorKind::input, "the folder cannot be created: " + failed.message(),
                    variant.file.parent_path().string());
    io::write_text(variant.file, variant.text, overwrite);
    know_kernel_text(variant.text);
}

Variant as_variant(const UserVariant& own, std::string source, const std::vector<Variant>& shipped) {
    const Variant& base = base_of(own, shipped);
    Variant variant = base;
    for (DefineSpec& define : own_defines(source, base.defines)) variant.defines.push_back(std::move(define));
    for (const auto& [name, value] : own.defines) try {
            require_define(variant, name, value);
        } catch (const Error& error) {
            throw Error(ErrorKind::input, fmt::format("define {}: {}", name, error.message()),
                        at_line(own.file, own.define_lines.at(name)), error.hint(), error.details());
        }
    variant.id = own.id();
    variant.title = own.title;
    variant.description =
        own.description.empty() ? fmt::format("User's kernel, launched like {}.", base.id) : own.description;
    variant.source = std::move(source);
    for (DefineSpec& define : variant.defines)
        if (const auto given = own.defines.find(define.name); given != own.defines.end())
            define.default_value = given->second;
    variant.baseline = false;
    variant.by_name_only = false;
    variant.rank = 0;
    variant.cpu_rank = {};
    variant.user_file = own.file.string();
    variant.base = base.id;
    return variant;
}

}  // namespace ks
