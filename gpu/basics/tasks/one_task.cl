// One task per launch, by its number. NDRange: one work-item; no local memory.
#include "gpu/basics/tasks/step.cl"

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void advance(const uint steps, global const uint* x,
                                                                   global uint* c, const uint task) {
    c[task] = advanced(x[task], steps);
}
