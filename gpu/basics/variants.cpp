#include "gpu/basics/variants.h"

#include <algorithm>
#include <iterator>

#include "collected_gpu_basics.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

// What each folder of gpu/basics defines.
#define KS_DECLARE(folder) std::vector<ClVariant> folder##_rows();
KS_COLLECTED_gpu_basics(KS_DECLARE)
#undef KS_DECLARE

    std::vector<ClVariant> cl_variants() {
    std::vector<ClVariant> all;
#define KS_TAKE(folder) std::ranges::move(folder##_rows(), std::back_inserter(all));
    KS_COLLECTED_gpu_basics(KS_TAKE)
#undef KS_TAKE
        return all;
}

}  // namespace ks::gpu::basics
