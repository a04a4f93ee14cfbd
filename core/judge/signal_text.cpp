#include "core/judge/signal_text.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

namespace ks {
namespace {

struct SignalCause {
    int signal;
    const char* cause;
};
constexpr std::array causes{
    SignalCause{SIGSEGV, "an illegal access to memory"},
    SignalCause{SIGBUS, "an illegal access to memory"},
    SignalCause{SIGABRT, "a library aborted, probably because a kernel wrote outside its buffers"},
    SignalCause{SIGFPE, "an integer division by zero"},
    SignalCause{SIGILL, "an instruction that the processor does not support"},
    SignalCause{SIGKILL, "killed, probably because memory ran out"}};

}  // namespace

std::string signal_text(int signal) {
    const auto known = std::ranges::find(causes, signal, &SignalCause::signal);
    const std::string named = fmt::format("signal {}, {}", signal, ::strsignal(signal));
    return known == causes.end() ? named : fmt::format("{} ({})", known->cause, named);
}

}  // namespace ks
