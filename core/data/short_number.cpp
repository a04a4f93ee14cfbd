#include "core/data/short_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace ks {
namespace {

/// Differences that two roundings can make, in units of the last place.
constexpr int roundings = 2;
constexpr int few_digits = 12, most_digits = 17;

/// A number with so many significant digits, without zeros at their end.
class Digits {
  public:
    Digits(double value, int digits)
        : size_(static_cast<std::size_t>(std::to_chars(text_.data(), text_.data() + text_.size(), value,
                                                       std::chars_format::general, digits)
                                             .ptr -
                                         text_.data())) {}
    std::string_view text() const { return {text_.data(), size_}; }
    double value() const {
        double read = 0;
        std::from_chars(text_.data(), text_.data() + size_, read);
        return read;
    }

  private:
    std::array<char, 32> text_{};
    std::size_t size_;
};

std::string shortest(double value) {
    for (const int digits : {15, 16})
        if (const Digits one(value, digits); one.value() == value) return std::string(one.text());
    return std::string(Digits(value, most_digits).text());
}

}  // namespace

std::string short_number(double value) {
    if (std::isnan(value)) return "nan";
    const double rounded = Digits(value, few_digits).value();
    double reached = value;
    for (int step = 0; step < roundings && reached != rounded; ++step)
        reached = std::nextafter(reached, rounded);
    return shortest(reached == rounded ? rounded : value);
}

}  // namespace ks
