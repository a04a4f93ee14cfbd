#pragma once

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace ks::tests {

/// While it lives, what is allocated is no leak: the plugin of bitshuffle keeps some bytes, and is unloaded
/// before leaks are looked for.
struct PluginKeepsBytes {
    PluginKeepsBytes() {
#if defined(__SANITIZE_ADDRESS__)
        __lsan_disable();
#endif
    }
    ~PluginKeepsBytes() {
#if defined(__SANITIZE_ADDRESS__)
        __lsan_enable();
#endif
    }
};

}  // namespace ks::tests
