#include "core/run/errors/wrong_result.h"
#include "core/wire/wire.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/core/run/fake_analysis.h"

namespace {

using namespace ks;
using wire::Message;

constexpr double inf = std::numeric_limits<double>::infinity();

Message sent(const Message& message) {
    wire::Decoder decoder;
    decoder.feed(wire::encode(message));
    auto got = decoder.next();
    EXPECT_TRUE(got.has_value());
    EXPECT_FALSE(decoder.next().has_value());
    return got.value_or(Message{});
}

Run sample_run() {
    auto counts = std::make_shared<fake::Counts>();
    Engine engine = fake::engine(counts);
    Progress progress;
    Request request = fake::request("plain");
    request.defines = {{"TILE", "32"}};
    request.memory_limit = std::numeric_limits<std::uint64_t>::max();
    request.check = CheckMode::sample;
    ks::Run run = engine.run(request, progress);
    run.result.datasets.push_back(
        {.name = "g2",
         .title = "g2",
         .unit = "1",
         .kind = DataKind::image,
         .values = Array::of<double>({2, 2}, std::vector<double>{1, std::nan(""), inf, -0.0}),
         .axes = {"delay", ""},
         .errors = "g2_err"});
    run.result.facts = {{"pixels", 12}, {"rate", std::nan("")}, {"list", {1.5, -inf}}, {"word", "nan"}};
    run.result.warnings = {"amber"};
    run.builds = {{"a.cl", "-DTILE=32", "warning: x", false, "disk"}};
    run.verdict.worst_error = std::nan("");
    run.verdict.tolerance = inf;
    run.variant.tolerances = {{"g2", 1e-6}};
    run.variant.constraints = {true, 4096, {"cl_khr_fp64"}};
    run.variant.streaming = Streaming::time_slabs;
    run.device.extensions = {"cl_khr_fp64", "cl_khr_fp16"};
    run.device.global_bytes = 1ULL << 40;
    return run;
}

TEST(Wire, TheFrameIsAsDocumented) {
    Message message;
    message.header["type"] = "x";
    message.blobs = {{std::byte{7}, std::byte{8}}, {}};
    const auto bytes = wire::encode(message);
    const std::string header = "\xa1\x64type\x61x";  // CBOR: a map of one, a text of 4 bytes, a text of 1
    std::string expected = "KSWIRE02";
    expected += std::string{static_cast<char>(header.size()), 0, 0, 0, 2, 0, 0, 0};
    expected += std::string{2, 0, 0, 0, 0, 0, 0, 0} + std::string(8, '\0');
    expected += header + "\x07\x08";
    ASSERT_EQ(bytes.size(), expected.size());
    EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), expected.size()), 0);
}

TEST(Wire, MessagesComeWholeHoweverTheBytesAreCut) {
    Message a, b;
    a.header["type"] = "a";
    a.blobs = {std::vector<std::byte>(1000, std::byte{1})};
    b.header["type"] = "b";
    auto bytes = wire::encode(a);
    const auto more = wire::encode(b);
    bytes.insert(bytes.end(), more.begin(), more.end());
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
        wire::Decoder decoder;
        std::vector<Message> got;
        for (std::size_t at = 0; at < bytes.size(); at += step) {
            decoder.feed(std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
            while (auto message = decoder.next()) got.push_back(std::move(*message));
        }
        ASSERT_EQ(got.size(), 2U);
        EXPECT_EQ(got[0].type(), "a");
        EXPECT_EQ(got[0].blobs, a.blobs);
        EXPECT_EQ(got[1].type(), "b");
    }
}

