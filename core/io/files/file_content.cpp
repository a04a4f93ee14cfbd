#include "core/io/files/file_content.h"

#include <bzlib.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/files/descriptor.h"
#include "core/io/files/file_bytes.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t piece = std::size_t{1} << 16;  ///< of a compressed file, read at a time

/// Decompresses what one method has compressed. A file consists of one or several streams.
class Decoder {
  public:
    struct Step {
        std::size_t consumed = 0, produced = 0;
        bool ended = false;    ///< the stream
        bool damaged = false;  ///< its bytes are not those of a stream, or its check sum is wrong
    };
    Decoder() = default;
    virtual ~Decoder() = default;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    virtual Step step(std::span<const std::byte> from, std::span<std::byte> into) = 0;
    /// Before the first byte of a stream.
    virtual void restart() = 0;
    /// In the same state; null if the method cannot do that.
    virtual std::unique_ptr<Decoder> copy() const = 0;
};

unsigned length_of(std::size_t bytes) {
    return static_cast<unsigned>(std::min<std::size_t>(bytes, std::numeric_limits<unsigned>::max()));
}

class GzipDecoder : public Decoder {
  public:
    GzipDecoder() {
        // 16: with the header and the check sum of gzip
        if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    ~GzipDecoder() override { inflateEnd(&stream_); }

    Step step(std::span<const std::byte> from, std::span<std::byte> into) override {
        // zlib does not change its input, but declares it so.
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(from.data()));
        stream_.avail_in = length_of(from.size());
        stream_.next_out = reinterpret_cast<Bytef*>(into.data());
        stream_.avail_out = length_of(into.size());
        const unsigned in = stream_.avail_in, out = stream_.avail_out;
        const int code = inflate(&stream_, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR) throw std::bad_alloc();
        return {in - stream_.avail_in, out - stream_.avail_out, code == Z_STREAM_END,
                code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR};
    }
    void restart() override { inflateReset(&stream_); }
    std::unique_ptr<Decoder> copy() const override {
        return std::unique_ptr<Decoder>(new GzipDecoder(const_cast<z_stream*>(&stream_)));
    }

  private:
    explicit GzipDecoder(z_stream* other) {
        if (inflateCopy(&stream_, other) != Z_OK) throw std::bad_alloc();
    }
    z_stream stream_ = {};
};

class Bzip2Decoder : public Decoder {
  public:
    Bzip2Decoder() { start(); }
    ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }

    Step step(std::span<const std::byte> from, std::span<std::byte> into) override {
        stream_.next_in = const_cast<char*>(reinterpret_cast<const char*>(from.data()));
        stream_.avail_in = length_of(from.size());
        stream_.next_out = reinterpret_cast<char*>(into.data());
        stream_.avail_out = length_of(into.size());
        const unsigned in = stream_.avail_in, out = stream_.avail_out;
        const int code = BZ2_bzDecompress(&stream_);
        if (code == BZ_MEM_ERROR) throw std::bad_alloc();
        return {in - stream_.avail_in, out - stream_.avail_out, code == BZ_STREAM_END,
                code != BZ_OK && code != BZ_STREAM_END};
    }
    void restart() override {
        BZ2_bzDecompressEnd(&stream_);
        start();
    }
    std::unique_ptr<Decoder> copy() const override { return nullptr; }

  private:
    void start() {
        stream_ = {};
        if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    }
    bz_stream stream_ = {};
};

struct Method {
    const char* name;
    std::string_view magic;
    std::unique_ptr<Decoder> (*decoder)();
};
template <class T>
std::unique_ptr<Decoder> make_decoder() {
    return std::make_unique<T>();
}
constexpr Method methods[] = {{"gzip", "\x1f\x8b\x08", make_decoder<GzipDecoder>},
                              {"bzip2", "BZh", make_decoder<Bzip2Decoder>}};

const Method* method_of(std::string_view start) {
    const auto found =
        std::ranges::find_if(methods, [&](const Method& method) { return start.starts_with(method.magic); });
    return found == std::end(methods) ? nullptr : found;
}

}  // namespace

class FileContent::Compressed {
  public:
    Compressed(const fs::path& file, const Method& method, const ContentLimits& limits)
        : file_(file), method_(method), limits_(limits) {
        rewind();
    }

