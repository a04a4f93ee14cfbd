#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/run/analysis.h"
#include "core/run/bench.h"
#include "core/run/parameter_spec.h"
#include "core/run/request.h"

namespace ks::cli {

/// "first_frame" -> "--first-frame"
std::string option_name(const std::string& id);

/// Bytes from "1048576", "64MiB", "512M", "1.3GB": K, M, G, T and KiB ... are powers of 1024, KB ... of 1000.
/// Throws ks::Error(input) where the text is no size above 0.
std::uint64_t parse_bytes(const std::string& text);

/// NAME -> VALUE from "NAME=VALUE" texts, each name once. Throws ks::Error(input) naming `option`, which
/// expects `form`.
std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& texts,
                                               const std::string& option,
                                               const std::string& form = "NAME=VALUE");

/// Throws ks::Error(input) where the variant whose kernel is to be replaced is one of the user's.
void require_shipped(const std::string& variant);

/// --trust, of a command that reads data or saved runs.
void add_trust(CLI::App& command);

/// Throws what io::require_writable() does, with the option that allows replacing a file.
void require_output(const std::string& path, bool overwrite);

/// A line on standard error for each parameter that a request sets without effect.
void warn_of_idle(const Analysis& analysis, const Request& request);

/// One option for each parameter of a list. Lives as long as the command.
class ParameterOptions {
  public:
    ParameterOptions(CLI::App& command, const std::vector<ParameterSpec>& specs, const std::string& group);
    /// The parameters that were given. Throws ks::Error(input) where one is no value of its kind.
    ParameterSet given() const;
    /// Those, completed by defaults and checked. Throws ks::Error(input).
    ParameterSet values() const { return checked(specs_, given()); }

  private:
    struct Row {
        CLI::Option* option;
        std::string text;
    };
    std::vector<ParameterSpec> specs_;
    std::deque<Row> rows_;  // CLI11 keeps the addresses of the texts
};

/// One option for each size of a benchmark, which takes a list: numbers and choices separated by commas, and
/// any option given several times. Lives as long as the command.
class SizeOptions {
  public:
    /// plural: `--sizes`, `--seeds` and `--local-sizes` are other names of those options
    enum class Names { singular, plural };
    SizeOptions(CLI::App& command, const std::vector<ParameterSpec>& specs, Names names = Names::singular);
    /// The values of those that were given, in their order. Throws ks::Error(input) where one is no value of
    /// its kind.
    SizeLists given() const;

  private:
    struct Row {
        CLI::Option* option;
        std::vector<std::string> texts;
    };
    std::vector<ParameterSpec> specs_;
    std::deque<Row> rows_;  // CLI11 keeps the addresses of the texts
};

/// The inputs of an analysis: positional arguments, options and their other forms.
class InputOptions {
  public:
    InputOptions(CLI::App& command, const std::vector<InputSpec>& specs);
    /// By role. Throws ks::Error(input) where one is missing or given twice in different forms.
    std::map<std::string, InputRef> values() const;

  private:
    struct Row {
        const InputSpec* spec;
        std::string prefix;  ///< "rings:" for a form, else empty
        std::string name;    ///< as the user sees it: "--rings"
        CLI::Option* option;
        std::string text;
    };
    std::vector<InputSpec> specs_;
    std::deque<Row> rows_;
};

}  // namespace ks::cli
