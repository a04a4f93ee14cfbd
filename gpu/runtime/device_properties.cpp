#include "gpu/runtime/device_query.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace ks::gpu {
namespace {

using nlohmann::json;

/// Queries added by OpenCL 2 and 3; the headers are set to 1.2, which every driver here supports.
namespace later {
constexpr std::uint32_t max_read_write_image_args = 0x104C;
constexpr std::uint32_t numeric_version = 0x105E;
constexpr std::uint32_t opencl_c_all_versions = 0x1066;
constexpr std::uint32_t opencl_c_features = 0x106F;
constexpr std::uint32_t ils_with_version = 0x1061;
constexpr std::uint32_t atomic_memory_capabilities = 0x1063;
constexpr std::uint32_t atomic_fence_capabilities = 0x1064;
constexpr std::uint32_t svm_capabilities = 0x1053;
constexpr std::uint32_t device_enqueue_capabilities = 0x1070;
constexpr std::uint32_t queue_on_device_properties = 0x104E;
constexpr std::uint32_t max_on_device_queues = 0x1051;
constexpr std::uint32_t pipe_support = 0x1071;
constexpr std::uint32_t generic_address_space_support = 0x1069;
constexpr std::uint32_t non_uniform_work_group_support = 0x1065;
constexpr std::uint32_t work_group_collective_functions_support = 0x1068;
constexpr std::uint32_t preferred_work_group_size_multiple = 0x1067;
constexpr std::uint32_t max_num_sub_groups = 0x105C;
constexpr std::uint32_t max_global_variable_size = 0x104D;
constexpr std::uint32_t latest_conformance_version_passed = 0x1072;
constexpr std::uint32_t half_fp_config = 0x1033;
}  // namespace later

/// Queries of cl_nv_device_attribute_query.
namespace nvidia {
constexpr std::uint32_t compute_capability_major = 0x4000;
constexpr std::uint32_t compute_capability_minor = 0x4001;
constexpr std::uint32_t registers_per_block = 0x4002;
constexpr std::uint32_t warp_size = 0x4003;
}  // namespace nvidia

/// As cl_name_version of OpenCL 3.
struct NamedVersion {
    std::uint32_t version;
    char name[64];
};

/// How the bytes of an answer are interpreted.
enum class Reading {
    text,
    words,  ///< a text that is a list of names separated by blanks
    boolean,
    number,  ///< unsigned, of 4 or 8 bytes
    numbers,
    flags,     ///< bits with names
    choice,    ///< one of several values with names
    choices,   ///< several of them, terminated by a 0
    version,   ///< 10 bits major, 10 minor, 12 patch
    versions,  ///< list of NamedVersion
};

struct Name {
    std::uint64_t value;
    const char* name;
};

/// One query. The id is OpenCL's name for it, without the common prefix.
struct Question {
    std::uint32_t code;
    const char* id;
    const char* label;
    Reading reading;
    const char* unit = "";
    std::span<const Name> names = {};
};

struct Section {
    const char* title;
    std::vector<Question> questions;
};

constexpr Name device_types[] = {{CL_DEVICE_TYPE_DEFAULT, "default"},
                                 {CL_DEVICE_TYPE_CPU, "CPU"},
                                 {CL_DEVICE_TYPE_GPU, "GPU"},
                                 {CL_DEVICE_TYPE_ACCELERATOR, "accelerator"},
                                 {CL_DEVICE_TYPE_CUSTOM, "custom"}};
constexpr Name cache_types[] = {
    {CL_NONE, "none"}, {CL_READ_ONLY_CACHE, "read only"}, {CL_READ_WRITE_CACHE, "read and write"}};
constexpr Name local_types[] = {{CL_NONE, "none"}, {CL_LOCAL, "dedicated"}, {CL_GLOBAL, "global memory"}};
constexpr Name float_flags[] = {{CL_FP_DENORM, "denormals"},
                                {CL_FP_INF_NAN, "infinity and NaN"},
                                {CL_FP_ROUND_TO_NEAREST, "round to nearest even"},
                                {CL_FP_ROUND_TO_ZERO, "round to zero"},
                                {CL_FP_ROUND_TO_INF, "round to infinity"},
                                {CL_FP_FMA, "fma"},
                                {CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "correctly rounded division and root"},
                                {CL_FP_SOFT_FLOAT, "in software"}};
constexpr Name execution_flags[] = {{CL_EXEC_KERNEL, "OpenCL kernels"},
                                    {CL_EXEC_NATIVE_KERNEL, "native kernels"}};
constexpr Name queue_flags[] = {{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, "out of order"},
                                {CL_QUEUE_PROFILING_ENABLE, "profiling"}};
constexpr Name svm_flags[] = {{1, "coarse-grained buffers"},
                              {2, "fine-grained buffers"},
                              {4, "fine-grained system memory"},
                              {8, "atomics"}};
constexpr Name partitions[] = {{CL_DEVICE_PARTITION_EQUALLY, "equally"},
                               {CL_DEVICE_PARTITION_BY_COUNTS, "by counts"},
                               {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, "by affinity domain"}};
constexpr Name domains[] = {{CL_DEVICE_AFFINITY_DOMAIN_NUMA, "NUMA node"},
                            {CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, "L4 cache"},
                            {CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, "L3 cache"},
                            {CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, "L2 cache"},
                            {CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, "L1 cache"},
                            {CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, "next partitionable"}};
constexpr Name atomic_flags[] = {
    {1, "order relaxed"},     {2, "order acquire and release"}, {4, "order sequentially consistent"},
    {8, "scope work-item"},   {16, "scope work-group"},         {32, "scope device"},
    {64, "scope all devices"}};
constexpr Name enqueue_flags[] = {{1, "device queues"}, {2, "replaceable default queue"}};

const std::vector<Question>& of_platform() {
    static const std::vector<Question> all = {
        {CL_PLATFORM_NAME, "platform_name", "Platform", Reading::text},
        {CL_PLATFORM_VENDOR, "platform_vendor", "Vendor", Reading::text},
        {CL_PLATFORM_VERSION, "platform_version", "Version", Reading::text},
        {CL_PLATFORM_PROFILE, "platform_profile", "Profile", Reading::text},
        {CL_PLATFORM_EXTENSIONS, "platform_extensions", "Extensions", Reading::words}};
    return all;
}

const std::vector<Section>& of_device() {
    using enum Reading;
    static const std::vector<Section> all = {
        {"Device",
         {{CL_DEVICE_NAME, "name", "Name", text},
          {CL_DEVICE_TYPE, "type", "Type", flags, "", device_types},
          {CL_DEVICE_VENDOR, "vendor", "Vendor", text},
          {CL_DEVICE_VENDOR_ID, "vendor_id", "Vendor ID", number},
          {CL_DRIVER_VERSION, "driver_version", "Driver", text},
          {CL_DEVICE_VERSION, "version", "OpenCL", text},
          {CL_DEVICE_OPENCL_C_VERSION, "opencl_c_version", "OpenCL C", text},
          {CL_DEVICE_PROFILE, "profile", "Profile", text},
          {CL_DEVICE_AVAILABLE, "available", "Available", boolean},
          {CL_DEVICE_COMPILER_AVAILABLE, "compiler_available", "Compiler", boolean},
          {CL_DEVICE_LINKER_AVAILABLE, "linker_available", "Linker", boolean},
          {CL_DEVICE_BUILT_IN_KERNELS, "built_in_kernels", "Built-in kernels", text}}},
        {"Compute",
         {{CL_DEVICE_MAX_CLOCK_FREQUENCY, "max_clock_frequency", "Clock", number, "MHz"},
          {CL_DEVICE_MAX_COMPUTE_UNITS, "max_compute_units", "Compute units", number},
          {CL_DEVICE_MAX_WORK_GROUP_SIZE, "max_work_group_size", "Largest work-group", number},
          {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, "max_work_item_dimensions", "Work-item dimensions", number},
          {CL_DEVICE_MAX_WORK_ITEM_SIZES, "max_work_item_sizes", "Largest local sizes", numbers},
          {CL_DEVICE_EXECUTION_CAPABILITIES, "execution_capabilities", "Executes", flags, "",
           execution_flags},
          {CL_DEVICE_MAX_PARAMETER_SIZE, "max_parameter_size", "Kernel arguments", number, "B"},
          {CL_DEVICE_PRINTF_BUFFER_SIZE, "printf_buffer_size", "printf buffer", number, "B"},
          {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, "partition_max_sub_devices", "Max. sub-devices", number},
          {CL_DEVICE_PARTITION_PROPERTIES, "partition_properties", "Partitioning", choices, "", partitions},
          {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, "partition_affinity_domain", "Affinity domains", flags, "",
           domains}}},
        {"Memory",
         {{CL_DEVICE_GLOBAL_MEM_SIZE, "global_mem_size", "Global memory", number, "B"},
          {CL_DEVICE_MAX_MEM_ALLOC_SIZE, "max_mem_alloc_size", "Largest allocation", number, "B"},
          {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, "global_mem_cache_type", "Cache type", choice, "", cache_types},
          {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, "global_mem_cache_size", "Cache size", number, "B"},
          {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, "global_mem_cacheline_size", "Cache line", number, "B"},
          {CL_DEVICE_LOCAL_MEM_SIZE, "local_mem_size", "Local memory", number, "B"},
          {CL_DEVICE_LOCAL_MEM_TYPE, "local_mem_type", "Local memory type", choice, "", local_types},
          {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, "max_constant_buffer_size", "Constant memory", number, "B"},
          {CL_DEVICE_MAX_CONSTANT_ARGS, "max_constant_args", "Constant arguments", number},
          {CL_DEVICE_MEM_BASE_ADDR_ALIGN, "mem_base_addr_align", "Sub-buffer alignment", number, "bit"},
          {CL_DEVICE_HOST_UNIFIED_MEMORY, "host_unified_memory", "Shared with the host", boolean},
          {CL_DEVICE_ERROR_CORRECTION_SUPPORT, "error_correction_support", "Error correction", boolean},
          {CL_DEVICE_ADDRESS_BITS, "address_bits", "Addresses", number, "bit"},
          {CL_DEVICE_ENDIAN_LITTLE, "endian_little", "Little endian", boolean}}},
        {"Images",
         {{CL_DEVICE_IMAGE_SUPPORT, "image_support", "Images", boolean},
          {CL_DEVICE_IMAGE2D_MAX_WIDTH, "image2d_max_width", "Max. 2D width", number},
          {CL_DEVICE_IMAGE2D_MAX_HEIGHT, "image2d_max_height", "Max. 2D height", number},
          {CL_DEVICE_IMAGE3D_MAX_WIDTH, "image3d_max_width", "Max. 3D width", number},
          {CL_DEVICE_IMAGE3D_MAX_HEIGHT, "image3d_max_height", "Max. 3D height", number},
          {CL_DEVICE_IMAGE3D_MAX_DEPTH, "image3d_max_depth", "Max. 3D depth", number},
          {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, "image_max_buffer_size", "Max. 1D buffer pixels", number},
          {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, "image_max_array_size", "Max. array size", number},
          {CL_DEVICE_MAX_READ_IMAGE_ARGS, "max_read_image_args", "Max. read images", number},
          {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, "max_write_image_args", "Max. write images", number},
          {later::max_read_write_image_args, "max_read_write_image_args", "Max. read-write images", number},
          {CL_DEVICE_MAX_SAMPLERS, "max_samplers", "Samplers", number}}},
        {"Vectors",
         {{CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, "preferred_vector_width_char", "Preferred: char", number},
          {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, "preferred_vector_width_short", "Preferred: short",
           number},
          {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, "preferred_vector_width_int", "Preferred: int", number},
          {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, "preferred_vector_width_long", "Preferred: long", number},
          {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, "preferred_vector_width_half", "Preferred: half", number},
          {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, "preferred_vector_width_float", "Preferred: float",
           number},
          {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, "preferred_vector_width_double", "Preferred: double",
           number},
          {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, "native_vector_width_char", "Native: char", number},
          {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, "native_vector_width_short", "Native: short", number},
          {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, "native_vector_width_int", "Native: int", number},
          {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, "native_vector_width_long", "Native: long", number},
          {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, "native_vector_width_half", "Native: half", number},
          {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, "native_vector_width_float", "Native: float", number},
          {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, "native_vector_width_double", "Native: double", number}}},
        {"Floating point",
         {{later::half_fp_config, "half_fp_config", "Half", flags, "", float_flags},
          {CL_DEVICE_SINGLE_FP_CONFIG, "single_fp_config", "Single", flags, "", float_flags},
          {CL_DEVICE_DOUBLE_FP_CONFIG, "double_fp_config", "Double", flags, "", float_flags}}},
        {"Queues",
         {{CL_DEVICE_QUEUE_PROPERTIES, "queue_properties", "Queues", flags, "", queue_flags},
          {CL_DEVICE_PROFILING_TIMER_RESOLUTION, "profiling_timer_resolution", "Timer resolution", number,
           "ns"},
          {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, "preferred_interop_user_sync", "Prefers user sync",
           boolean}}},
        {"OpenCL 2 and 3",
         {{later::numeric_version, "numeric_version", "Version", version},
          {later::opencl_c_all_versions, "opencl_c_all_versions", "OpenCL C versions", versions},
          {later::opencl_c_features, "opencl_c_features", "OpenCL C features", versions},
          {later::ils_with_version, "ils_with_version", "Intermediate languages", versions},
          {later::atomic_memory_capabilities, "atomic_memory_capabilities", "Atomic memory", flags, "",
           atomic_flags},
          {later::atomic_fence_capabilities, "atomic_fence_capabilities", "Atomic fences", flags, "",
           atomic_flags},
          {later::svm_capabilities, "svm_capabilities", "Shared virtual memory", flags, "", svm_flags},
          {later::device_enqueue_capabilities, "device_enqueue_capabilities", "Device-side enqueue", flags,
           "", enqueue_flags},
          {later::queue_on_device_properties, "queue_on_device_properties", "Device queue properties", flags,
           "", queue_flags},
          {later::max_on_device_queues, "max_on_device_queues", "Max. device queues", number},
          {later::pipe_support, "pipe_support", "Pipes", boolean},
          {later::generic_address_space_support, "generic_address_space_support", "Generic address space",
           boolean},
          {later::non_uniform_work_group_support, "non_uniform_work_group_support", "Non-uniform work-groups",
           boolean},
          {later::work_group_collective_functions_support, "work_group_collective_functions_support",
           "Work-group functions", boolean},
          {later::preferred_work_group_size_multiple, "preferred_work_group_size_multiple",
           "Preferred group size multiple", number},
          {later::max_num_sub_groups, "max_num_sub_groups", "Max. sub-groups per group", number},
          {later::max_global_variable_size, "max_global_variable_size", "Max. global variable", number, "B"},
          {later::latest_conformance_version_passed, "latest_conformance_version_passed",
           "Conformance tests passed", text}}},
        {"NVIDIA",
         {{nvidia::compute_capability_major, "compute_capability_major_nv", "Compute capability, major",
           number},
          {nvidia::compute_capability_minor, "compute_capability_minor_nv", "Compute capability, minor",
           number},
          {nvidia::registers_per_block, "registers_per_block_nv", "Registers per work-group", number},
          {nvidia::warp_size, "warp_size_nv", "Work-items per warp", number}}},
        {"Extensions", {{CL_DEVICE_EXTENSIONS, "extensions", "Extensions", words}}}};
    return all;
}

using Bytes = std::vector<unsigned char>;

/// The answer to one query; nothing if there is none.
template <class Ask>
std::optional<Bytes> answer(const Ask& ask) {
    std::size_t size = 0;
    if (ask(0, nullptr, &size) != CL_SUCCESS) return std::nullopt;
    Bytes bytes(size);
    if (size > 0 && ask(size, bytes.data(), nullptr) != CL_SUCCESS) return std::nullopt;
    return bytes;
}

std::uint64_t number_at(const Bytes& bytes, std::size_t at, std::size_t size) {
    if (size == sizeof(std::uint32_t)) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, size);
        return value;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
}

