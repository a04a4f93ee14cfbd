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
    SignalCause{SIGABRT, "a library gave up, as it does where a kernel wrote over its memory"},
    SignalCause{SIGFPE, "a division by zero of whole numbers"},
    SignalCause{SIGILL, "an instruction that the processor does not have"},
    SignalCause{SIGKILL, "it was killed, as the system does where memory runs out"}};

}  // namespace

std::string signal_text(int signal) {
    const auto known = std::ranges::find(causes, signal, &SignalCause::signal);
    const std::string named = fmt::format("signal {}, {}", signal, ::strsignal(signal));
    return known == causes.end() ? named : fmt::format("{} ({})", known->cause, named);
}

}  // namespace ks
