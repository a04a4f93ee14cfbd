#include <fmt/format.h>

#include <cmath>
#include <string>

#include "core/io/atomic_file.h"
#include "core/io/hdf5.h"
#include "core/run/error.h"
#include "core/xpcs/generator.h"

namespace ks::xpcs {
namespace {

using io::h5::Handle;

/// Writes datasets and attributes of one file; every failure names the file.
class Writer {
  public:
    explicit Writer(const std::filesystem::path& file)
        : name_(file.string()), file_(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {
        require(file_, "create the file");
    }

    void group(const std::string& path, const std::string& nx_class) {
        const Handle made(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        require(made, path);
        text_attribute(path, "NX_class", nx_class);
    }

    void text_attribute(const std::string& path, const std::string& name, const std::string& value) {
        const Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT)), space(H5Screate(H5S_SCALAR));
        const Handle type(H5Tcopy(H5T_C_S1));
        H5Tset_size(type, value.size());
        H5Tset_cset(type, H5T_CSET_UTF8);
        const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
        require(attribute, path + "@" + name);
        require(H5Awrite(attribute, type, value.data()), path + "@" + name);
    }

    /// Rank 3 is chunked by frame and compressed.
    void dataset(const std::string& path, const Array& values) {
        std::vector<hsize_t> shape(values.shape().begin(), values.shape().end());
        const Handle space(shape.empty()
                               ? H5Screate(H5S_SCALAR)
                               : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
        const Handle layout(H5Pcreate(H5P_DATASET_CREATE));
        if (shape.size() == 3) {
            shape[0] = 1;
            H5Pset_chunk(layout, 3, shape.data());
            H5Pset_shuffle(layout);
            H5Pset_deflate(layout, 1);
        }
        const hid_t type = io::h5::memory_type(values.type());
        const Handle made(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, layout, H5P_DEFAULT));
        require(made, path);
        require(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.bytes().data()), path);
    }

    void close() { require(H5Fflush(file_, H5F_SCOPE_GLOBAL), "end"); }

  private:
    void require(hid_t result, const std::string& what) const {
        if (result < 0)
            throw Error(ErrorKind::run, "cannot write " + what + " (" + io::h5::last_failure() + ")", name_);
    }

    std::string name_;
    Handle file_;
};

ParameterSpec number(const char* id, const char* label, const char* unit, double standard, double low,
                     double high, const char* help) {
    return {id, label, unit, ParameterType::real, standard, low, high, {}, help};
}

ParameterSpec whole(const char* id, const char* label, const char* unit, std::int64_t standard, double low,
                    double high, const char* help) {
    return {id, label, unit, ParameterType::integer, standard, low, high, {}, help};
}

SyntheticSpec spec_of(const ParameterSet& set) {
    SyntheticSpec spec;
    spec.frames = static_cast<std::size_t>(integer(set, "frames"));
    spec.height = static_cast<std::size_t>(integer(set, "height"));
    spec.width = static_cast<std::size_t>(integer(set, "width"));
    spec.ring_width = real(set, "ring_width");
    spec.seed = static_cast<std::uint64_t>(integer(set, "seed"));
    spec.mean = real(set, "mean");
    spec.type = element_type_from(text(set, "type"));
    spec.frame_time = real(set, "frame_time");
    spec.contrast = real(set, "contrast");
    spec.gamma_min = real(set, "gamma_min");
    spec.gamma_max = real(set, "gamma_max");
    spec.photons = boolean(set, "photons");
    if (spec.gamma_min > spec.gamma_max)
        throw Error(ErrorKind::input,
                    fmt::format("gamma_min must not be over gamma_max, found {} and {}", spec.gamma_min,
                                spec.gamma_max),
                    "gamma_min");
    const double corner =
        std::hypot(static_cast<double>(spec.height / 2), static_cast<double>(spec.width / 2));
    if (corner < spec.ring_width)
        throw Error(ErrorKind::input,
                    fmt::format("the corner of {} x {} pixels is at r = {:.1f}, so no ring of width {} fits",
                                spec.height, spec.width, corner, spec.ring_width),
                    "ring_width");
    return spec;
}

}  // namespace