std::string text_of(const Bytes& bytes) {
    return trimmed(std::string(bytes.begin(), bytes.end()));
}

std::string version_text(std::uint32_t version) {
    return fmt::format("{}.{}.{}", version >> 22, version >> 12 & 0x3ff, version & 0xfff);
}

std::string name_of(std::span<const Name> names, std::uint64_t value) {
    for (const Name& one : names)
        if (one.value == value) return one.name;
    return fmt::format("0x{:x}", value);
}

json flags_of(std::span<const Name> names, std::uint64_t value) {
    json found = json::array();
    for (const Name& one : names)
        if ((value & one.value) != 0) {
            found.push_back(one.name);
            value &= ~one.value;
        }
    if (value != 0) found.push_back(fmt::format("0x{:x}", value));
    return found;
}

/// Nothing if the answer has the wrong size.
std::optional<json> value_of(const Question& question, const Bytes& bytes) {
    const std::size_t size = bytes.size();
    const bool whole = size == sizeof(std::uint32_t) || size == sizeof(std::uint64_t);
    switch (question.reading) {
        case Reading::text:
            return text_of(bytes);
        case Reading::words: {
            json words = json::array();
            std::istringstream stream(text_of(bytes));
            for (std::string word; stream >> word;) words.push_back(word);
            return words;
        }
        case Reading::boolean:
            if (size != sizeof(cl_bool)) return std::nullopt;
            return number_at(bytes, 0, size) != 0;
        case Reading::number:
            if (!whole) return std::nullopt;
            return number_at(bytes, 0, size);
        case Reading::numbers: {
            json numbers = json::array();
            for (std::size_t at = 0; at + sizeof(std::size_t) <= size; at += sizeof(std::size_t))
                numbers.push_back(number_at(bytes, at, sizeof(std::size_t)));
            return numbers;
        }
        case Reading::flags:
            if (!whole) return std::nullopt;
            return flags_of(question.names, number_at(bytes, 0, size));
        case Reading::choice:
            if (!whole) return std::nullopt;
            return name_of(question.names, number_at(bytes, 0, size));
        case Reading::choices: {
            json found = json::array();
            for (std::size_t at = 0; at + sizeof(std::intptr_t) <= size; at += sizeof(std::intptr_t))
                if (const std::uint64_t value = number_at(bytes, at, sizeof(std::intptr_t)); value != 0)
                    found.push_back(name_of(question.names, value));
            return found;
        }
        case Reading::version:
            if (size != sizeof(std::uint32_t)) return std::nullopt;
            return version_text(static_cast<std::uint32_t>(number_at(bytes, 0, size)));
        case Reading::versions: {
            json found = json::array();
            for (std::size_t at = 0; at + sizeof(NamedVersion) <= size; at += sizeof(NamedVersion)) {
                NamedVersion one{};
                std::memcpy(&one, bytes.data() + at, sizeof(one));
                one.name[sizeof(one.name) - 1] = '\0';
                found.push_back(fmt::format("{} {}", one.name, version_text(one.version)));
            }
            return found;
        }
    }
    return std::nullopt;
}

void add(std::vector<DeviceProperty>& all, const char* group, const Question& question,
         const std::optional<Bytes>& bytes) {
    if (!bytes) return;
    std::optional<json> value = value_of(question, *bytes);
    if (value) all.push_back({question.id, question.label, group, question.unit, std::move(*value)});
}

}  // namespace

std::vector<DeviceProperty> device_properties(const cl::Platform& platform, const cl::Device& device) {
    std::vector<DeviceProperty> all;
    for (const Question& question : of_platform())
        add(all, "Platform", question, answer([&](std::size_t size, void* to, std::size_t* needed) {
                return clGetPlatformInfo(platform(), question.code, size, to, needed);
            }));
    for (const Section& section : of_device())
        for (const Question& question : section.questions)
            add(all, section.title, question, answer([&](std::size_t size, void* to, std::size_t* needed) {
                    return clGetDeviceInfo(device(), question.code, size, to, needed);
                }));
    return all;
}

}  // namespace ks::gpu
