#include "core/run/repeats/asked_of_average.h"

#include <string>

namespace ks {
namespace {

const std::string mark = "of an average";  // ids of parameters have no spaces

}  // namespace

Request asked_of_average(Request of_one) {
    of_one.parameters[mark] = true;
    return of_one;
}

bool is_asked_of_average(const Request& request) {
    return request.parameters.contains(mark);
}

}  // namespace ks