    const Method& method() const { return method_; }

    /// Copies bytes from `at` on. Returns how many there are.
    std::size_t read(std::uint64_t at, std::span<std::byte> into) {
        const std::scoped_lock lock(mutex_);
        if (keeps_ && !ended_ && at + into.size() > kept_.size()) pass_to(at + into.size());
        if (keeps_) {
            const std::uint64_t from = std::min<std::uint64_t>(at, kept_.size());
            const std::size_t count = std::min<std::size_t>(into.size(), kept_.size() - from);
            std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(from), count, into.begin());
            return count;
        }
        if (ended_ && at >= length_) return 0;
        go_to(at);
        return at_ < at ? 0 : decode(into);
    }

    /// Decompresses up to `end`, or up to the end of the content. Returns how far.
    std::uint64_t reach(std::uint64_t end) {
        const std::scoped_lock lock(mutex_);
        if (ended_) return std::min(end, length_);
        if (end <= farthest_) return end;
        if (!keeps_) go_to(farthest_);
        pass_to(end);
        return std::min(end, farthest_);
    }

  private:
    struct Checkpoint {
        std::uint64_t at;             ///< in the content
        std::uint64_t compressed_at;  ///< in the file
        std::unique_ptr<Decoder> decoder;
    };

    void rewind() {
        decoder_ = method_.decoder();
        at_ = compressed_at_ = 0;
        between_ = true;
        first_ = true;
    }

    /// To a place in the content, or to its end.
    void go_to(std::uint64_t at) {
        const auto next = std::ranges::upper_bound(checkpoints_, at, {}, &Checkpoint::at);
        const Checkpoint* const nearest = next == checkpoints_.begin() ? nullptr : &*(next - 1);
        if (at < at_ || (nearest != nullptr && nearest->at > at_)) {
            if (nearest == nullptr) {
                rewind();
            } else {
                decoder_ = nearest->decoder->copy();
                at_ = nearest->at;
                compressed_at_ = nearest->compressed_at;
                between_ = first_ = false;
            }
        }
        pass_to(at);
    }

    void pass_to(std::uint64_t end) {
        std::vector<std::byte> passed(piece);
        while (at_ < end) {
            const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece, end - at_));
            if (decode(std::span(passed).first(wanted)) < wanted) break;
        }
    }

    Error wrong(const std::string& message, const std::string& hint = {}) const {
        return Error(ErrorKind::input, message, file_.string(), hint);
    }

    /// The next bytes of the content. Returns how many there are.
    std::size_t decode(std::span<std::byte> into) {
        const Descriptor file(file_);
        if (file.number() < 0)
            throw wrong(std::string("the file can no longer be opened: ") + std::strerror(errno));
        std::vector<std::byte> buffer(piece);
        std::span<const std::byte> input;
        bool all_read = false;
        std::size_t done = 0;
        while (done < into.size()) {
            if (input.empty() && !all_read) {
                const std::optional<std::size_t> got = read_at(file.number(), compressed_at_, buffer);
                if (!got) throw wrong(std::string("reading failed: ") + std::strerror(errno));
                input = std::span(buffer).first(*got);
                all_read = *got < piece;
            }
            if (between_ && !next_stream(input, all_read)) {
                if (input.empty() && !all_read) continue;
                note_end();
                break;
            }
            const Decoder::Step step = decoder_->step(input, into.subspan(done));
            input = input.subspan(step.consumed);
            compressed_at_ += step.consumed;
            note(into.subspan(done, step.produced));
            done += step.produced;
            if (step.damaged)
                throw wrong(
                    fmt::format("the {} data are damaged behind {} bytes of the content", method_.name, at_));
            if (step.ended) {
                between_ = true;
            } else if (step.produced == 0 && input.empty() && all_read) {
                throw wrong(
                    fmt::format("the {} data end early, behind {} bytes of the content: the file is cut",
                                method_.name, at_));
            }
        }
        return done;
    }

    /// Whether another stream begins. Zeros behind a stream are padding.
    bool next_stream(std::span<const std::byte>& input, bool all_read) {
        while (!first_ && !input.empty() && input.front() == std::byte{0}) {
            input = input.subspan(1);
            ++compressed_at_;
        }
        if (input.empty()) {
            if (first_ && all_read) throw wrong(fmt::format("expected {} data, found none", method_.name));
            return false;
        }
        if (!first_) {
            const auto byte = static_cast<char>(input.front());
            if (byte != method_.magic.front())
                throw wrong(fmt::format("expected the end of the {} data, found other bytes", method_.name));
            decoder_->restart();
        }
        between_ = first_ = false;
        return true;
    }

    /// Bytes that follow the others.
    void note(std::span<const std::byte> bytes) {
        const bool is_new = at_ == farthest_;
        at_ += bytes.size();
        if (at_ > limits_.largest)
            throw wrong(
                fmt::format("expected at most {} bytes of decompressed content, found more", limits_.largest),
                fmt::format("decompress the file with {}",
                            method_.name == std::string_view("gzip") ? "gunzip" : "bunzip2"));
        farthest_ = std::max(farthest_, at_);
        if (!is_new) return;
        if (keeps_ && at_ <= limits_.kept) {
            kept_.insert(kept_.end(), bytes.begin(), bytes.end());
        } else if (keeps_) {
            keeps_ = false;
            kept_ = {};
        }
        if (at_ >= (checkpoints_.empty() ? 0 : checkpoints_.back().at) + limits_.spacing)
            if (std::unique_ptr<Decoder> copy = decoder_->copy())
                checkpoints_.push_back({at_, compressed_at_, std::move(copy)});
    }

    void note_end() {
        ended_ = true;
        length_ = at_;
    }

    const fs::path& file_;
    const Method& method_;
    ContentLimits limits_;
    std::mutex mutex_;

    std::unique_ptr<Decoder> decoder_;
    std::uint64_t at_ = 0;             ///< in the content
    std::uint64_t compressed_at_ = 0;  ///< in the file
    bool between_ = true;              ///< two streams, or before the first
    bool first_ = true;                ///< no stream has begun

    std::uint64_t farthest_ = 0;  ///< decompressed so far
    bool ended_ = false;          ///< the length is known
    std::uint64_t length_ = 0;
    bool keeps_ = true;
    std::vector<std::byte> kept_;  ///< from the beginning on
    std::vector<Checkpoint> checkpoints_;
};

