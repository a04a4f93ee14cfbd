// Digis as nodes of a forest (gpu/runtime/forest.cl): the root of a cluster is finally its smallest member.

#include "gpu/clusters/parents.cl"
#define NODE int
#include "gpu/runtime/forest.cl"
#undef FIND
#define FIND find_root
