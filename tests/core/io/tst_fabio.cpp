// CBF and EDF files that fabio wrote: pixel by pixel what fabio reads, and what it has of their headers.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/io/frame_format.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests::fabio {
namespace {

struct Answer {
    int code = 1;
    std::string text;
};

Answer answer_of(const std::string& command) {
    Answer answer;
    std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return answer;
    std::array<char, 4096> piece{};
    for (std::size_t n = 0; (n = fread(piece.data(), 1, piece.size(), pipe)) > 0;)
        answer.text.append(piece.data(), n);
    const int status = pclose(pipe);
    if (WIFEXITED(status)) answer.code = WEXITSTATUS(status);
    return answer;
}

/// A file that fabio wrote, and what it reads of it.
struct Written {
    std::string name;
    std::size_t frames = 0, height = 0, width = 0;
    std::map<std::string, double> numbers;  ///< of its header
};

class Fabio : public IoTest {
  protected:
    void SetUp() override {
        Answer answer;
        for (const char* python : {"python3", "/usr/bin/python3"}) {
            answer = answer_of(std::string(python) +
                               " '" KERNELSCOPE_SOURCE_DIR "/tests/core/io/fabio_frames.py' '" +
                               folder.string() + "'");
            if (answer.code == 0) break;
        }
        if (answer.code == 77 || answer.code == 127) GTEST_SKIP() << "no Python has fabio";
        ASSERT_EQ(answer.code, 0) << answer.text;
        std::istringstream lines(answer.text);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            Written one;
            ASSERT_TRUE(words >> one.name >> one.frames >> one.height >> one.width) << line;
            for (std::string word; words >> word;) {
                const std::size_t equals = word.find('=');
                ASSERT_NE(equals, std::string::npos) << line;
                one.numbers[word.substr(0, equals)] = std::stod(word.substr(equals + 1));
            }
            written.push_back(one);
        }
        ASSERT_GT(written.size(), 50U);
    }
    std::vector<double> read_by_fabio(const Written& one) const {
        const std::string bytes = read_bytes(at(one.name + ".raw"));
        std::vector<double> values(bytes.size() / sizeof(double));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
        return values;
    }

    std::vector<Written> written;
};

TEST_F(Fabio, every_pixel_is_what_it_reads) {
    for (const Written& one : written) {
        SCOPED_TRACE(one.name);
        const auto source = io::open_frames(at(one.name));
        ASSERT_EQ(source->frames(), one.frames);
        ASSERT_EQ(source->height(), one.height);
        ASSERT_EQ(source->width(), one.width);
        Array frames(source->type(), {one.frames, one.height, one.width});
        source->read(0, one.frames, frames.bytes());
        EXPECT_EQ(frames.to_doubles(), read_by_fabio(one));
        // The last one first: without those in front.
        Array last(source->type(), {one.height, one.width});
        io::open_frames(at(one.name))->read(one.frames - 1, 1, last.bytes());
        const std::vector<double> all = read_by_fabio(one);
        EXPECT_EQ(last.to_doubles(),
                  std::vector<double>(all.end() - static_cast<std::ptrdiff_t>(last.size()), all.end()));
    }
}

TEST_F(Fabio, headers_give_what_it_has_of_them) {
    std::size_t with_numbers = 0;
    for (const Written& one : written) {
        SCOPED_TRACE(one.name);
        const std::optional<Geometry> geometry = io::read_geometry(at(one.name));
        ASSERT_EQ(geometry.has_value(), one.numbers.contains("beam_x"));
        if (!geometry) continue;
        ++with_numbers;
        EXPECT_DOUBLE_EQ(geometry->beam_x, one.numbers.at("beam_x"));
        EXPECT_DOUBLE_EQ(geometry->beam_y, one.numbers.at("beam_y"));
        EXPECT_DOUBLE_EQ(geometry->pixel_size_x, 1e6 * one.numbers.at("pixel_x_m"));
        EXPECT_DOUBLE_EQ(geometry->pixel_size_y, 1e6 * one.numbers.at("pixel_y_m"));
        EXPECT_DOUBLE_EQ(geometry->distance, 1e3 * one.numbers.at("distance_m"));
        EXPECT_DOUBLE_EQ(geometry->wavelength, one.numbers.at("wavelength_A"));
        if (!one.numbers.contains("period_s")) continue;
        EXPECT_EQ(io::open_frames(at(one.name))->frame_time(), one.numbers.at("period_s"));
        const io::DataName name{at(one.name), {}};
        EXPECT_EQ(io::format_to_read(name).pixels(name).saturation, one.numbers.at("cutoff"));
    }
    EXPECT_GE(with_numbers, 3U);
}

}  // namespace
}  // namespace ks::tests::fabio