TEST(Wire, ARunComesBackTheSame) {
    const ks::Run run = sample_run();
    Message message;
    message.header["run"] = ks::to_json(run, &message.blobs);
    const Message got = sent(message);
    const ks::Run back = ks::from_json<ks::Run>(got.header.at("run"), "a run", &got.blobs);

    Message again;
    again.header["run"] = ks::to_json(back, &again.blobs);
    EXPECT_EQ(wire::encode(again), wire::encode(message));
    const auto values = back.result.at("g2").values.as<double>();
    EXPECT_TRUE(std::isnan(values[1]));
    EXPECT_EQ(values[2], inf);
    EXPECT_TRUE(std::signbit(values[3]));
    EXPECT_TRUE(std::isnan(back.verdict.worst_error.value()));
    EXPECT_EQ(back.verdict.tolerance, inf);
    EXPECT_EQ(back.verdict.state, Verdict::State::sampled);
    EXPECT_TRUE(std::isnan(back.result.facts.at("rate").get<double>()));
    EXPECT_EQ(back.result.facts.at("list")[1].get<double>(), -inf);
    EXPECT_EQ(back.result.facts.at("word"), "nan");
    EXPECT_EQ(back.request.inputs, run.request.inputs);
    EXPECT_EQ(back.request.parameters, run.request.parameters);
    EXPECT_EQ(back.request.memory_limit, run.request.memory_limit);
    EXPECT_EQ(back.request.check, CheckMode::sample);
    EXPECT_EQ(back.variant.streaming, Streaming::time_slabs);
    EXPECT_EQ(back.variant.defines[0].allowed, run.variant.defines[0].allowed);
    EXPECT_EQ(back.device.name, run.device.name);
    EXPECT_EQ(back.timings.size(), run.timings.size());
    EXPECT_EQ(back.builds[0].log, "warning: x");
    EXPECT_EQ(back.wall_nanoseconds, run.wall_nanoseconds);
}

TEST(Wire, ArraysOfEveryTypeAndShapeComeBack) {
    using enum ElementType;
    for (const ElementType type : {u8, u16, u32, u64, i16, i32, i64, f32, f64})
        for (const std::vector<std::size_t>& shape :
             {std::vector<std::size_t>{}, {0}, {3}, {2, 0, 4}, {2, 3, 4}}) {
            Array array(type, shape);
            unsigned char next = 1;
            for (std::byte& byte : array.bytes()) byte = std::byte{next++};
            Message message;
            message.blobs.resize(1);
            message.header["a"] = ks::JsonWriter(&message.blobs).write(array);
            const Message got = sent(message);
            EXPECT_EQ(ks::from_json<ks::Array>(got.header.at("a"), "an array", &got.blobs), array);
        }
}

TEST(Wire, AnArrayThatDoesNotFitItsBlobIsRefused) {
    Message message;
    message.blobs = {std::vector<std::byte>(16)};
    const auto refused = [&](const char* text) {
        try {
            ks::from_json<ks::Array>(nlohmann::json::parse(text), "an array", &message.blobs);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::run) << text;
        }
    };
    EXPECT_EQ(ks::from_json<ks::Array>(nlohmann::json::parse(R"({"blob":0,"type":"f64","shape":[2]})"),
                                       "an array", &message.blobs)
                  .size(),
              2U);
    refused(R"({"blob":1,"type":"f64","shape":[2]})");
    refused(R"({"blob":-1,"type":"f64","shape":[2]})");
    refused(R"({"blob":0,"type":"f64","shape":[3]})");
    refused(R"({"blob":0,"type":"f64","shape":[-2]})");
    refused(R"({"blob":0,"type":"f16","shape":[8]})");
    refused(R"({"blob":0,"type":"u8","shape":[4294967296,4294967296,16]})");
    refused(R"({"blob":0,"type":"u8","shape":[18446744073709551615,0]})");
    refused(R"({"blob":0,"type":"u8"})");
    refused(R"([])");
}

TEST(Wire, ErrorsKeepTheirParts) {
    const Error error(ErrorKind::build, "did not build", "a.cl", "see the log", "line 1\nline 2");
    const Error back = wire::error_from(nlohmann::json::parse(wire::to_json(error).dump()));
    EXPECT_EQ(back.kind(), ErrorKind::build);
    EXPECT_STREQ(back.what(), error.what());
    EXPECT_EQ(back.where(), "a.cl");
    EXPECT_EQ(back.hint(), "see the log");
    EXPECT_EQ(back.details(), "line 1\nline 2");
}

TEST(Wire, an_error_tells_whether_the_result_was_wrong) {
    const auto sent_as = [](const Error& error) {
        return nlohmann::json::parse(wire::to_json(error).dump());
    };
    const nlohmann::json wrong = sent_as(WrongResult("the label 7 of digi 3 is not a valid label", "label")),
                         other = sent_as(Error(ErrorKind::run, "no memory", "device"));
    EXPECT_TRUE(wire::was_wrong_result(wrong));
    EXPECT_FALSE(wire::was_wrong_result(other));
    EXPECT_THROW(throw_received(wire::error_from(wrong), wire::was_wrong_result(wrong)), WrongResult);
    try {
        throw_received(wire::error_from(other), wire::was_wrong_result(other));
    } catch (const WrongResult&) {
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "device: no memory");
    }
}

