#include "gpu/basics/variants.h"

#include <iterator>
#include <utility>

#include "gpu/basics/atomics/atomics_rows.h"
#include "gpu/basics/buffers/buffers_rows.h"
#include "gpu/basics/copy/copy_rows.h"
#include "gpu/basics/elementwise/elementwise_rows.h"
#include "gpu/basics/expression/expression_rows.h"
#include "gpu/basics/images/images_rows.h"
#include "gpu/basics/index_space/index_space_rows.h"
#include "gpu/basics/matmul/matmul_rows.h"
#include "gpu/basics/memory_spaces/memory_spaces_rows.h"
#include "gpu/basics/printf/printf_rows.h"
#include "gpu/basics/reduce/reduce_rows.h"
#include "gpu/basics/scan/scan_rows.h"
#include "gpu/basics/synchronise/synchronise_rows.h"
#include "gpu/basics/tasks/tasks_rows.h"
#include "gpu/basics/vector_add/vector_add_rows.h"
#include "gpu/basics/vectors/vectors_rows.h"

namespace ks::gpu::basics {

std::vector<ClVariant> cl_variants() {
    std::vector<ClVariant> all;
    for (std::vector<ClVariant> some : {vector_add_rows(), elementwise_rows(), reduce_rows(), scan_rows(),
                                        matmul_rows(), index_space_rows(), vectors_rows(), printf_rows(),
                                        buffers_rows(), copy_rows(), memory_spaces_rows(), images_rows(),
                                        atomics_rows(), synchronise_rows(), tasks_rows(), expression_rows()})
        all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    return all;
}

}  // namespace ks::gpu::basics
