#include "core/ranks/processors.h"

#include <sched.h>

#include <algorithm>
#include <map>
#include <utility>

namespace ks {

std::vector<std::int64_t> own_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<std::int64_t> numbers;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return numbers;
    for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &set)) numbers.push_back(i);
    return numbers;
}

unsigned fair_threads(std::span<const RankProcessors> all, std::size_t rank) {
    const RankProcessors& mine = all[rank];
    std::map<std::int64_t, unsigned> users;
    for (const RankProcessors& one : all)
        if (one.host == mine.host)
            for (const std::int64_t number : one.numbers) ++users[number];
    double parts = 0;
    for (const std::int64_t number : mine.numbers) parts += 1.0 / users.at(number);
    constexpr double rounding = 1e-9;
    return std::max(1U, static_cast<unsigned>(parts + rounding));
}

unsigned fair_threads(Exchange& exchange) {
    wire::Message mine;
    mine.header = {{"processors", to_json(RankProcessors{exchange.host(), own_processors()})}};
    const std::vector<wire::Message> gathered = exchange.gathered("processors", std::move(mine));
    wire::Message answer;
    if (exchange.is_first()) {
        std::vector<RankProcessors> all;
        for (const wire::Message& one : gathered)
            all.push_back(from_json<RankProcessors>(one.header.at("processors"), "processors of a rank"));
        std::vector<unsigned> threads;
        for (std::size_t i = 0; i < all.size(); ++i) threads.push_back(fair_threads(all, i));
        answer.header = {{"threads", threads}};
    }
    const wire::Message told = exchange.told("threads", std::move(answer));
    return told.header.at("threads").at(exchange.rank()).get<unsigned>();
}

}  // namespace ks
