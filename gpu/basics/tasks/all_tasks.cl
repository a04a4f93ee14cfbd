// One task per work-item. NDRange: the tasks of the launch, the first of which is the global offset; group
// size of the driver; no local memory.
#include "gpu/basics/tasks/step.cl"

kernel void advance(const uint steps, global const uint* x, global uint* c) {
    const size_t task = get_global_id(0);
    c[task] = advanced(x[task], steps);
}