TEST(Wire, text_that_is_not_utf8_arrives_unchanged) {
    Message message;
    message.header["type"] = "error";
    message.header["error"] = wire::to_json(Error(ErrorKind::input, "no such file", "/data/m\xe4ssig.h5"));
    const Message got = sent(message);
    EXPECT_EQ(wire::error_from(got.header.at("error")).where(), "/data/m\xe4ssig.h5");
}

TEST(Wire, TheCatalogueComesBackTheSame) {
    const Engine engine = fake::engine(std::make_shared<fake::Counts>());
    const auto json = ks::to_json(wire::catalogue_of(engine));
    const wire::Catalogue back = wire::catalogue_from(nlohmann::json::parse(json.dump()));
    EXPECT_EQ(ks::to_json(back), json);
    ASSERT_EQ(back.devices.size(), 3U);
    ASSERT_EQ(back.offers.at("sums").size(), 3U);
    EXPECT_EQ(back.offers.at("sums")[0][1].why_not, "it needs a GPU");
    EXPECT_EQ(back.analyses[0].inputs[0].forms, std::vector<std::string>{"list"});
    auto broken = json;
    broken["offers"]["sums"].erase(0);
    EXPECT_THROW(wire::catalogue_from(broken), Error);
}

std::vector<std::byte> frame(std::uint32_t header, std::uint32_t blobs, std::vector<std::uint64_t> lengths) {
    std::vector<std::byte> bytes(16 + 8 * lengths.size());
    std::memcpy(bytes.data(), "KSWIRE02", 8);
    std::memcpy(bytes.data() + 8, &header, 4);
    std::memcpy(bytes.data() + 12, &blobs, 4);
    if (!lengths.empty()) std::memcpy(bytes.data() + 16, lengths.data(), 8 * lengths.size());
    return bytes;
}

TEST(Wire, AbsurdLengthsAreRefusedBeforeTheyAreWaitedFor) {
    const std::uint64_t gib = 1ULL << 30;
    for (const auto& bytes :
         {frame((64U << 20) + 1, 0, {}), frame(2, 100001, {}), frame(2, 1, {16 * gib + 1}),
          frame(2, 2, {9 * gib, 9 * gib}), frame(2, 2, {std::numeric_limits<std::uint64_t>::max(), 2})}) {
        wire::Decoder decoder;
        decoder.feed(bytes);
        EXPECT_THROW(decoder.next(), Error);
    }
    wire::Decoder decoder;
    decoder.feed(frame(64U << 20, 1, {16 * gib}));
    EXPECT_FALSE(decoder.next().has_value()) << "at the limit it waits, and takes no memory for it";
}

TEST(Wire, AWrongMarkOrHeaderIsRefused) {
    const auto refused = [](const std::string& text) {
        wire::Decoder decoder;
        decoder.feed(std::as_bytes(std::span(text)));
        EXPECT_THROW(decoder.next(), Error) << text;
    };
    refused("HTTP");
    refused("KSWIRE01");
    for (const std::string& header :
         {std::string("\x81\x01"),
          std::string("\xa1\x61"
                      "a"),
          std::string("\xa1\x64type\x03"), std::string(), std::string(60000, '\x81')}) {
        const auto start = frame(static_cast<std::uint32_t>(header.size()), 0, {});
        refused(std::string(reinterpret_cast<const char*>(start.data()), start.size()) + header);
    }
}

TEST(Wire, TruncatedMessagesWaitAndRandomBytesThrowOrWait) {
    const ks::Run run = sample_run();
    Message message;
    message.header["type"] = "run";
    message.header["run"] = ks::to_json(run, &message.blobs);
    const auto bytes = wire::encode(message);
    for (std::size_t length = 0; length < bytes.size(); length += 13) {
        wire::Decoder decoder;
        decoder.feed(std::span(bytes).first(length));
        EXPECT_FALSE(decoder.next().has_value());
    }
    std::mt19937 random(7);
    int read = 0, refused = 0;
    for (int round = 0; round < 3000; ++round) {
        auto changed = bytes;
        for (int flips = 0; flips < 1 + round % 3; ++flips)
            changed[random() % changed.size()] = static_cast<std::byte>(random() & 0xFF);
        wire::Decoder decoder;
        decoder.feed(changed);
        try {
            while (auto got = decoder.next()) {
                ks::from_json<ks::Run>(got->header.at("run"), "a run", &got->blobs);
                ++read;
            }
        } catch (const Error&) {
            ++refused;
        } catch (const nlohmann::json::exception&) {
            ++refused;  // of header.at() above
        }
    }
    EXPECT_GT(read, 0);
    EXPECT_GT(refused, 0);
}

}  // namespace
