#include "core/basics/check_elements.h"

#include <fmt/format.h>

#include <cstring>

namespace ks::basics {

Verdict same_values(const Result& found, const Result& expected) {
    Verdict verdict;
    std::size_t wrong = 0;
    const auto differs = [&](const std::string& where) {
        if (wrong++ == 0) verdict.where = where;
    };
    for (const Dataset& right : expected.datasets) {
        const Dataset* const of_run = found.find(right.name);
        const Array& wanted = right.values;
        if (right.kind != DataKind::text) verdict.samples += wanted.size();
        if (of_run == nullptr || of_run->values.type() != wanted.type() ||
            of_run->values.shape() != wanted.shape()) {
            differs(right.name);
            continue;
        }
        if (of_run->values == wanted) continue;
        const std::size_t each = wanted.bytes().size() / wanted.size();
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (std::memcmp(of_run->values.bytes().data() + i * each, wanted.bytes().data() + i * each,
                            each) != 0)
                differs(fmt::format("{}, element {}", right.name, i));
    }
    verdict.state = wrong == 0 ? Verdict::State::pass : Verdict::State::fail;
    verdict.text = wrong == 0
                       ? fmt::format("pass: {} {} of the host", count_text(verdict.samples, "value"),
                                     verdict.samples == 1 ? "is equal to that" : "are equal to those")
                       : fmt::format("fail: {} of {} {} of the host, the first in {}", wrong,
                                     count_text(verdict.samples, "value"),
                                     wrong == 1 ? "differs from that" : "differ from those", verdict.where);
    return verdict;
}

}  // namespace ks::basics
