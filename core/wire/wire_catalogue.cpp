#include <optional>
#include <utility>

#include "core/run/errors/wrong_result.h"
#include "core/wire/wire.h"

namespace ks::wire {
namespace {

constexpr const char* wrong_result_key = "wrong_result";

}  // namespace

nlohmann::json to_json(const Error& error) {
    nlohmann::json json{{"kind", name_of(error.kind())},
                        {"message", error.message()},
                        {"where", error.where()},
                        {"hint", error.hint()},
                        {"details", error.details()}};
    if (dynamic_cast<const WrongResult*>(&error) != nullptr) json[wrong_result_key] = true;
    return json;
}

bool was_wrong_result(const nlohmann::json& error) {
    return guarded("an error", [&] { return error.value(wrong_result_key, false); });
}

Error error_from(const nlohmann::json& json) {
    return guarded("an error", [&] {
        const auto text = [&json](const char* key) { return json.at(key).get<std::string>(); };
        return Error(error_kind_from(text("kind")), text("message"), text("where"), text("hint"),
                     text("details"));
    });
}

Catalogue catalogue_of(const Engine& engine) {
    Catalogue catalogue;
    catalogue.devices = engine.devices();
    catalogue.kernel_files = engine.kernel_files();
    for (const DeviceInfo& device : catalogue.devices)
        catalogue.properties.push_back(engine.properties(device));
    for (const DeviceInfo& device : catalogue.devices)
        if (std::optional<Ceilings> known = engine.known_ceilings(device))
            catalogue.ceilings.push_back(std::move(*known));
    for (const Analysis& analysis : engine.registry().analyses())
        catalogue.analyses.push_back(analysis.info());
    static_cast<Offered&>(catalogue) = offered_by(engine);
    return catalogue;
}

std::string Catalogue::text_of(const Variant& variant) const {
    const auto& texts = variant.from_user() ? user_texts : kernel_files;
    const auto known = texts.find(variant.from_user() ? variant.user_file : variant.source_file);
    return known == texts.end() ? std::string() : known->second;
}

Offered offered_by(const Engine& engine) {
    Offered all;
    for (const Analysis& analysis : engine.registry().analyses()) {
        auto& offers = all.offers[analysis.info().id];
        for (const DeviceInfo& device : engine.devices()) {
            offers.push_back(engine.offers(analysis.info().id, device));
            for (Offer& offer : offers.back()) offer.variant.source.clear();
        }
    }
    for (const GoodUserVariant& good : engine.user_variants().listing()->good)
        all.user_texts.emplace(good.variant.user_file, good.variant.source);
    return all;
}

Catalogue catalogue_from(const nlohmann::json& json) {
    Catalogue catalogue = from_json<Catalogue>(json, "a catalogue");
    if (catalogue.properties.size() != catalogue.devices.size())
        throw Error(ErrorKind::run, "expected properties of " + std::to_string(catalogue.devices.size()) +
                                        " devices, found " + std::to_string(catalogue.properties.size()));
    for (const auto& [analysis, by_device] : catalogue.offers)
        if (by_device.size() != catalogue.devices.size())
            throw Error(ErrorKind::run, "expected offers for " + std::to_string(catalogue.devices.size()) +
                                            " devices, found " + std::to_string(by_device.size()));
    return catalogue;
}

}  // namespace ks::wire
