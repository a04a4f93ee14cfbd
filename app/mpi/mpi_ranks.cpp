// The only file that uses MPI. It is a separate module, so that the program needs no MPI unless it runs as
// several ranks.

#include "app/mpi/mpi_ranks.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>

namespace ks {
namespace {

/// A message starts with its head: its length, and as much of it as MPI sends without waiting for the
/// receiver. The rest follows in pieces whose length fits an int.
constexpr int head_tag = 1, piece_tag = 2;
constexpr std::size_t head_bytes = 1024, length_bytes = sizeof(std::uint64_t),
                      in_head = head_bytes - length_bytes, piece_bytes = std::size_t{1} << 28;

/// Bytes in transit from or to one rank.
struct Transfer {
    std::vector<std::byte> head, bytes;
    std::vector<MPI_Request> requests;

    bool is_over() {
        int over = 0;
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &over, MPI_STATUSES_IGNORE);
        return over != 0;
    }
    /// Starts send(bytes, count) for each piece after the head.
    template <class Begin>
    void begin_pieces(const Begin& begin) {
        for (std::size_t at = in_head; at < bytes.size(); at += piece_bytes) {
            const std::size_t count = std::min(piece_bytes, bytes.size() - at);
            begin(bytes.data() + at, static_cast<int>(count), &requests.emplace_back());
        }
    }
};

class MpiRanks final : public Ranks {
  public:
    MpiRanks() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm node = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
        MPI_Comm_rank(node, &local_rank_);
        MPI_Comm_free(&node);
        std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
        int length = 0;
        MPI_Get_processor_name(name.data(), &length);
        host_.assign(name.data(), static_cast<std::size_t>(length));
        coming_.resize(size());
    }

    std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
    std::size_t size() const override { return static_cast<std::size_t>(size_); }
    std::string host() const override { return host_; }
    std::size_t local_rank() const override { return static_cast<std::size_t>(local_rank_); }

    void send(std::size_t to, std::vector<std::byte> bytes) override {
        leaving_.push_back(std::make_unique<Transfer>());
        Transfer& one = *leaving_.back();
        one.bytes = std::move(bytes);
        const std::uint64_t length = one.bytes.size();
        one.head.resize(length_bytes + std::min(in_head, one.bytes.size()));
        std::memcpy(one.head.data(), &length, length_bytes);
        std::memcpy(one.head.data() + length_bytes, one.bytes.data(), one.head.size() - length_bytes);
        const int whom = static_cast<int>(to);
        MPI_Isend(one.head.data(), static_cast<int>(one.head.size()), MPI_BYTE, whom, head_tag,
                  MPI_COMM_WORLD, &one.requests.emplace_back());
        one.begin_pieces([whom](const std::byte* from, int count, MPI_Request* request) {
            MPI_Isend(from, count, MPI_BYTE, whom, piece_tag, MPI_COMM_WORLD, request);
        });
    }

    std::optional<RankBytes> received() override {
        forget_sent();
        while (take_head()) {
        }
        for (std::size_t from = 0; from < size(); ++from) {
            auto& queue = coming_[from];
            if (queue.empty() || !queue.front()->is_over()) continue;
            RankBytes got{from, std::move(queue.front()->bytes)};
            queue.pop_front();
            return got;
        }
        return std::nullopt;
    }

    bool is_sending() override {
        forget_sent();
        return !leaving_.empty();
    }

    void leave() override { MPI_Finalize(); }
    [[noreturn]] void abort(int exit_code) override {
        MPI_Abort(MPI_COMM_WORLD, exit_code);
        std::abort();
    }

  private:
    void forget_sent() {
        std::erase_if(leaving_, [](const auto& one) { return one->is_over(); });
    }

    /// From any rank; starts to receive what follows it.
    bool take_head() {
        int found = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        MPI_Improbe(MPI_ANY_SOURCE, head_tag, MPI_COMM_WORLD, &found, &message, &status);
        if (found == 0) return false;
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        auto one = std::make_unique<Transfer>();
        one->head.resize(static_cast<std::size_t>(count));
        MPI_Mrecv(one->head.data(), count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
        std::uint64_t length = 0;
        std::memcpy(&length, one->head.data(), length_bytes);
        one->bytes.resize(length);
        std::memcpy(one->bytes.data(), one->head.data() + length_bytes, one->head.size() - length_bytes);
        const int whom = status.MPI_SOURCE;
        one->begin_pieces([whom](std::byte* to, int bytes, MPI_Request* request) {
            MPI_Irecv(to, bytes, MPI_BYTE, whom, piece_tag, MPI_COMM_WORLD, request);
        });
        coming_[static_cast<std::size_t>(whom)].push_back(std::move(one));
        return true;
    }

    int rank_ = 0, size_ = 1, local_rank_ = 0;
    std::string host_;
    std::vector<std::unique_ptr<Transfer>> leaving_;
    std::vector<std::deque<std::unique_ptr<Transfer>>> coming_;  ///< by rank
};

}  // namespace
}  // namespace ks

extern "C" ks::Ranks* kernelscope_start_ranks(int interface) {
    if (interface != ks::rank_interface) return nullptr;
    int got = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &got) != MPI_SUCCESS) return nullptr;
    static ks::MpiRanks ranks;
    return &ranks;
}
