#pragma once

#include <string>

namespace ks {

/// What ended a process, for users: "an illegal access to memory (signal 11, Segmentation fault)".
std::string signal_text(int signal);

}  // namespace ks
