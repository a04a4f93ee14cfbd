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

/// Collects bytes as they arrive and returns whole messages. Throws ks::Error(run) for bytes that are not a
/// message, for a header over 64 MiB, and for more than 100,000 blobs or 16 GiB in them. Memory is allocated
/// for bytes that have arrived, never for lengths that were only announced.
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
/// Whether the error was a WrongResult, which error_from() does not keep.
bool was_wrong_result(const nlohmann::json& error);

/// [analysis id][device position in Catalogue::devices]
using Offers = std::map<std::string, std::vector<std::vector<Offer>>>;

/// The part of the catalogue that changes if the user's kernels change. Offered variants have no text.
struct Offered {
    Offers offers;
    /// Texts of the user's kernels that can run, by path, with the user's included files inserted.
    std::map<std::string, std::string> user_texts;
};
KS_FIELDS(Offered, offers, user_texts)

/// What the worker reports at its start: devices, analyses, and per analysis and device the offers.
struct Catalogue : Offered {
    std::vector<DeviceInfo> devices;
    /// properties[device position in `devices`]
    std::vector<std::vector<DeviceProperty>> properties;
    std::vector<AnalysisInfo> analyses;
    /// Ceilings of the devices that have been measured.
    std::vector<Ceilings> ceilings;
    std::map<std::string, std::string> kernel_files;  ///< texts by path

    /// The kernel of an offered variant; empty for host variants and for user's kernels that cannot run.
    std::string text_of(const Variant& variant) const;
};
KS_FIELDS(Catalogue, devices, properties, analyses, ceilings, offers, user_texts, kernel_files)
Offered offered_by(const Engine& engine);
Catalogue catalogue_of(const Engine& engine);
/// Throws ks::Error(run).
Catalogue catalogue_from(const nlohmann::json& json);

/// Messages to a worker, and its answers. The kinds of job, and what theirs contain, are in core/wire/jobs.h.
///   {"type":KIND,"job":n,"given":{..}}
///                              -> {"type":"progress","job":n,"fraction":f,"stage":s}*,
///                                 {"type":"part","job":n,"part":..}*,
///                                 {"type":"answer","job":n,"answer":..} or
///                                 {"type":"error","job":n,"error":..}
///   {"type":"cancel","job":n}  -> (the job ends in an error of kind "cancelled")
///   {"type":"quit"}, or end of input -> (the worker ends)
/// An error with "last":true is the worker's last message. One with the job 0 belongs to no job.
Message headed(const char* type, std::uint64_t job);

}  // namespace ks::wire
