#include "core/spots/spot.h"

namespace ks::spots {

const char* name_of(Dropped why) {
    switch (why) {
        case Dropped::kept:
            return "kept";
        case Dropped::too_small:
            return "too small";
        case Dropped::too_large:
            return "too large";
        case Dropped::far_peak:
            return "far peak";
        case Dropped::resolution:
            return "resolution";
        case Dropped::ice:
            return "ice";
    }
    return "unknown";
}

}  // namespace ks::spots
