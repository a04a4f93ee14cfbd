#pragma once

#include "core/wire/worker.h"

namespace ks::cli {

/// {"type":"assembly","job":n,"request":AssemblyRequest} -> {.., "assembly":Assembly}
WorkerJob assembly_job();

}  // namespace ks::cli
