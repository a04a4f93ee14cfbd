#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/input/input_files.h"
#include "core/run/analysis.h"
#include "core/run/bench.h"
#include "core/run/parameter_spec.h"
#include "core/run/parameters/option_name.h"
#include "core/run/request.h"

namespace ks::cli {

/// Options that take a text, texts (the option may be given several times), or a number in a range.
/// @param type of the value in the help: "FILE"
CLI::Option* add_text(CLI::App& command, const std::string& names, std::string& value,
                      const std::string& help, const std::string& type);
CLI::Option* add_texts(CLI::App& command, const std::string& names, std::vector<std::string>& values,
                       const std::string& help, const std::string& type);
CLI::Option* add_number(CLI::App& command, const std::string& names, std::int64_t& value,
                        const std::string& help, const std::string& type, int minimum, int maximum);
CLI::Option* add_number(CLI::App& command, const std::string& names, double& value, const std::string& help,
                        const std::string& type, double minimum, double maximum);

/// Bytes from "1048576", "64MiB", "512M", "1.3GB": K, M, G, T and KiB ... are powers of 1024, KB ... of 1000.
/// Throws ks::Error(input) if the text is not a size above 0.
std::uint64_t parse_bytes(const std::string& text);

/// NAME -> VALUE from "NAME=VALUE" texts, each name once. Throws ks::Error(input), naming `option` and the
/// expected `form`.
std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& texts,
                                               const std::string& option,
                                               const std::string& form = "NAME=VALUE");

/// Throws ks::Error(input) if the variant whose kernel is to be replaced is one of the user's.
void require_shipped(const std::string& variant);

/// Adds --trust, for commands that read data or saved runs.
void add_trust(CLI::App& command);

/// Throws as io::require_writable() does, and names the option that allows replacing a file.
void require_output(const std::string& path, bool overwrite);

/// Prints a warning for each parameter of a request that has no effect.
void warn_of_idle(const Analysis& analysis, const Request& request);

/// Before anything is read: throws ks::Error(input) if an output is a file that is read, exists and may not
/// be replaced, or is the same file as another one.
/// @param outputs options with the files that they name
void require_separate(const std::vector<std::pair<std::string, std::string>>& outputs,
                      const io::FilesRead& read, bool overwrite);

/// One option per parameter of a list. Lives as long as the command.
class ParameterOptions {
  public:
    ParameterOptions(CLI::App& command, const std::vector<ParameterSpec>& specs, const std::string& group);
    /// The parameters that were given. Throws ks::Error(input) if a value has the wrong type.
    ParameterSet given() const;

  private:
    struct Row {
        CLI::Option* option;
        std::string text;
    };
    std::vector<ParameterSpec> specs_;
    std::deque<Row> rows_;  // CLI11 keeps the addresses of the texts
};

/// One option per size of a benchmark, which takes a list: numbers and choices separated by commas, or the
/// option several times. Lives as long as the command.
class SizeOptions {
  public:
    /// plural: these options can also be written `--sizes`, `--seeds` and `--local-sizes`
    enum class Names { singular, plural };
    SizeOptions(CLI::App& command, const std::vector<ParameterSpec>& specs, Names names = Names::singular);
    /// The values that were given, in their order. Throws ks::Error(input) if a value has the wrong type.
    SizeLists given() const;

  private:
    struct Row {
        CLI::Option* option;
        std::vector<std::string> texts;
    };
    std::vector<ParameterSpec> specs_;
    std::deque<Row> rows_;  // CLI11 keeps the addresses of the texts
};

/// The inputs of an analysis: positional arguments, options and their alternative forms.
class InputOptions {
  public:
    InputOptions(CLI::App& command, const std::vector<InputSpec>& specs);
    /// By role; several files get one name, see io::series_name(). Throws ks::Error(input) if one is missing
    /// or given in two forms, or if the files are no series.
    std::map<std::string, InputRef> values() const;
    /// The same for each of several repeats: one set of inputs per name of the positional input. A folder, or
    /// a name with * or ?, stands for the files there, in the order of their names. Throws ks::Error(input)
    /// if there are none.
    std::vector<std::map<std::string, InputRef>> of_repeats() const;

  private:
    struct Row {
        const InputSpec* spec;
        std::string prefix;  ///< "rings:" for a form, else empty
        std::string name;    ///< as the user sees it: "--rings"
        CLI::Option* option;
        std::string text;
        std::vector<std::string> texts;  ///< in place of `text` if several files may be given
    };
    /// @param positional in place of the names of the positional input; null: these names
    std::map<std::string, InputRef> values(const std::string* positional) const;

    std::vector<InputSpec> specs_;
    std::deque<Row> rows_;
};

}  // namespace ks::cli
