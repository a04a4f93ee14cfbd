
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "core/io/digis/digi_file.h"
#include "core/io/files/atomic_file.h"
#include "core/io/frame_format.h"
#include "core/io/hdf5/hdf5_write.h"

namespace ks::io {
namespace {

void append(std::string& text, std::uint64_t value, char then) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), end);
    text += then;
}

void write_csv(const DigiTable& digis, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    std::string text = digis.has_events() ? "index,event,module,x,y,adc\n" : "index,module,x,y,adc\n";
    for (std::size_t row = 0; row < digis.size(); ++row) {
        if (row % 65536 == 0)
            progress.report(static_cast<double>(row) / static_cast<double>(digis.size()), "write");
        append(text, row, ',');
        if (digis.has_events()) append(text, digis.event[row], ',');
        append(text, digis.module_id(row), ',');
        append(text, digis.x[row], ',');
        append(text, digis.y[row], ',');
        append(text, digis.adc[row], '\n');
    }
    write_text(out, text, overwrite, progress);
}

void write_hdf5(const DigiTable& digis, const std::filesystem::path& out, bool overwrite,
                Progress& progress) {
    AtomicFile file(out, overwrite);
    h5::Writer writer(file.temporary(), out.string(), &progress);
    const std::string home = "/entry/digis/";
    writer.group("/entry", "NXentry");
    writer.group("/entry/digis", "NXdata");
    const auto put = [&]<class T>(const char* name, const std::vector<T>& values) {
        writer.array(home + name, Array::of<T>({values.size()}, values));
    };
    if (digis.module_ids.empty()) {
        put("module", digis.module);
    } else {
        std::vector<std::uint64_t> ids;
        for (std::size_t row = 0; row < digis.size(); ++row) ids.push_back(digis.module_id(row));
        put("module", ids);
    }
    put("x", digis.x);
    put("y", digis.y);
    put("adc", digis.adc);
    if (digis.has_events()) put("event", digis.event);
    writer.attribute("/", "default", "entry");
    writer.attribute("/entry", "default", "digis");
    writer.attribute("/entry/digis", "signal", "adc");
    writer.attribute("/entry/digis", "axes", std::vector<std::string>{"x", "y"});
    writer.attribute("/entry/digis", "x_indices", std::int64_t{0});
    writer.attribute("/entry/digis", "y_indices", std::int64_t{0});
    writer.close();
    file.commit(progress);
}

}  // namespace

void write_digis(const DigiTable& digis, const std::filesystem::path& out, bool overwrite,
                 Progress& progress) {
    const FrameFormat* const format = format_of_suffix(out);
    if (format && format->objects)
        write_hdf5(digis, out, overwrite, progress);
    else
        write_csv(digis, out, overwrite, progress);
    progress.report(1, "write");
}

}  // namespace ks::io
