#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ks {

/// Bytes that one rank sent to another.
struct RankBytes {
    std::size_t from = 0;
    std::vector<std::byte> bytes;
};

/// This process among several that were started together to compute one result: its rank, and the way to the
/// others. Knows neither what they say (core/ranks/exchange.h) nor by which library. No call waits for
/// another rank but leave(). All calls come from one thread.
class Ranks {
  public:
    virtual ~Ranks() = default;

    virtual std::size_t rank() const = 0;  ///< 0 to size() - 1; rank 0 prints and writes
    virtual std::size_t size() const = 0;
    /// The node, by its name in messages, and the place of this process among those of the node.
    virtual std::string host() const = 0;
    virtual std::size_t local_rank() const = 0;

    /// Takes bytes over. They leave meanwhile, and while received() is called.
    virtual void send(std::size_t to, std::vector<std::byte> bytes) = 0;
    /// What came next, if anything did: of one rank in the order in which it was sent.
    virtual std::optional<RankBytes> received() = 0;
    /// Whether some of what was sent has not left yet.
    virtual bool is_sending() = 0;

    /// The last call of a rank, which waits for all others to come here.
    virtual void leave() = 0;
    /// Ends the processes of all ranks.
    [[noreturn]] virtual void abort(int exit_code) = 0;
};

}  // namespace ks
