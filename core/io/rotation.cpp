#include "core/io/rotation.h"

#include "core/io/files/data_name.h"
#include "core/io/frame_format.h"
#include "core/io/series/series.h"

namespace ks::io {

std::optional<Rotation> read_rotation(const std::string& frames, std::vector<std::string>& faults) {
    const DataName given = DataName::parse(frames), name{first_file(given.file), given.object};
    const FrameFormat& format = format_to_read({name.file, {}});
    return format.rotation ? format.rotation(name, faults) : std::nullopt;
}

}  // namespace ks::io
