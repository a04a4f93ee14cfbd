#include "app/cli/options.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/followed_files.h"
#include "core/io/files/repeat_files.h"
#include "core/io/files/same_file.h"
#include "core/io/series/series.h"
#include "core/run/user/user_variant.h"

namespace ks::cli {
namespace {

std::string type_word(const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::boolean:
            return "";
        case ParameterType::integer:
            return "INTEGER";
        case ParameterType::real:
            return "NUMBER";
        case ParameterType::choice:
            return fmt::format("{}", fmt::join(spec.choices, "|"));
        case ParameterType::text:
            break;
    }
    return "TEXT";
}

std::string description(const ParameterSpec& spec) {
    std::string text = spec.help.empty() ? spec.label : spec.help;
    if (text.ends_with('.')) text.pop_back();
    if (!spec.unit.empty()) text += fmt::format(" [{}]", spec.unit);
    if (spec.minimum && spec.maximum)
        text += fmt::format(", {:g} to {:g}", *spec.minimum, *spec.maximum);
    else if (spec.minimum)
        text += fmt::format(", at least {:g}", *spec.minimum);
    else if (spec.maximum)
        text += fmt::format(", at most {:g}", *spec.maximum);
    if (spec.absent && !is_absent(spec.default_value)) text += fmt::format(", or {}", *spec.absent);
    if (const std::string shown = to_text(spec, spec.default_value); !shown.empty())
        text += fmt::format(" (default: {})", shown);
    return text;
}

/// Texts may contain commas: "3,3".
bool takes_commas(const ParameterSpec& spec) {
    return spec.type != ParameterType::boolean && spec.type != ParameterType::text;
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

struct Suffix {
    const char* name;
    double factor;
};
constexpr double kib = 1024, mib = kib * kib, gib = mib * kib, tib = gib * kib;
constexpr Suffix suffixes[] = {{"", 1},     {"B", 1},     {"K", kib},   {"KIB", kib}, {"KB", 1e3},
                               {"M", mib},  {"MIB", mib}, {"MB", 1e6},  {"G", gib},   {"GIB", gib},
                               {"GB", 1e9}, {"T", tib},   {"TIB", tib}, {"TB", 1e12}};

}  // namespace

CLI::Option* add_text(CLI::App& command, const std::string& names, std::string& value,
                      const std::string& help, const std::string& type) {
    return command.add_option(names, value, help)->type_name(type);
}

CLI::Option* add_texts(CLI::App& command, const std::string& names, std::vector<std::string>& values,
                       const std::string& help, const std::string& type) {
    return command.add_option(names, values, help)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* add_number(CLI::App& command, const std::string& names, std::int64_t& value,
                        const std::string& help, const std::string& type, int minimum, int maximum) {
    return command.add_option(names, value, help)->type_name(type)->check(CLI::Range(minimum, maximum));
}

CLI::Option* add_number(CLI::App& command, const std::string& names, double& value, const std::string& help,
                        const std::string& type, double minimum, double maximum) {
    return command.add_option(names, value, help)->type_name(type)->check(CLI::Range(minimum, maximum));
}

std::uint64_t parse_bytes(const std::string& text) {
    char* end = nullptr;
    const bool starts_as_number = !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0);
    const double number = starts_as_number ? std::strtod(text.c_str(), &end) : 0;
    if (starts_as_number && number > 0) {
        std::string rest = upper(end);
        rest.erase(
            0, rest.find_first_not_of(' ') == std::string::npos ? rest.size() : rest.find_first_not_of(' '));
        for (const Suffix& suffix : suffixes) {
            const double bytes = std::floor(number * suffix.factor);
            if (rest == suffix.name && bytes >= 1 && bytes < 18e18) return static_cast<std::uint64_t>(bytes);
        }
    }
    throw Error(ErrorKind::input,
                fmt::format("expected a size above 0 such as 1048576, 64MiB or 1.3GB, found '{}'", text),
                "--memory-limit");
}

std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& texts,
                                               const std::string& option, const std::string& form) {
    std::map<std::string, std::string> pairs;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
            throw Error(ErrorKind::input, fmt::format("expected {}, found '{}'", form, text), option);
        if (!pairs.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
            throw Error(ErrorKind::input, fmt::format("'{}' is given twice", text.substr(0, equals)), option);
    }
    return pairs;
}

void require_shipped(const std::string& variant) {
    if (is_user_variant(variant))
        throw Error(ErrorKind::input, variant + " is your own kernel, which cannot be replaced",
                    "--kernel-source", "edit its file instead; `variants` prints the path");
}

void add_trust(CLI::App& command) {
    command.add_flag_callback(
        "--trust", [] { io::follow_all_names(); },
        "Also read files outside the folder of the file that refers to them, and compile code stored in a "
        "saved run");
}

void require_output(const std::string& path, bool overwrite) {
    try {
        io::require_writable(path, overwrite);
    } catch (const Error& error) {
        if (std::error_code failed; overwrite || !std::filesystem::is_regular_file(path, failed)) throw;
        throw Error(error.kind(), error.message(), error.where(),
                    "give --overwrite to replace it, or choose another name", error.details());
    }
}

void require_separate(const std::vector<std::pair<std::string, std::string>>& outputs,
                      const io::FilesRead& read, bool overwrite) {
    for (const auto& [option, output] : outputs) read.require_not(option, output);
    for (const auto& [option, output] : outputs) require_output(output, overwrite);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t j = i + 1; j < outputs.size(); ++j)
            if (io::is_same_file(outputs[i].second, outputs[j].second))
                throw Error(ErrorKind::input,
                            fmt::format("{} and {} name the same file", outputs[i].first, outputs[j].first),
                            outputs[i].second, "choose another name for one of them");
}

