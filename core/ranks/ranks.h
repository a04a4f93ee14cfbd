#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ks {

/// Bytes received from a rank.
struct RankBytes {
    std::size_t from = 0;
    std::vector<std::byte> bytes;
};

/// This process among several that were started together to compute one result: its rank, and the connection
/// to the others. It knows neither what they send (core/ranks/exchange.h) nor through which library. Only
/// leave() waits for other ranks. All calls come from one thread.
class Ranks {
  public:
    virtual ~Ranks() = default;

    virtual std::size_t rank() const = 0;  ///< 0 to size() - 1; rank 0 prints and writes
    virtual std::size_t size() const = 0;
    /// The name of the node in messages, and the place of this process among those of the node.
    virtual std::string host() const = 0;
    virtual std::size_t local_rank() const = 0;

    /// Takes the bytes. They are sent in the background, and while received() is called.
    virtual void send(std::size_t to, std::vector<std::byte> bytes) = 0;
    /// The next message, if one has arrived. Messages of one rank arrive in the order in which
    /// they were sent.
    virtual std::optional<RankBytes> received() = 0;
    /// Whether some messages have not been sent completely yet.
    virtual bool is_sending() = 0;

    /// The last call of a rank; waits until all others have called it.
    virtual void leave() = 0;
    /// Ends the processes of all ranks.
    [[noreturn]] virtual void abort(int exit_code) = 0;
};

}  // namespace ks
