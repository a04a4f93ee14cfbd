#pragma once

#include "core/run/request.h"

namespace ks {

/// A question about an average of repeats before it is computed, such as FurtherFile::why_not(), is asked
/// with the request of one of them and a mark, which the requests of runs do not have.
Request asked_of_average(Request of_one);
bool is_asked_of_average(const Request& request);

}  // namespace ks