void warn_of_idle(const Analysis& analysis, const Request& request) {
    for (const IdleParameter& idle : analysis.idle(request))
        warn(fmt::format("{} has no effect, because {}", option_name(idle.id), idle.why));
}

ParameterOptions::ParameterOptions(CLI::App& command, const std::vector<ParameterSpec>& specs,
                                   const std::string& group)
    : specs_(specs) {
    for (const ParameterSpec& spec : specs_) {
        Row& row = rows_.emplace_back();
        const std::string name = option_name(spec.id);
        if (spec.type == ParameterType::boolean) {
            row.option = command.add_flag(name + ",!--no-" + name.substr(2), row.text, description(spec));
        } else {
            row.option = command.add_option(name, row.text, description(spec))->type_name(type_word(spec));
        }
        row.option->group(group);
    }
}

ParameterSet ParameterOptions::given() const {
    ParameterSet given;
    for (std::size_t i = 0; i < specs_.size(); ++i)
        if (rows_[i].option->count() > 0) given[specs_[i].id] = parse_value(specs_[i], rows_[i].text);
    return given;
}

SizeOptions::SizeOptions(CLI::App& command, const std::vector<ParameterSpec>& specs, Names names)
    : specs_(specs) {
    for (const ParameterSpec& spec : specs_) {
        Row& row = rows_.emplace_back();
        std::string name = option_name(spec.id);
        if (names == Names::plural && (spec.id.ends_with("size") || spec.id.ends_with("seed")))
            name += fmt::format(",{}s", name);
        if (spec.type == ParameterType::boolean) {
            row.option = command.add_flag(name + ",!--no-" + name.substr(2), row.texts, description(spec));
        } else {
            row.option = add_texts(command, name, row.texts, description(spec),
                                   type_word(spec) + (spec.minimum || spec.maximum ? ",.." : ""));
        }
        row.option->group("Sizes (lists make a sweep)");
    }
}

SizeLists SizeOptions::given() const {
    SizeLists given;
    for (std::size_t i = 0; i < specs_.size(); ++i)
        for (const std::string& text : rows_[i].texts) {
            if (!takes_commas(specs_[i])) {
                given[specs_[i].id].push_back(parse_value(specs_[i], text));
                continue;
            }
            for (std::size_t at = 0; at <= text.size();) {
                const std::size_t end = std::min(text.find(',', at), text.size());
                const std::string_view part = std::string_view(text).substr(at, end - at);
                given[specs_[i].id].push_back(parse_value(specs_[i], std::string(trimmed(part))));
                at = end + 1;
            }
        }
    return given;
}

InputOptions::InputOptions(CLI::App& command, const std::vector<InputSpec>& specs) : specs_(specs) {
    for (const InputSpec& spec : specs_) {
        Row& row = rows_.emplace_back();
        row.spec = &spec;
        row.name = spec.option.empty() ? upper(spec.role) : "--" + spec.option;
        const std::string option = spec.option.empty() ? spec.role : row.name;
        row.option = spec.option.empty() ? command.add_option(option, row.texts, spec.help)
                                         : command.add_option(option, row.text, spec.help);
        row.option->type_name("FILE[::PATH]")->group("Input");
        for (const std::string& form : spec.forms) {
            Row& other = rows_.emplace_back();
            other.spec = &spec;
            other.prefix = form + ":";
            other.name = option_name(form);
            other.option = command.add_option(other.name, other.text,
                                              spec.label + " in another form; see " +
                                                  (spec.option.empty() ? row.name : "--" + spec.option));
            other.option->type_name("VALUE")->group("Input");
        }
    }
}

std::map<std::string, InputRef> InputOptions::values() const {
    return values(nullptr);
}

std::vector<std::map<std::string, InputRef>> InputOptions::of_repeats() const {
    std::vector<std::string> given;
    for (const Row& row : rows_)
        if (!row.texts.empty()) given = row.texts;
    std::vector<std::map<std::string, InputRef>> all;
    for (const std::string& name : io::repeats_named(given)) all.push_back(values(&name));
    return all;
}

std::map<std::string, InputRef> InputOptions::values(const std::string* positional) const {
    std::map<std::string, InputRef> inputs;
    for (const InputSpec& spec : specs_) {
        std::vector<std::string> names;
        const Row* found = nullptr;
        for (const Row& row : rows_) {
            if (row.spec != &spec) continue;
            names.push_back(row.name);
            if (row.option->count() == 0) continue;
            if (found != nullptr)
                throw Error(ErrorKind::input,
                            fmt::format("{} and {} cannot be used together", found->name, row.name));
            if (row.texts.empty() ? row.text.empty() : std::ranges::count(row.texts, std::string()) > 0)
                throw Error(ErrorKind::input, "the value is empty", row.name);
            found = &row;
        }
        if (found != nullptr && positional != nullptr && !found->texts.empty())
            inputs[spec.role] = InputRef{*positional};
        else if (found != nullptr)
            inputs[spec.role] =
                InputRef{found->texts.empty() ? found->prefix + found->text : io::series_name(found->texts)};
        else if (spec.required)
            throw Error(
                ErrorKind::input, fmt::format("the input \"{}\" is missing", spec.label), {},
                fmt::format("give it {} {}", spec.option.empty() ? "as" : "with", fmt::join(names, " or ")),
                fmt::format("{}: {}", fmt::join(names, ", "), spec.help));
    }
    return inputs;
}

}  // namespace ks::cli
