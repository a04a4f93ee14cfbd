#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/printable.h"
#include "core/run/user/user_variant_folder.h"

namespace ks::cli {
namespace {

struct ListOptions {
    std::string analysis, device;
    bool json = false;
};

struct NewOptions {
    std::string analysis, base, name;
    bool overwrite = false;
};

/// "program", or the user's file and the variant that launches it.
std::string origin_of(const Variant& variant) {
    if (!variant.from_user()) return "program";
    return variant.base.empty() ? variant.user_file
                                : fmt::format("{}, launched as {}", variant.user_file, variant.base);
}

nlohmann::json json_of(const Offer& offer) {
    const Variant& variant = offer.variant;
    return {{"id", variant.id},
            {"title", variant.title},
            {"origin", variant.from_user() ? "user" : "program"},
            {"file", variant.from_user() ? variant.user_file : variant.source_file},
            {"base", variant.base.empty() ? nlohmann::json() : nlohmann::json(variant.base)},
            {"why_not", offer.why_not.empty() ? nlohmann::json() : nlohmann::json(offer.why_not)}};
}

void print_offers(const AnalysisInfo& info, const DeviceInfo& device, const std::vector<Offer>& offers) {
    fmt::print("{} on {}\n", info.id, device.title());
    std::size_t width = 0;
    for (const Offer& offer : offers) width = std::max(width, printable(offer.variant.id).size());
    for (const Offer& offer : offers) {
        fmt::print("  {:<{}}  {}\n", printable(offer.variant.id), width, printable(offer.variant.title));
        if (offer.variant.from_user())
            fmt::print("  {:<{}}  from {}\n", "", width, printable(origin_of(offer.variant)));
        if (!offer.why_not.empty())
            fmt::print("  {:<{}}  cannot run: {}\n", "", width, printable(offer.why_not));
    }
}

/// Files that belong to none of the listed analyses.
void print_strays(const Engine& engine) {
    const auto listing = engine.user_variants().listing();
    for (const BrokenUserVariant& broken : listing->broken)
        if (std::ranges::none_of(engine.registry().analyses(), [&broken](const auto& analysis) {
                return analysis.info().id == broken.variant.analysis;
            }))
            fmt::print("not used: {}\n", printable(broken.error.what()));
}

int list_variants(Session& session, const ListOptions& options) {
    Engine& engine = session.engine();
    const DeviceInfo& device = choose_device(engine.devices(), options.device);
    nlohmann::json all = nlohmann::json::object();
    bool first = true;
    for (const Analysis& analysis : engine.registry().analyses()) {
        const AnalysisInfo& info = analysis.info();
        if (!options.analysis.empty() && info.id != engine.registry().analysis(options.analysis).info().id)
            continue;
        const std::vector<Offer> offers = engine.offers(info.id, device);
        for (const Offer& offer : offers) all[info.id].push_back(json_of(offer));
        if (options.json) continue;
        fmt::print("{}", first ? "" : "\n");
        first = false;
        print_offers(info, device, offers);
    }
    if (options.json) {
        fmt::print("{}\n", dump_json(all, 2));
        return 0;
    }
    fmt::print("\nyour kernels are in {}\n", printable(engine.user_variants().path().string()));
    print_strays(engine);
    return 0;
}

Variant variant_to_copy(const Engine& engine, const std::string& analysis, const std::string& id) {
    std::vector<std::string> ids;
    const auto listing = engine.user_variants().listing();
    for (const GoodUserVariant& good : listing->good)
        if (good.variant.analysis == analysis && good.variant.id == id) return good.variant;
    for (const Variant& variant : engine.user_variants().shipped()) {
        if (variant.analysis != analysis) continue;
        if (variant.id == id) return variant;
        if (!variant.entry_points.empty()) ids.push_back(variant.id);
    }
    throw Error(ErrorKind::input, fmt::format("there is no variant \"{}\"", id), analysis,
                "the variants with kernels are " + joined(ids));
}

int new_variant(Session& session, const NewOptions& options) {
    const Engine& engine = session.engine();
    const std::string analysis = engine.registry().analysis(options.analysis).info().id;
    if (engine.user_variants().path().empty())
        throw Error(ErrorKind::input, "there is no home folder to write to", "variants",
                    "set KERNELSCOPE_VARIANTS");
    const UserVariant copy = copy_for_user(variant_to_copy(engine, analysis, options.base), options.name,
                                           engine.user_variants().path());
    engine.user_variants().require_free(copy.analysis, copy.name, copy.file);
    // a missing folder is created
    if (std::filesystem::exists(copy.file)) require_output(copy.file.string(), options.overwrite);
    save_user_variant(copy, options.overwrite);
    fmt::print("{}\n", printable(copy.file.string()));
    return 0;
}

}  // namespace

void add_variants(CLI::App& root, const Registry& registry, Commands& commands) {
    std::string ids;
    for (const Analysis& analysis : registry.analyses()) ids += (ids.empty() ? "" : "|") + analysis.info().id;
    CLI::App* command = root.add_subcommand(
        "variants", "List the variants, including your own, with the reasons why some cannot run");
    command->require_subcommand(0, 1);
    auto list = std::make_shared<ListOptions>();
    command->add_option("analysis", list->analysis, "Analysis (default: all)")->type_name(ids);
    add_text(*command, "--device", list->device,
             "Index of a device or part of its name, as listed by `devices`; or `host` (default: GPU, else "
             "CPU, else host)",
             "DEVICE");
    command->add_flag("--json", list->json, "Print JSON");
    commands.push_back({command, [list](Session& session) { return list_variants(session, *list); }});

    CLI::App* add = command->add_subcommand(
        "new", "Copy the kernel of a variant into your folder for editing, and print its path");
    auto copy = std::make_shared<NewOptions>();
    add->add_option("analysis", copy->analysis, "Analysis")->required()->type_name("ANALYSIS");
    add->add_option("base", copy->base, "Variant to copy")->required()->type_name("BASE");
    add->add_option("name", copy->name, "Name of the copy, which runs as user.NAME")
        ->required()
        ->type_name("NAME");
    add->add_flag("--overwrite", copy->overwrite, "Replace an existing file");
    commands.push_back({add, [copy](Session& session) { return new_variant(session, *copy); }});
}

}  // namespace ks::cli
