#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/fields.h"
#include "core/base/formats.h"
#include "core/devices/device_info.h"

namespace ks {

/// One thing that a device can do at most, measured.
struct Ceiling {
    std::string id;      ///< one of ceiling_ids, below
    std::string label;   ///< "Copy in device memory"
    std::string unit;    ///< of the samples: "B/s", "flop/s", "1/s", "s"
    std::string sample;  ///< what one did: "fma of float16, 128 work-items x 10 chains x 20480 steps"
    double amount = 0;   ///< and how much of it: bytes, operations or launches
    std::vector<double> samples;  ///< in the order of measuring; all finite and above 0

    double median() const;
    /// Of the samples, 0 <= q <= 1.
    double at_quantile(double q) const;
};

void fields(auto& visit, ConstOr<Ceiling> auto& ceiling) {
    visit("id", ceiling.id);
    visit("label", ceiling.label);
    visit("unit", ceiling.unit);
    visit("sample", ceiling.sample);
    visit("amount", ceiling.amount);
    visit.derived("median", ceiling.median());
    visit.derived("lower_quartile", ceiling.at_quantile(0.25));
    visit.derived("upper_quartile", ceiling.at_quantile(0.75));
    visit("samples", ceiling.samples);
}

namespace ceiling_ids {
inline constexpr const char* copy = "copy";                ///< device memory, bytes read and written
inline constexpr const char* read = "read";                ///< device memory, bytes read
inline constexpr const char* upload = "upload";            ///< page-locked host memory to the device
inline constexpr const char* download = "download";        ///< and back
inline constexpr const char* fma_f32 = "fma_f32";          ///< multiplications and additions in float
inline constexpr const char* fma_f64 = "fma_f64";          ///< in double; absent where the device has none
inline constexpr const char* fma_f16 = "fma_f16";          ///< in half; absent where the device has none
inline constexpr const char* mad_u32 = "mad_u32";          ///< of whole numbers of 32 bits
inline constexpr const char* dot_u8 = "dot_u8";            ///< dot products of bytes; on NVIDIA's only
inline constexpr const char* matrix_tf32 = "matrix_tf32";  ///< products of matrices; on NVIDIA's only
inline constexpr const char* matrix_f16 = "matrix_f16";    ///< of halves, sums in float
inline constexpr const char* matrix_u8 = "matrix_u8";      ///< of bytes
inline constexpr const char* local = "local";              ///< local memory, bytes read
inline constexpr const char* constant = "constant";        ///< constant memory, read alike by a group
inline constexpr const char* private_array = "private";    ///< private memory that is indexed
inline constexpr const char* exp2 = "exp2";                ///< 2^x in float
inline constexpr const char* rsqrt = "rsqrt";              ///< 1 / sqrt(x) in float
inline constexpr const char* sin = "sin";                  ///< sines or cosines in float
inline constexpr const char* launch = "launch";            ///< an empty kernel by its events
inline constexpr const char* round_trip = "round_trip";    ///< its enqueuing to its end, by the host's clock
}  // namespace ceiling_ids

/// What was measured of a device with a driver.
struct Ceilings {
    DeviceInfo device;
    std::string started;       ///< ISO 8601, UTC
    std::string version;       ///< of this program
    std::string program_hash;  ///< of the kernels' text and options
    std::vector<Ceiling> values;

    const Ceiling* find(const std::string& id) const;
    /// Median of one; NaN where it was not measured.
    double median(const std::string& id) const;
};

void fields(auto& visit, ConstOr<Ceilings> auto& ceilings) {
    visit.derived("program", "kernelscope-cli");
    visit.derived(format_key, formats::ceilings.version);
    visit("version", ceilings.version);
    visit("started", ceilings.started);
    visit("device", ceilings.device);
    visit.derived("driver", ceilings.device.driver);
    visit("program_hash", ceilings.program_hash);
    visit("ceilings", ceilings.values);
}

/// True where what was measured of one device holds for the other: the same name, driver and number of
/// compute units.
bool same_ceilings(const DeviceInfo& a, const DeviceInfo& b);
/// Those of a device; null: none of these are.
const Ceilings* find_ceilings(const std::vector<Ceilings>& all, const DeviceInfo& device);

/// How to measure them.
struct CeilingsPlan {
    std::size_t repeats = 15;                        ///< samples of each, after warm-ups; at least 1
    std::optional<std::uint64_t> memory_limit = {};  ///< bytes on the device; absent: from the device
};

/// From what to_json() makes; medians and quartiles are those of the samples, whatever was written. Throws
/// ks::Error(run).
Ceilings ceilings_from(const nlohmann::json& json);

/// Keeps them for kept_ceilings(), in the place of older ones of the same device and driver. A folder that
/// cannot be written costs nothing but that they are measured again. @param folder of the cache; empty: none
void keep_ceilings(const Ceilings& ceilings, const std::filesystem::path& folder);
/// Those that were kept of this device with this driver; nothing where there are none or the file is damaged.
std::optional<Ceilings> kept_ceilings(const DeviceInfo& device, const std::filesystem::path& folder);

}  // namespace ks
