// The content of files that are compressed as a whole.

#include "core/io/files/file_content.h"

#include <bzlib.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"
#include "tests/frame_samples.h"

namespace ks::tests::compressed {
namespace {

using io::FileContent;

std::string gzipped(const std::string& text) {
    z_stream stream = {};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<unsigned>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<unsigned>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string bzipped(std::string text) {
    std::string packed(text.size() + text.size() / 50 + 1000, '\0');
    auto length = static_cast<unsigned>(packed.size());
    EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &length, text.data(),
                                       static_cast<unsigned>(text.size()), 9, 0, 0),
              BZ_OK);
    packed.resize(length);
    return packed;
}

struct Compression {
    const char* name;
    std::string (*pack)(std::string);
};
const Compression compressions[] = {{"gzip", [](std::string text) { return gzipped(text); }},
                                    {"bzip2", bzipped}};

/// Words that compress to a third or so.
std::string some_text(std::size_t bytes) {
    std::mt19937 random(7);
    std::string text;
    while (text.size() < bytes) text += std::to_string(random() % 4096) + ' ';
    text.resize(bytes);
    return text;
}

class Content : public IoTest {
  protected:
    std::string file(const std::string& bytes) const {
        write_bytes(at("x"), bytes);
        return at("x");
    }
    static std::string whole_error(const std::string& name, const io::ContentLimits& limits = {}) {
        return input_error([&] { FileContent(name, limits).require_whole(); });
    }
};

TEST_F(Content, any_part_in_any_order_whether_or_not_it_is_kept) {
    const std::string text = some_text(700'000);
    for (const Compression& compression : compressions)
        for (const std::uint64_t kept : {std::uint64_t{0}, std::uint64_t{300'000}, std::uint64_t{1} << 30}) {
            SCOPED_TRACE(std::string(compression.name) + " " + std::to_string(kept));
            const std::size_t half = 400'000;
            FileContent content(
                file(compression.pack(text.substr(0, half)) + compression.pack(text.substr(half))),
                {.kept = kept, .spacing = 50'000});
            EXPECT_EQ(content.compression(), compression.name);
            std::mt19937 random(11);
            const int reads = compression.name == std::string("gzip") ? 60 : 12;
            for (int i = 0; i < reads; ++i) {
                const std::size_t from = random() % (text.size() + 100), count = random() % 120'000;
                EXPECT_EQ(content.peek(from, count), from < text.size() ? text.substr(from, count) : "")
                    << from;
            }
            EXPECT_EQ(content.available(text.size() - 5, 100), 5U);
            EXPECT_EQ(content.available(text.size() + 5, 100), 0U);
            EXPECT_EQ(content.available(3, 100), 100U);
            std::string last(7, ' ');
            content.read(text.size() - 7, std::as_writable_bytes(std::span(last)), "x");
            EXPECT_EQ(last, text.substr(text.size() - 7));
            EXPECT_TRUE(contains(input_error([&] {
                                     content.read(text.size() - 6, std::as_writable_bytes(std::span(last)),
                                                  "me");
                                 }),
                                 {"me", "truncated"}));
        }
}

TEST_F(Content, several_threads_read_the_same) {
    const std::string text = some_text(400'000);
    FileContent content(file(gzipped(text)), {.kept = 0, .spacing = 30'000});
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, 0);
    for (unsigned t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            std::mt19937 random(t);
            for (int i = 0; i < 20; ++i) {
                const std::size_t from = random() % text.size();
                if (content.peek(from, 5000) != text.substr(from, 5000)) ++wrong[t];
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST_F(Content, a_damaged_or_cut_file_is_one_sentence) {
    const std::string text = some_text(300'000);
    for (const Compression& compression : compressions) {
        SCOPED_TRACE(compression.name);
        const std::string whole = compression.pack(text), name = compression.name;
        FileContent(file(whole)).require_whole();
        for (const std::size_t length : {std::size_t{4}, std::size_t{9}, whole.size() / 2, whole.size() - 1})
            EXPECT_TRUE(contains(whole_error(file(whole.substr(0, length))),
                                 {at("x"), "the " + name + " data end early", "the file is cut"}));
        std::string damaged = whole;
        for (std::size_t i = whole.size() / 2; i < whole.size() / 2 + 40; ++i)
            damaged[i] = static_cast<char>(~damaged[i]);
        EXPECT_TRUE(contains(whole_error(file(damaged)), {at("x"), "the " + name + " data are damaged"}));
        damaged = whole;
        damaged[whole.size() - 6] = static_cast<char>(~damaged[whole.size() - 6]);  // of the check sum
        EXPECT_TRUE(contains(whole_error(file(damaged)), {"the " + name + " data"}));
        EXPECT_TRUE(contains(whole_error(file(whole + "tail")),
                             {"expected the end of the " + name + " data, found other bytes"}));
        FileContent(file(whole + std::string(5000, '\0'))).require_whole();
        EXPECT_TRUE(contains(whole_error(file(whole), {.largest = 299'999}),
                             {"expected at most 299999 bytes of decompressed content, found more"}));
        FileContent(file(whole), {.largest = 300'000}).require_whole();
    }
}

TEST_F(Content, frames_in_a_damaged_file_are_refused_with_that_sentence) {
    write_cbf_sample(at("a.cbf"), varied_stack(ElementType::i32, {90, 70}));
    write_edf_sample(at("a.edf"), varied_stack(ElementType::u16, {5, 90, 70}));
    for (const char* leaf : {"a.cbf", "a.edf"})
        for (const Compression& compression : compressions) {
            const std::string suffix = compression.name == std::string("gzip") ? ".gz" : ".bz2",
                              name = at(leaf + suffix), whole = compression.pack(read_bytes(at(leaf)));
            SCOPED_TRACE(name);
            write_bytes(name, whole);
            EXPECT_TRUE(contains(io::describe(name), {compression.name, "90 x 70"}));
            for (const std::size_t length : {whole.size() / 2, whole.size() - 1}) {
                write_bytes(name, whole.substr(0, length));
                EXPECT_TRUE(contains(input_error([&] { io::open_frames(name); }),
                                     {name, std::string(compression.name) + " data end early", "cut"}));
            }
        }
    // An image that ends early in a file that does not.
    const std::string edf = read_bytes(at("a.edf"));
    write_bytes(at("a.edf.gz"), gzipped(edf.substr(0, edf.size() - 3)));
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("a.edf.gz")); }),
                         {"image 4", "12600 bytes for 90 x 70 pixels, found 12597"}));
}

TEST_F(Content, a_series_of_compressed_files_is_one_stack) {
    for (int i = 0; i < 3; ++i) {
        const Array image = Array::of<std::int32_t>({2, 2}, {i, 10 * i, -i, 7});
        write_cbf_sample(at("one.cbf"), image);
        write_bytes(at("img_" + std::to_string(i) + ".cbf.gz"), gzipped(read_bytes(at("one.cbf"))));
    }
    fs::remove(at("one.cbf"));
    for (const std::string& name : {at("img_#.cbf.gz"), folder.string()}) {
        const auto series = io::open_frames(name);
        ASSERT_EQ(series->frames(), 3U) << name;
        Array frame(ElementType::i32, {2, 2});
        series->read(2, 1, frame.bytes());
        EXPECT_EQ(frame.to_doubles(), (std::vector<double>{2, 20, -2, 7}));
    }
}

}  // namespace
}  // namespace ks::tests::compressed
