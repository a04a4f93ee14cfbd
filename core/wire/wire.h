#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/fields.h"
#include "core/run/engine.h"
#include "core/run/run.h"

namespace ks::wire {

/// One framed message: 8 bytes "KSWIRE02", u32 header length, u32 number of blobs, u64 length of each blob
/// (all little endian), the header as CBOR (RFC 8949), the blobs. Values go into the header by
/// to_json(value, &blobs) and come back by from_json() (core/base/fields.h); arrays in it are
/// {"blob": i, "type": "f64", "shape": [..]}. Texts are sent as they are: a name that is not UTF-8 arrives
/// unchanged.
struct Message {
    nlohmann::json header = nlohmann::json::object();  ///< "type" names the message
    Blobs blobs;

    std::string type() const { return header.value("type", ""); }
};

std::vector<std::byte> encode(const Message& message);

/// Collects bytes as they come and hands out whole messages. Throws ks::Error(run) on bytes that are no
/// message, or where a header is over 64 MiB, there are over 100,000 blobs, or they hold over 16 GiB. Memory
/// is taken for bytes that came, never for lengths that were announced.
class Decoder {
  public:
    void feed(std::span<const std::byte> bytes);
    std::optional<Message> next();

  private:
    std::vector<std::byte> pending_;
    std::size_t begin_ = 0;  ///< bytes of pending_ that were handed out
};

nlohmann::json to_json(const Error& error);
Error error_from(const nlohmann::json& json);

/// What the worker tells at its start: devices, analyses, and per analysis and device the offers.
struct Catalogue {
    std::vector<DeviceInfo> devices;
    /// properties[device position in `devices`]
    std::vector<std::vector<DeviceProperty>> properties;
    std::vector<AnalysisInfo> analyses;
    /// offers[analysis id][device position in `devices`]
    std::map<std::string, std::vector<std::vector<Offer>>> offers;
    /// What devices can do at most, where that was measured.
    std::vector<Ceilings> ceilings;
    std::map<std::string, std::string> kernel_files;  ///< texts by path
};
void fields(auto& visit, ConstOr<Catalogue> auto& catalogue) {
    visit("devices", catalogue.devices);
    visit("properties", catalogue.properties);
    visit("analyses", catalogue.analyses);
    visit("ceilings", catalogue.ceilings);
    visit("offers", catalogue.offers);
    visit("kernel_files", catalogue.kernel_files);
}
/// The offers of a catalogue alone, as they are now: variants that the user wrote come, go and change.
struct Offers {
    std::map<std::string, std::vector<std::vector<Offer>>> offers;
};
void fields(auto& visit, ConstOr<Offers> auto& offers) {
    visit("offers", offers.offers);
}
Offers offers_of(const Engine& engine);
Catalogue catalogue_of(const Engine& engine);
/// Throws ks::Error(run).
Catalogue catalogue_from(const nlohmann::json& json);

/// Messages of the window to the worker, and what comes back:
///   {"type":"catalogue"}                          -> {"type":"catalogue","catalogue":..}
///   {"type":"offers","job":n}                     -> {"type":"offers","job":n,"offers":..}
///   {"type":"run","job":n,"request":..}           -> {"type":"progress","job":n,"fraction":f,"stage":s}*,
///                                                    {"type":"run","job":n,"run":..} or
///                                                    {"type":"error","job":n,"error":..}
///   {"type":"check","job":n,"run":..,"mode":m}    -> progress*, {"type":"verdict","job":n,"verdict":..} or
///   error
///   {"type":"ceilings","job":n,"device":d}        -> progress*, {"type":"ceilings","job":n,"ceilings":..} or
///   error
///   {"type":"bench","job":n,"plan":..}            -> progress*,
///                                                    {"type":"bench_row","job":n,"point":i,"sizes":..,"row":..}*
///                                                    (each row after its first run, and when it is
///                                                    complete),
///                                                    {"type":"bench","job":n,"report":..} or error
///   {"type":"tune","job":n,"plan":..,"before":..} -> progress*,
///                                                    {"type":"tune_part","job":n,"first":i,"report":..}*
///                                                    (after each configuration: the report with the rows
///                                                    from number i on, in place of those that were told),
///                                                    {"type":"tune","job":n,"report":..} or error
///                                                    ("before", a report, is left out where nothing was
///                                                    tried before)
///   {"type":"warm","job":n,"request":..}          -> progress*, {"type":"warm","job":n} or error
///   {"type":"assembly","job":n,"request":..}      -> {"type":"assembly","job":n,"assembly":..} or error
///                                                    (core/kernels/assembly.h)
///   {"type":"batch","job":n,..}                   -> progress*, {"type":"batch","job":n,..} or error
///                                                    (app/cli/batch_worker.cpp: for the command line alone)
///   {"type":"apart","job":n,..}                   -> progress*, {"type":"apart","job":n,..} or error
///                                                    (app/cli/apart/apart_worker.cpp: for benchmarks and the
///                                                    command line)
///   {"type":"judge","job":n,..}                   -> progress*, {"type":"judge","job":n,..} or error
///                                                    (app/cli/judge_worker.cpp: for the command line alone)
///   {"type":"cancel","job":n}                     -> (the job ends in an error of kind "cancelled")
///   {"type":"quit"}, or end of input              -> (the worker ends)

}  // namespace ks::wire
