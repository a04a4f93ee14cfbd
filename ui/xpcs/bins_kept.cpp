#include "ui/xpcs/bins_kept.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/data/partition/q_partition.h"
#include "ui/base/json_read.h"
#include "ui/image/mask/mask_state.h"

namespace ks::ui::xpcs {
namespace {

using nlohmann::json;

constexpr std::size_t mostLevels = 100'000;

json toJson(const PartitionRecipe& recipe) {
    return {{"in_q", recipe.in_q},
            {"lower", recipe.radial.lower},
            {"upper", recipe.radial.upper},
            {"sectors", recipe.sectors},
            {"phi_start", recipe.phi_start},
            {"static_per_radial", recipe.static_per_radial},
            {"static_per_sector", recipe.static_per_sector}};
}

constexpr std::pair<LevelsForm::Spacing, const char*> rules[] = {{LevelsForm::Linear, "equal"},
                                                                 {LevelsForm::Logarithmic, "logarithmic"},
                                                                 {LevelsForm::WidthAndGap, "width and gap"},
                                                                 {LevelsForm::Edges, "edges"}};

/// The rule from which the levels of the recipe were made.
json ruleToJson(const LevelsForm::Fields& fields) {
    json rule{{"rings", fields.rings}, {"in_q", fields.inQ},    {"from", fields.from},
              {"to", fields.to},       {"width", fields.width}, {"gap", fields.gap}};
    for (const auto& [spacing, name] : rules)
        if (spacing == fields.spacing) rule["spacing"] = name;
    return rule;
}

std::optional<LevelsForm::Fields> ruleFrom(const json& kept) {
    const QString given = jsonText(kept, "spacing");
    for (const auto& [spacing, name] : rules) {
        if (given != QLatin1String(name) || spacing == LevelsForm::Edges) continue;
        LevelsForm::Fields fields;
        fields.spacing = spacing;
        fields.rings = jsonInteger(kept, "rings", 1);
        fields.inQ = jsonBoolean(kept, "in_q");
        fields.from = jsonNumber(kept, "from");
        fields.to = jsonNumber(kept, "to");
        fields.width = jsonNumber(kept, "width");
        fields.gap = jsonNumber(kept, "gap");
        return fields;
    }
    return std::nullopt;  // for edges the recipe is enough
}

std::vector<double> numbers(const json& list) {
    std::vector<double> values;
    if (!list.is_array() || list.size() > mostLevels) return values;
    for (const json& one : list)
        if (one.is_number() && std::isfinite(one.get<double>())) values.push_back(one.get<double>());
    return values.size() == list.size() ? values : std::vector<double>();
}

/// Without levels if they are unusable.
PartitionRecipe recipeFrom(const json& kept, const Geometry& geometry) {
    const auto count = [&kept](const char* key) {
        return static_cast<std::size_t>(std::clamp(jsonInteger(kept, key, 1), 1, 10'000));
    };
    PartitionRecipe recipe;
    recipe.geometry = geometry;
    recipe.in_q = jsonBoolean(kept, "in_q") && geometry.complete();
    recipe.sectors = count("sectors");
    recipe.phi_start = jsonNumber(kept, "phi_start");
    recipe.static_per_radial = count("static_per_radial");
    recipe.static_per_sector = count("static_per_sector");
    if (recipe.in_q != jsonBoolean(kept, "in_q")) return recipe;
    const Levels levels{numbers(jsonPart(kept, "lower")), numbers(jsonPart(kept, "upper"))};
    bool good = levels.lower.size() == levels.upper.size();
    for (std::size_t k = 0; good && k < levels.size(); ++k)
        good = levels.lower[k] < levels.upper[k] && (k == 0 || levels.upper[k - 1] <= levels.lower[k]);
    if (good) recipe.radial = levels;
    return recipe;
}

}  // namespace

void keepBins(PageState& state, const PartitionChoice& choice, const LevelsForm::Fields& levels,
              const std::vector<int>& off) {
    json& bins = state.values["bins"];
    bins["source"] = static_cast<int>(choice.source);
    if (choice.problem.isEmpty()) {
        bins["recipe"] = toJson(choice.recipe);
        bins["rule"] = ruleToJson(levels);
    }
    if (!choice.dataset.isEmpty()) state.files["labels"] = choice.dataset.toStdString();
    bins["off"] = off;
}

KeptBins keptBins(const PageState& state, const Geometry& geometry, PartitionChoice choice) {
    const json bins = jsonPart(state.values, "bins");
    choice.recipe = recipeFrom(jsonPart(bins, "recipe"), geometry);
    const auto labels = state.files.find("labels");
    if (labels != state.files.end()) choice.dataset = QString::fromStdString(labels->second);
    const int source = jsonInteger(bins, "source", choice.source);
    if (source == PartitionChoice::Labels && labels == state.files.end())
        choice.source = PartitionChoice::Rings;
    else if (source >= PartitionChoice::Rings && source <= PartitionChoice::Drawn)
        choice.source = static_cast<PartitionChoice::Source>(source);
    KeptBins kept{std::move(choice), ruleFrom(jsonPart(bins, "rule")), {}};
    for (const double label : numbers(jsonPart(bins, "off")))
        if (label >= 1 && label <= 1e6) kept.off.push_back(static_cast<int>(label));
    return kept;
}

std::optional<PageState> binsOfRequest(const Request& request, const Geometry& geometry, MaskState& drawn,
                                       const PartitionRecipe& shown) {
    const auto given = request.inputs.find("partition");
    if (given == request.inputs.end()) return std::nullopt;
    const std::string rings = "rings:";
    PageState state;
    json& bins = state.values["bins"];
    bins["source"] = static_cast<int>(PartitionChoice::Drawn);
    bins["recipe"] = toJson(shown);
    bins["off"] = json::array();
    const auto draw = [&drawn](const QPartition& partition) {
        drawn.bins = labelRuns(partition.labels());
        drawn.binCount = static_cast<int>(partition.bins());
    };
    try {
        if (given->second.values) {
            draw(QPartition::from_array(*given->second.values, "partition"));
        } else if (!given->second.name.starts_with(rings)) {
            bins["source"] = static_cast<int>(PartitionChoice::Labels);
            state.files["labels"] = given->second.name;
        } else if (const ks::Rings plain =
                       ks::Rings::parse(given->second.name.substr(rings.size()), geometry);
                   plain.x == geometry.beam_x && plain.y == geometry.beam_y) {
            PartitionRecipe recipe;
            for (std::size_t k = 0; k < plain.n; ++k) {
                recipe.radial.lower.push_back(plain.r0 + static_cast<double>(k) * plain.width);
                recipe.radial.upper.push_back(plain.r0 + static_cast<double>(k + 1) * plain.width);
            }
            bins["source"] = static_cast<int>(PartitionChoice::Rings);
            bins["recipe"] = toJson(recipe);
        } else {
            draw(QPartition::from_rings(drawn.height, drawn.width, plain));
        }
    } catch (const Error&) {
        return std::nullopt;  // rings or labels that are no longer valid
    }
    return state;
}

}  // namespace ks::ui::xpcs