std::vector<ParameterSpec> generator_parameters() {
    return {{"kind",
             "Kind",
             "",
             ParameterType::choice,
             std::string("seed"),
             {},
             {},
             {"seed", "speckle"},
             "seed: Poisson counts of rings that beat; speckle: relaxing speckle with a known rate per bin"},
            whole("frames", "Frames", "frames", 500, 1, 100000, "Number of frames"),
            whole("height", "Height", "px", 201, 1, 16384, "Rows of pixels"),
            whole("width", "Width", "px", 241, 1, 16384, "Columns of pixels"),
            number("ring_width", "Ring width", "px", 10, 0.5, 16384,
                   "Bins are rings of this width; r below it is ignored"),
            whole("seed", "Seed", "", 0, 0, 9e15, "The same seed gives the same file"),
            number("mean", "Mean counts", "counts", 10, 0, 60000,
                   "Counts of a pixel (seed: at the centre, above 1)"),
            number("contrast", "Contrast", "", 0.2, 0, 1, "Speckle: g2 - 1 at delay 0 without photon noise"),
            number("gamma_min", "Smallest rate", "1/frame", 0.005, 0, 100,
                   "Speckle: relaxation rate of the first bin"),
            number("gamma_max", "Largest rate", "1/frame", 0.1, 0, 100,
                   "Speckle: relaxation rate of the last bin"),
            {"photons",
             "Photon noise",
             "",
             ParameterType::boolean,
             true,
             {},
             {},
             {},
             "Speckle: counts are Poisson numbers of the intensity, else the rounded intensity"},
            number("frame_time", "Frame time", "s", 0, 0, 1e6, "Written to the file; 0: not written"),
            {"type",
             "Type",
             "",
             ParameterType::choice,
             std::string("u8"),
             {},
             {},
             {"u8", "u16"},
             "Counts over the largest of the type stay there"}};
}

void generate_file(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                   Progress& progress) {
    const ParameterSet set = checked(generator_parameters(), parameters);
    const SyntheticSpec spec = spec_of(set);
    io::AtomicFile file(out, overwrite);
    const bool speckle = text(set, "kind") == "speckle";
    const SyntheticFrames made =
        speckle ? make_speckle_frames(spec, progress) : make_seed_frames(spec, progress);

    progress.report(0, "write");
    {
        const io::h5::Lock lock;
        Writer writer(file.temporary());
        writer.text_attribute("/", "default", "entry");
        writer.group("/entry", "NXentry");
        writer.text_attribute("/entry", "default", "data");
        writer.group("/entry/data", "NXdata");
        writer.text_attribute("/entry/data", "signal", "data");
        writer.dataset("/entry/data/data", made.stack);
        writer.dataset("/entry/qmask", made.labels);
        if (spec.frame_time > 0) {
            writer.group("/entry/instrument", "NXinstrument");
            writer.group("/entry/instrument/detector", "NXdetector");
            writer.dataset("/entry/instrument/detector/frame_time",
                           Array::of<double>({}, {&spec.frame_time, 1}));
            writer.text_attribute("/entry/instrument/detector/frame_time", "units", "s");
        }
        if (speckle) {
            writer.group("/entry/truth", "NXcollection");
            writer.dataset("/entry/truth/gamma", Array::of<double>({made.gamma.size()}, made.gamma));
            writer.dataset("/entry/truth/beta",
                           Array::of<double>({made.gamma.size()},
                                             std::vector<double>(made.gamma.size(), spec.contrast)));
        }
        writer.close();
    }
    file.commit();
    progress.report(1, "write");
}

}  // namespace ks::xpcs