FileContent::FileContent(fs::path file, const ContentLimits& limits) : file_(std::move(file)) {
    if (const Method* const method = method_of(peek_bytes(file_, 0, 3)))
        compressed_ = std::make_unique<Compressed>(file_, *method, limits);
}
FileContent::~FileContent() = default;

const fs::path& FileContent::file() const {
    return file_;
}

std::string FileContent::compression() const {
    return compressed_ ? compressed_->method().name : "";
}

std::string FileContent::peek(std::uint64_t at, std::size_t count) {
    if (!compressed_) return peek_bytes(file_, at, count);
    std::string bytes(count, '\0');
    bytes.resize(compressed_->read(at, std::as_writable_bytes(std::span(bytes))));
    return bytes;
}

void FileContent::read(std::uint64_t at, std::span<std::byte> into, const std::string& shown) {
    if (!compressed_) return read_bytes_at(file_, at, into, shown);
    if (compressed_->read(at, into) < into.size())
        throw Error(ErrorKind::input, "the file is truncated: its content ends within the frames", shown);
}

std::uint64_t FileContent::available(std::uint64_t at, std::uint64_t count) {
    std::uint64_t end = 0;
    if (compressed_) {
        end = compressed_->reach(at > std::numeric_limits<std::uint64_t>::max() - count
                                     ? std::numeric_limits<std::uint64_t>::max()
                                     : at + count);
    } else {
        std::error_code failure;
        end = fs::file_size(file_, failure);
        if (failure) return 0;
    }
    return end < at ? 0 : std::min(count, end - at);
}

void FileContent::require_whole() {
    if (compressed_) compressed_->reach(std::numeric_limits<std::uint64_t>::max());
}

std::string content_start(const fs::path& file, std::size_t count) {
    const std::string bytes = peek_bytes(file, 0, count);
    if (method_of(bytes) == nullptr) return bytes;
    try {
        return FileContent(file).peek(0, count);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace ks::io
