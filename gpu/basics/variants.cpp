#include <utility>
#include <vector>

#include "collected_gpu_basics.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

// What each folder of gpu/basics defines. A row that names no analysis belongs to the one of its folder.
#define KS_DECLARE(folder) std::vector<ClVariant> folder##_rows();
KS_COLLECTED_gpu_basics(KS_DECLARE)
#undef KS_DECLARE

std::vector<ClVariant> cl_variants() {
    std::vector<ClVariant> all;
    const auto take = [&all](const char* folder, std::vector<ClVariant> rows) {
        for (ClVariant& row : rows) {
            if (row.info.analysis.empty()) row.info.analysis = folder;
            all.push_back(std::move(row));
        }
    };
#define KS_TAKE(folder) take(#folder, folder##_rows());
    KS_COLLECTED_gpu_basics(KS_TAKE)
#undef KS_TAKE
    return all;
}

}  // namespace ks::gpu::basics
