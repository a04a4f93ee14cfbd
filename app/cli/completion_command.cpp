#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/cli/session.h"
#include "core/base/error.h"

namespace ks::cli {
namespace {

/// An option that takes a value: words to choose from, a file, or anything.
struct Value {
    std::vector<std::string> options;  ///< its names, with dashes
    std::vector<std::string> words;
    bool file;
    std::string description;
};

/// What may follow a command. The command is identified by the words that lead to it, each after a space: ""
/// or " bench xpcs".
struct Place {
    std::string words;
    std::vector<std::string> commands, descriptions, options;
    std::vector<Value> values;
    std::vector<std::pair<std::string, std::string>> flags;  ///< with their descriptions
};

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

/// "u8|u16" is a choice of its lower-case words; "all|ID,ID" offers only one.
std::vector<std::string> choices(const std::string& type) {
    std::vector<std::string> words;
    if (type.find('|') == std::string::npos) return words;
    for (std::size_t at = 0; at <= type.size();) {
        const std::size_t end = std::min(type.find('|', at), type.size());
        const std::string word = type.substr(at, end - at);
        if (std::ranges::none_of(word, [](unsigned char c) { return std::isupper(c) != 0; }))
            words.push_back(word);
        at = end + 1;
    }
    return words;
}

bool is_file(const std::string& type) {
    return type.find("FILE") != std::string::npos || type.ends_with(".h5") || type.ends_with(".csv");
}

void collect(const CLI::App& app, const std::string& words, std::vector<Place>& places) {
    Place place;
    place.words = words;
    for (const CLI::Option* option : app.get_options()) {
        const std::vector<std::string> names = names_of(*option);
        if (names.empty()) {  // a positional argument is a file, or one of some words
            for (const std::string& word : choices(option->get_type_name())) {
                place.commands.push_back(word);
                place.descriptions.push_back(option->get_description());
            }
            continue;
        }
        place.options.insert(place.options.end(), names.begin(), names.end());
        if (option->get_items_expected_max() > 0)
            place.values.push_back({names, choices(option->get_type_name()), is_file(option->get_type_name()),
                                    option->get_description()});
        else
            for (const std::string& name : names) place.flags.emplace_back(name, option->get_description());
    }
    const auto inner = app.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* command : inner) {
        place.commands.push_back(command->get_name());
        place.descriptions.push_back(command->get_description());
    }
    places.push_back(std::move(place));
    for (const CLI::App* command : inner) collect(*command, words + " " + command->get_name(), places);
}

/// Text in single quotes, for any of the shells; characters that would end it are removed.
std::string quoted(std::string text) {
    std::erase_if(text, [](char c) { return c == '\'' || c == '\\' || c == '\n'; });
    return "'" + text + "'";
}

/// ' xpcs'|' bench xpcs': the places that a word can lead to.
std::string all_places(const std::vector<Place>& places, const char* between) {
    std::vector<std::string> list;
    for (const Place& place : places)
        if (!place.words.empty()) list.push_back(quoted(place.words));
    return fmt::format("{}", fmt::join(list, between));
}

/// The syntax in which bash and zsh differ. {} is a list of words.
struct Dialect {
    const char *start, *word, *last, *offer, *files, *option_is_begun, *end;
};
constexpr Dialect bash{
    "# Completion of kernelscope-cli in bash, made by: kernelscope-cli completion bash\n"
    "_kernelscope_cli() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} place='' at\n"
    "    COMPREPLY=()\n"
    "    for ((at = 1; at < COMP_CWORD; ++at)); do\n",
    "${COMP_WORDS[at]}",
    "${COMP_WORDS[COMP_CWORD-1]}",
    "COMPREPLY=($(compgen -W '{}' -- \"$word\"))",
    "compopt -o default",
    "$word == -*",
    "}\ncomplete -F _kernelscope_cli kernelscope-cli\n"};
constexpr Dialect zsh{
    "#compdef kernelscope-cli\n"
    "# Completion of kernelscope-cli in zsh, made by: kernelscope-cli completion zsh\n"
    "_kernelscope_cli() {\n"
    "    local place='' at\n"
    "    for ((at = 2; at < CURRENT; ++at)); do\n",
    "${words[at]}",
    "${words[CURRENT-1]}",
    "compadd -- {}",
    "_files",
    "$PREFIX == -*",
    "}\n_kernelscope_cli \"$@\"\n"};

std::string script(const std::vector<Place>& places, const Dialect& dialect) {
    const auto offer = [&](const std::vector<std::string>& words) {
        return fmt::format(fmt::runtime(dialect.offer), fmt::join(words, " "));
    };
    std::string text = dialect.start;
    text += fmt::format(
        "        case \"$place {0}\" in\n            {1}) place+=\" {0}\" ;;\n        esac\n    done\n",
        dialect.word, all_places(places, "|"));
    text += fmt::format("    case \"$place {}\" in\n", dialect.last);
    for (const Place& place : places)
        for (const Value& value : place.values) {
            std::vector<std::string> at;
            for (const std::string& option : value.options) at.push_back(quoted(place.words + " " + option));
            text += fmt::format("        {}) {}return ;;\n", fmt::join(at, "|"),
                                !value.words.empty() ? offer(value.words) + "; "
                                : value.file         ? std::string(dialect.files) + "; "
                                                     : "");
        }
    text += "    esac\n    case \"$place\" in\n";
    for (const Place& place : places) {
        text += fmt::format("        {}) if [[ {} ]]; then {}; ", quoted(place.words),
                            dialect.option_is_begun, offer(place.options));
        text +=
            fmt::format("else {}; fi ;;\n", place.commands.empty() ? dialect.files : offer(place.commands));
    }
    return text + "    esac\n" + dialect.end;
}

std::string fish_script(const std::vector<Place>& places) {
    std::string text =
        "# Completion of kernelscope-cli in fish, made by: kernelscope-cli completion fish\n"
        "function __kernelscope_cli_at\n"
        "    set -l place ''\n"
        "    for word in (commandline -opc)[2..-1]\n"
        "        switch \"$place $word\"\n";
    text += fmt::format("            case {}\n", all_places(places, " "));
    text +=
        "                set place \"$place $word\"\n"
        "        end\n"
        "    end\n"
        "    test \"$place\" = \"$argv[1]\"\n"
        "end\n"
        "complete -c kernelscope-cli -f\n";
    for (const Place& place : places) {
        const std::string line =
            fmt::format("complete -c kernelscope-cli -n \"__kernelscope_cli_at '{}'\"", place.words);
        const auto named = [](const std::string& option) {
            return option.starts_with("--") ? "-l " + option.substr(2) : "-s " + option.substr(1);
        };
        for (std::size_t i = 0; i < place.commands.size(); ++i)
            text += fmt::format("{} -a {} -d {}\n", line, place.commands[i], quoted(place.descriptions[i]));
        if (place.commands.empty()) text += line + " -F\n";
        for (const auto& [flag, description] : place.flags)
            text += fmt::format("{} {} -d {}\n", line, named(flag), quoted(description));
        for (const Value& value : place.values)
            for (const std::string& option : value.options)
                text +=
                    fmt::format("{} {} {} -d {}\n", line, named(option),
                                !value.words.empty() ? fmt::format("-x -a '{}'", fmt::join(value.words, " "))
                                : value.file         ? "-r -F"
                                                     : "-x",
                                quoted(value.description));
    }
    return text;
}

}  // namespace

void add_completion(CLI::App& root, Commands& commands) {
    CLI::App* command = root.add_subcommand(
        "completion", "Print a shell script that completes these commands and their options");
    auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "bash, zsh or fish")->required()->type_name("bash|zsh|fish");
    commands.push_back({command, [shell, &root](Session&) {
                            if (*shell != "bash" && *shell != "zsh" && *shell != "fish")
                                throw Error(ErrorKind::input,
                                            fmt::format("expected bash, zsh or fish, found '{}'", *shell),
                                            "shell");
                            std::vector<Place> places;
                            collect(root, "", places);
                            fmt::print("{}", *shell == "fish"  ? fish_script(places)
                                             : *shell == "zsh" ? script(places, zsh)
                                                               : script(places, bash));
                            return 0;
                        }});
}

}  // namespace ks::cli
