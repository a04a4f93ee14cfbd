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

/// One measured peak rate of a device.
struct Ceiling {
    std::string id;      ///< one of ceiling_ids, below
    std::string label;   ///< "Copy in device memory"
    std::string unit;    ///< of the samples: "B/s", "flop/s", "1/s", "s"
    std::string sample;  ///< what one sample did: "fma of float16, 128 work-items x 10 chains x 20480 steps"
    double amount = 0;   ///< work per sample: bytes, operations or launches
    std::vector<double> samples;  ///< in order of measurement; all finite and above 0

    double median() const;
    /// Quantile of the samples, 0 <= q <= 1.
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
inline constexpr const char* download = "download";        ///< the device to page-locked host memory
inline constexpr const char* fma_f32 = "fma_f32";          ///< multiplications and additions in float
inline constexpr const char* fma_f64 = "fma_f64";          ///< in double; absent if the device has no double
inline constexpr const char* fma_f16 = "fma_f16";          ///< in half; absent if the device has no half
inline constexpr const char* mad_u32 = "mad_u32";          ///< the same for 32-bit integers
inline constexpr const char* dot_u8 = "dot_u8";            ///< dot products of bytes; NVIDIA only
inline constexpr const char* matrix_tf32 = "matrix_tf32";  ///< matrix products; NVIDIA only
inline constexpr const char* matrix_f16 = "matrix_f16";    ///< of halves, sums in float
inline constexpr const char* matrix_u8 = "matrix_u8";      ///< of bytes
inline constexpr const char* local = "local";              ///< local memory, bytes read
inline constexpr const char* constant = "constant";        ///< constant memory, uniform reads
inline constexpr const char* private_array = "private";    ///< indexed private memory
inline constexpr const char* exp2 = "exp2";                ///< 2^x in float
inline constexpr const char* rsqrt = "rsqrt";              ///< 1 / sqrt(x) in float
inline constexpr const char* sin = "sin";                  ///< sines or cosines in float
inline constexpr const char* launch = "launch";            ///< an empty kernel, timed by its events
inline constexpr const char* round_trip = "round_trip";    ///< from enqueuing to its end, by the host's clock
}  // namespace ceiling_ids

/// The ceilings measured on a device with a given driver.
struct Ceilings {
    DeviceInfo device;
    std::string started;       ///< ISO 8601, UTC
    std::string version;       ///< of this program
    std::string program_hash;  ///< of the kernels' text and options
    std::vector<Ceiling> values;

    const Ceiling* find(const std::string& id) const;
    /// Median of one ceiling; NaN if it was not measured.
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

/// True if ceilings measured on one device are valid for the other: the same name, driver and number
/// of compute units.
bool same_ceilings(const DeviceInfo& a, const DeviceInfo& b);
/// The ceilings of a device; null if there are none.
const Ceilings* find_ceilings(const std::vector<Ceilings>& all, const DeviceInfo& device);

/// How to measure them.
struct CeilingsPlan {
    std::size_t repeats = 15;                        ///< samples of each, after warm-ups; at least 1
    std::optional<std::uint64_t> memory_limit = {};  ///< bytes on the device; absent: from the device
};

/// Reads what to_json() writes; medians and quartiles are recomputed from the samples, whatever was
/// written. Throws ks::Error(run).
Ceilings ceilings_from(const nlohmann::json& json);

/// Stores ceilings for kept_ceilings(), replacing older ones of the same device and driver. It is no error if
/// the folder cannot be written: they are then measured again next time.
/// @param folder of the cache; empty: none
void keep_ceilings(const Ceilings& ceilings, const std::filesystem::path& folder);
/// The stored ones of this device with this driver; nothing if there are none or the file is damaged.
std::optional<Ceilings> kept_ceilings(const DeviceInfo& device, const std::filesystem::path& folder);

}  // namespace ks
