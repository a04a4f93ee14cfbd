#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/apart/apart_worker.h"
#include "app/cli/interrupt.h"
#include "app/cli/kernel_options.h"
#include "app/cli/options.h"
#include "app/cli/quantities.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/input/input_files.h"
#include "core/io/files/data_name.h"
#include "core/kernels/resolved_source.h"
#include "core/record/names_read.h"
#include "core/record/saved_run.h"
#include "core/run/user/shown_variant.h"
#include "core/run/user/trusted_code.h"
#include "core/run/user/user_variant_folder.h"

namespace ks::cli {
namespace {

struct RepeatOptions {
    std::string file, device, out;
    std::vector<std::string> inputs;
    bool overwrite = false, progress = false;
};

/// Whether compilers get the same of two texts: the places of their lines may differ.
bool is_same_code(const std::string& a, const std::string& b) {
    return a == b || resolve_source({}, a, {}).text() == resolve_source({}, b, {}).text();
}

/// Why a variant that a user wrote is not among those of this user.
std::string why_not_offered(const UserVariantFolder& folder, const Request& request) {
    const auto listing = folder.listing();
    const auto broken = std::ranges::find_if(listing->broken, [&request](const BrokenUserVariant& one) {
        return one.variant.analysis == request.analysis && one.variant.id == request.variant;
    });
    if (broken != listing->broken.end())
        return fmt::format("its file cannot be used now: {}", broken->error.what());
    const std::string& file = request.kernel_file;
    std::error_code unknown;
    if (std::filesystem::exists(file, unknown))
        return fmt::format("its file {} is not in your folder of variants, {}", file, folder.path().string());
    return unknown ? fmt::format("its file {} cannot be read: {}", file, unknown.message())
                   : fmt::format("its file {} no longer exists", file);
}

/// What happened to the file of a variant that the user wrote: the text stored in the run is what ran.
std::string file_note(const Engine& engine, const Request& request) {
    if (!is_user_variant(request.variant)) return {};
    const auto listing = engine.user_variants().listing();
    const auto now = std::ranges::find_if(listing->good, [&request](const GoodUserVariant& good) {
        return good.variant.analysis == request.analysis && good.variant.id == request.variant;
    });
    const bool there = now != listing->good.end();
    if (there && is_same_code(now->variant.source, request.kernel_source)) return {};
    return fmt::format("{} ran with the text stored in the run, because {}\n", request.variant,
                       there ? fmt::format("its file {} has changed since", now->variant.user_file)
                             : why_not_offered(engine.user_variants(), request));
}

/// Names the files that are read in place of those in the run, unless the user gave them.
std::string input_notes(const Run& before, const Request& request,
                        const std::map<std::string, std::string>& given) {
    std::string notes;
    for (const auto& [role, input] : request.inputs)
        if (const std::string& then = before.request.inputs.at(role).name;
            !given.contains(role) && input.name != then)
            notes += fmt::format("{} is read from {}, not from {}\n", role, input.name, then);
    return notes;
}

int repeat(Session& session, const RepeatOptions& options) {
    const InterruptCancels guard(session.progress());
    if (options.progress) session.terminal().use_lines();
    const Registry& registry = session.registry();
    const Run before = open_run(registry, options.file);
    if (before.result.facts.contains("repeats"))
        throw Error(ErrorKind::input, "the run is an average of several, which cannot be repeated as one run",
                    options.file, "give the command that made it again");
    const auto inputs = parse_pairs(options.inputs, "--input", "ROLE=FILE");
    Request request = repeated_request(registry, before, options.file, inputs);
    for (const auto& [role, name] : inputs) know_input(io::DataName::parse(name).file);
    if (!options.device.empty()) request.device = options.device;
    if (!options.out.empty()) {
        io::NamesRead read = names_read(request);
        read["run"] = options.file;
        io::require_not_read("--out", options.out, read);
        require_no_kernel("--out", options.out, {}, {});
        require_output(options.out, options.overwrite);
    }
    const Run now = run_own_apart(session, request);

    const Analysis& analysis = registry.analysis(request.analysis);
    const auto difference = difference_of_repeat(analysis, before, now, session.progress());
    if (!options.out.empty()) analysis.save(now, options.out, options.overwrite, session.progress());
    session.terminal().clear();

    fmt::print("{} by {} on {}, {} end to end ({} before, on {})\n", request.analysis, shown_variant(now),
               now.device.title(), time_text(static_cast<double>(now.wall_nanoseconds)),
               time_text(static_cast<double>(before.wall_nanoseconds)), before.device.title());
    fmt::print("{}", printable_lines(input_notes(before, request, inputs)));
    fmt::print("{}", printable_lines(file_note(session.engine(), request)));
    if (difference)
        throw Error(
            ErrorKind::run, "the result is not the same: " + *difference, options.file,
            before.version == now.version ? "" : "the saved run was made by version " + before.version);
    fmt::print("the same bytes\n");
    return 0;
}

}  // namespace

void add_repeat(CLI::App& root, Commands& commands) {
    CLI::App* command = root.add_subcommand(
        "repeat", "Repeat a saved run, and check that the result is the same, byte for byte");
    auto options = std::make_shared<RepeatOptions>();
    command->add_option("run", options->file, "Saved run, written by --out of an analysis or by the window")
        ->required()
        ->type_name("RUN.h5");
    add_texts(*command, "--input", options->inputs,
              "File to use in place of an input of the run, such as frames=scan.h5; may be repeated",
              "ROLE=FILE");
    add_text(*command, "--device", options->device, "Device to use in place of the run's", "DEVICE");
    add_text(*command, "--out", options->out, "HDF5 file to write the new run to", "NEW.h5");
    command->add_flag("--overwrite", options->overwrite, "Replace an existing file");
    command->add_flag("--progress", options->progress, "Print progress as lines");
    add_trust(*command);
    commands.push_back({command, [options](Session& session) { return repeat(session, *options); }});
}

}  // namespace ks::cli
