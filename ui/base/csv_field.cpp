#include "ui/base/csv_field.h"

#include "core/data/missing_value.h"
#include "core/data/short_number.h"

namespace ks::ui {

std::string csvNumber(double value) {
    return is_missing(value) ? std::string() : short_number(value);
}

}  // namespace ks::ui
