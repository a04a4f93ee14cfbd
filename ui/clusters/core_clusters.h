#pragma once

// Qt defines the word `slots`, and clusters also have slots: everything that ui/ needs of core/clusters
// is included here.
#pragma push_macro("slots")
#undef slots
#include "core/clusters/analysis.h"
#include "core/clusters/labelling/module_digis.h"
#include "core/clusters/labelling/union_find.h"
#include "core/clusters/layout.h"
#include "core/clusters/parameters.h"
#include "core/clusters/problem.h"
#include "core/clusters/result.h"
#pragma pop_macro("slots")
