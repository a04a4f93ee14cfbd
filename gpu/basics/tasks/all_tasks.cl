// A task a work-item. NDRange: the tasks of the launch, of which the first is the global offset; group size
// of the driver; no local memory.
#include "gpu/basics/tasks/step.cl"

kernel void advance(const uint steps, global const uint* x, global uint* c) {
    const size_t task = get_global_id(0);
    c[task] = advanced(x[task], steps);
}
