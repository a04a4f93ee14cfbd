#include "core/io/header_numbers.h"

#include <charconv>
#include <cmath>

#include "core/base/printable.h"
#include "core/base/trimmed.h"

namespace ks::io {

std::optional<HeaderNumber> HeaderNumber::read(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    HeaderNumber number;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number.value);
    if (failure != std::errc() || !std::isfinite(number.value)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with('_')) text.remove_prefix(1);
    number.unit = trimmed(text);
    return number;
}

void HeaderGeometry::fault(const char* part, const std::string& sentence) const {
    faults_.push_back({part, Error(ErrorKind::input, sentence, file_)});
}

double HeaderGeometry::above_zero(const char* part, const std::string& field, std::string_view text,
                                  Quantity quantity, const char* without) const {
    const std::optional<HeaderNumber> number = HeaderNumber::read(text);
    if (!number || number->value <= 0) {
        fault(part, "expected a number above 0 in " + field + ", found \"" + printable(trimmed(text)) + "\"");
        return 0;
    }
    try {
        return number->value *
               unit_factor(quantity, number->unit.empty() ? without : number->unit, file_ + ", " + field);
    } catch (const Error& error) {
        faults_.push_back({part, error});
        return 0;
    }
}

std::optional<double> HeaderGeometry::centre(const char* part, const std::string& field,
                                             std::string_view text) const {
    if (const std::optional<HeaderNumber> number = HeaderNumber::read(text)) return number->value;
    fault(part, "expected a number of pixels in " + field + ", found \"" + printable(trimmed(text)) + "\"");
    return std::nullopt;
}

}  // namespace ks::io
