#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/printable.h"
#include "core/wire/wire.h"

namespace ks {
namespace {

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

/// What a reader of our JSON does to get a name back.
std::string bytes_of(const std::string& text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x') {
            bytes += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
            i += 3;
        } else {
            bytes += text[i];
        }
    }
    return bytes;
}

TEST(JsonText, NestedDeeperThan64IsRefused) {
    EXPECT_NO_THROW(parse_json(nested(64)));
    EXPECT_THROW(parse_json(nested(65)), Error);
    EXPECT_THROW(parse_json(nested(60000)), Error);
    std::string objects = "1";
    for (int i = 0; i < 65; ++i) objects = "{\"a\":" + objects + "}";
    EXPECT_THROW(parse_json(objects), Error);
    EXPECT_TRUE(try_parse_json(nested(65)).is_discarded());
    EXPECT_FALSE(try_parse_json(nested(64)).is_discarded());
}

TEST(JsonText, BracketsInTextsDoNotCount) {
    const std::string text = "[\"" + std::string(100, '[') + "\\\"" + std::string(100, '{') + "\"]";
    EXPECT_EQ(parse_json(text).at(0).get<std::string>(),
              std::string(100, '[') + "\"" + std::string(100, '{'));
    EXPECT_NO_THROW(parse_json("[" + nested(63) + "," + nested(63) + "]"));
}

TEST(JsonText, WhatIsNoJsonIsTheParsersToRefuse) {
    EXPECT_THROW(parse_json("]]]"), nlohmann::json::parse_error);
    EXPECT_TRUE(try_parse_json("{").is_discarded());
}

TEST(JsonText, AMessageToTheWorkerIsNoException) {
    // A list in a list ... as CBOR, under the key "a".
    const std::string deep =
        "\xa2\x64type\x63run\x61"
        "a" +
        std::string(60000, '\x81') + "\x01";
    std::string text = "KSWIRE02";
    for (std::size_t i = 0; i < 4; ++i) text += static_cast<char>(deep.size() >> (8 * i) & 0xff);
    text += std::string(4, '\0') + deep;
    wire::Decoder decoder;
    decoder.feed({reinterpret_cast<const std::byte*>(text.data()), text.size()});
    EXPECT_THROW(decoder.next(), Error);
}

TEST(JsonText, BytesThatAreNoUtf8CanBeGotBack) {
    for (const std::string name : {"plain", "\xc3\xa4.h5", "\xff.h5", "a\x80z", "\\xff", "\\x",
                                   "\xed\xa0\x80", "\xc3", "C:\\x41\xfe"}) {
        const std::string text = dump_json({{"name", name}, {name, 1}});
        const auto back = nlohmann::json::parse(text);
        EXPECT_EQ(bytes_of(back.at("name").get<std::string>()), name) << text;
        const nlohmann::json bytes = with_bytes(back);
        EXPECT_EQ(bytes.at("name").get<std::string>(), name) << text;
        EXPECT_EQ(bytes.at(name), 1) << text;
    }
    EXPECT_EQ(dump_json("\xff.h5"), R"("\\xff.h5")");
    EXPECT_EQ(dump_json("\xc3\xa4"), "\"\xc3\xa4\"");
    EXPECT_EQ(dump_json(nlohmann::json{{"a", {1, 2}}}, 1), "{\n \"a\": [\n  1,\n  2\n ]\n}");
}

TEST(JsonText, WhatIsReadBackAsItIsNeverThrows) {
    EXPECT_EQ(dump_json_replacing({{"name", "f\xf6r"}}), "{\"name\":\"f\xef\xbf\xbdr\"}");
    for (const std::string text : {"plain \\x41", "\xc3\xa4", "\x7f\n"})
        EXPECT_EQ(nlohmann::json::parse(dump_json_replacing(text)).get<std::string>(), text);
}

TEST(JsonText, NoControlCharacterIsLeft) {
    EXPECT_EQ(dump_json("\x1b[2J\xc2\x9b\x7f"), R"("\u001b[2J\u009b\u007f")");
}

TEST(Printable, ControlCharactersAreEscaped) {
    EXPECT_EQ(printable("plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"),
              "plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
    EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
    EXPECT_EQ(printable("a\nb\tc\rd"), "a\\x0ab\\x09c\\x0dd");
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\x7f\xc2\x9b\xc2\xa0"), "\\x7f\\xc2\\x9b\xc2\xa0");
    EXPECT_EQ(printable("\x9b\xff\xc0\xaf"), "\\x9b\\xff\\xc0\\xaf");
    EXPECT_EQ(printable_lines("a\n\tb\x1b"), "a\n\tb\\x1b");
}

TEST(Printable, AtMostTenCandidatesInASentence) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({"a", "b"}), "a, b");
    std::vector<std::string> names;
    for (int i = 0; i < 44; ++i) names.push_back(std::to_string(i));
    EXPECT_EQ(listed(names), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 34 more");
    EXPECT_EQ(listed(names, 1), "0 and 43 more");
    EXPECT_EQ(listed(names, 2, "\n"), "0\n1\nand 42 more");
    names.resize(10);
    EXPECT_EQ(listed(names), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9");
}

}  // namespace
}  // namespace ks
