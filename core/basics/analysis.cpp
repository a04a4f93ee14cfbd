#include "core/basics/analysis.h"

#include <iterator>
#include <utility>

#include "core/basics/atomics/atomics.h"
#include "core/basics/buffers/buffers.h"
#include "core/basics/copy/copy.h"
#include "core/basics/elementwise/elementwise.h"
#include "core/basics/expression/expression.h"
#include "core/basics/images/images.h"
#include "core/basics/index_space/index_space.h"
#include "core/basics/matmul/matmul.h"
#include "core/basics/memory_spaces/memory_spaces.h"
#include "core/basics/printf/printf.h"
#include "core/basics/reduce/reduce.h"
#include "core/basics/scan/scan.h"
#include "core/basics/synchronise/synchronise.h"
#include "core/basics/tasks/tasks.h"
#include "core/basics/vector_add/vector_add.h"
#include "core/basics/vectors/vectors.h"

namespace ks::basics {

std::vector<std::unique_ptr<Analysis>> make_analyses() {
    std::vector<std::unique_ptr<Analysis>> all;
    all.push_back(make_vector_add());
    all.push_back(make_multiply());
    all.push_back(make_map());
    all.push_back(make_reduce());
    all.push_back(make_dot());
    all.push_back(make_scan());
    all.push_back(make_matmul());
    all.push_back(make_index_space());
    all.push_back(make_vectors());
    all.push_back(make_printf());
    all.push_back(make_buffers());
    all.push_back(make_copy());
    all.push_back(make_memory_spaces());
    all.push_back(make_images());
    all.push_back(make_atomics());
    all.push_back(make_synchronise());
    all.push_back(make_tasks());
    all.push_back(make_expression());
    return all;
}

std::vector<HostVariant> host_variants() {
    std::vector<HostVariant> all;
    for (std::vector<HostVariant> some :
         {vector_add_on_host(), elementwise_on_host(), reduce_on_host(), scan_on_host(), matmul_on_host(),
          index_space_on_host(), vectors_on_host(), printf_on_host(), buffers_on_host(), copy_on_host(),
          memory_spaces_on_host(), images_on_host(), atomics_on_host(), synchronise_on_host(),
          tasks_on_host(), expression_on_host()})
        all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    return all;
}

}  // namespace ks::basics
