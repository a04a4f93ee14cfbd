#include <unistd.h>
#include <charconv>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/apart/apart_worker.h"
#include "app/cli/batch_worker.h"
#include "app/cli/ending/read_timeout.h"
#include "app/cli/interrupt.h"
#include "app/cli/judge_worker.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/data/count_text.h"
#include "core/data/damaged_frame.h"
#include "core/input/frame_stack.h"
#include "core/input/input_files.h"
#include "core/io/describe_contents.h"
#include "core/io/digis/convert.h"
#include "core/io/files/data_name.h"
#include "core/io/files/followed_files.h"
#include "core/io/frame_format.h"
#include "core/io/series/series.h"
#include "core/record/run_record.h"
#include "core/record/saved_run.h"
#include "core/wire/worker.h"
#include "gpu/runtime/resources/assembly.h"

namespace ks::cli {
namespace {

struct Shape {
    std::size_t height, width;
};

Shape parse_shape(const std::string& text) {
    Shape shape{};
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, shape.height);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == ',') {
        const auto second = std::from_chars(first.ptr + 1, end, shape.width);
        if (second.ec == std::errc{} && second.ptr == end && shape.height > 0 && shape.width > 0)
            return shape;
    }
    throw Error(ErrorKind::input, fmt::format("expected H,W in pixels such as 256,256, found '{}'", text),
                "--shape");
}

}  // namespace

void add_info(CLI::App& root, Commands& commands) {
    CLI::App* command = root.add_subcommand(
        "info", "Print the contents of a file, of one object in it, or of a series of files");
    auto names = std::make_shared<std::vector<std::string>>();
    command
        ->add_option("file", *names,
                     io::format_titles() +
                         " file (for HDF5 also an object in it), or CSV file; or a series, given as several "
                         "files, a pattern or a folder (" +
                         io::series_titles() + ")")
        ->required()
        ->type_name("FILE[::PATH]");
    add_trust(*command);
    commands.push_back({command, [names](Session& session) {
                            const InterruptCancels guard(session.progress());
                            const std::string name = io::series_name(*names);
                            std::string text = io::describe(name);
                            const io::DataName data = io::DataName::parse(name);
                            if (data.object.empty() && holds_result(session.registry(), data.file)) {
                                try {
                                    text += "\n" + describe_run(session.registry(),
                                                                open_run(session.registry(), data.file));
                                } catch (const Error& error) {
                                    text += "\n" + io::info_row("run", error.message());
                                }
                            }
                            if (!text.ends_with('\n')) text += '\n';
                            session.progress().check();
                            fmt::print("{}", printable_lines(text));
                            return 0;
                        }});
}

void add_worker(CLI::App& root, Commands& commands) {
    CLI::App* command = root.add_subcommand(
        "worker", "Serve the window through framed messages on standard input and output");
    add_trust(*command);
    auto printed = std::make_shared<int>(STDERR_FILENO);
    command->add_option("--printed-to", *printed, "Open file descriptor for kernel output")
        ->type_name("N")
        ->check(CLI::Range(2, 1023));
    auto in_window = std::make_shared<bool>(false);
    command->add_flag("--in-window", *in_window, "Errors advise what can be done in a window");
    commands.push_back({command, [printed, in_window](Session& session) {
                            if (*in_window) io::advise_for_window();
                            // A driver or its compiler may print: its output must not be mixed with the
                            // messages.
                            const int descriptor = dup(STDOUT_FILENO);
                            std::FILE* out = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
                            if (out == nullptr)
                                throw Error(ErrorKind::run, "standard output cannot be written");
                            // Line by line, so that the output of a kernel that ends the process is not lost.
                            std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
                            if (dup2(*printed, STDOUT_FILENO) < 0)
                                throw Error(ErrorKind::input, "no such descriptor is open", "--printed-to");
                            if (*printed != STDERR_FILENO) close(*printed);
                            const InterruptEnds guard;
                            wire::Handlers more;
                            add_apart_jobs(more, session);
                            add_batch_job(more, session);
                            add_judge_job(more, session);
                            more.on<wire::AssemblyJob>([](const wire::AssemblyJob& job, Progress&) {
                                return gpu::assemble(job.request);
                            });
                            const int code =
                                serve_worker(session.engine(), stdin, out, std::move(more), read_timeout());
                            const bool written = std::ferror(out) == 0 && std::fflush(out) == 0;
                            std::fclose(out);
                            if (!written && code == 0)
                                throw Error(ErrorKind::run, "the worker's answers could not be written");
                            return code;
                        }});
}

namespace {

/// Whether a command names hits rather than frames.
bool names_hits(const std::vector<std::string>& files) {
    return files.size() == 1 && io::suffix_of(files.front()) == ".csv";
}

void convert_hits(const std::string& csv, const std::string& shape_text, const std::string& out,
                  bool overwrite, Session& session) {
    const Shape shape = parse_shape(shape_text);
    io::require_not_read("--out", out, {{"digis", csv}});
    require_output(out, overwrite);
    const io::Converted done =
        io::convert_digis(csv, shape.height, shape.width, out, overwrite, session.progress());
    session.terminal().clear();
    fmt::print("{} in {} of {} x {} written to {}\n", count_text(done.digis, "digi"),
               count_text(done.frames, "frame"), done.height, done.width, printable(out));
    for (const std::string& warning : done.warnings) warn(warning);
    if (done.saturated > 0)
        warn(fmt::format("{} exceeded 65535 and {} clipped", count_text(done.saturated, "sum"),
                         done.saturated == 1 ? "was" : "were"));
}

/// "geometry, frame time, mask of 12 pixels", or "no geometry, no mask".
std::string stated_by(const io::FrameStack& made) {
    std::vector<std::string> parts;
    if (made.geometry) parts.emplace_back(made.geometry->complete() ? "geometry" : "part of a geometry");
    if (made.frame_time) parts.emplace_back("frame time");
    if (made.saturation) parts.emplace_back("saturation");
    if (made.masked) parts.push_back("mask of " + count_text(*made.masked, "pixel"));
    return parts.empty() ? "no geometry, no mask" : fmt::format("{}", fmt::join(parts, ", "));
}

void convert_frames(const std::vector<std::string>& files, const std::string& out, bool overwrite,
                    Session& session) {
    const std::string name = io::series_name(files);
    io::require_not_read("--out", out, {{"frames", name}});
    require_output(out, overwrite);
    const io::FrameStack made = io::write_frame_stack(name, out, overwrite, session.progress());
    session.terminal().clear();
    fmt::print("{} of {} x {} {} written to {} ({})\n", count_text(made.frames, "frame"), made.height,
               made.width, name_of(made.type), printable(out), stated_by(made));
    for (const std::string& notice : made.notices) warn(notice);
    // A notice names the missing files of a series.
    if (!made.absent.empty() && !io::is_series(io::DataName::parse(name).file))
        warn(fmt::format("{} of {} without values: {}", count_text(made.absent.size(), "frame"), made.source,
                         frame_list(made.absent)));
}

}  // namespace

void add_convert(CLI::App& root, Commands& commands) {
    struct Options {
        std::vector<std::string> files;
        std::string shape, out;
        bool overwrite = false, progress = false;
    };
    CLI::App* command = root.add_subcommand(
        "convert", "Write frames of any format, or hits of a CSV file, as one HDF5 stack of frames");
    auto options = std::make_shared<Options>();
    command
        ->add_option("file", options->files,
                     "Frames (" + io::format_titles() +
                         "): a file, for HDF5 also an object in it, or a series, given as several files, a "
                         "pattern or a folder; or a CSV file of hits with the columns index,module,x,y,adc, "
                         "each module of which becomes a frame")
        ->required()
        ->type_name("FILE[::PATH]");
    command->add_option("--shape", options->shape, "Size of a frame in pixels, for hits")->type_name("H,W");
    command->add_option("--out", options->out, "File to write")->required()->type_name("STACK.h5");
    command->add_flag("--overwrite", options->overwrite, "Replace an existing file");
    command->add_flag("--progress", options->progress, "Print progress as lines");
    add_trust(*command);
    commands.push_back(
        {command, [options](Session& session) {
             const InterruptCancels guard(session.progress());
             if (options->progress) session.terminal().use_lines();
             const Options& given = *options;
             const bool hits = names_hits(given.files);
             if (hits == given.shape.empty())
                 throw Error(ErrorKind::input,
                             hits ? "hits need the size of a frame, such as --shape 256,256"
                                  : "only hits in a CSV file need the size of a frame; frames have their own",
                             "--shape");
             if (hits)
                 convert_hits(given.files.front(), given.shape, given.out, given.overwrite, session);
             else
                 convert_frames(given.files, given.out, given.overwrite, session);
             return 0;
         }});
}

void add_generate(CLI::App& root, const Registry& registry, Commands& commands) {
    struct Options {
        std::string out;
        bool overwrite = false, progress = false;
    };
    CLI::App* generate = add_group(root, commands, "generate", "Write a synthetic input file of an analysis");
    for (const Analysis& analysis : registry.analyses()) {
        if (!analysis.has_generator()) continue;
        const AnalysisInfo& info = analysis.info();
        CLI::App* command = generate->add_subcommand(info.id, "Synthetic data for " + info.title);
        auto options = std::make_shared<Options>();
        command->add_option("--out", options->out, "File to write")->required()->type_name("FILE");
        command->add_flag("--overwrite", options->overwrite, "Replace an existing file");
        command->add_flag("--progress", options->progress, "Print progress as lines");
        auto parameters = std::make_shared<ParameterOptions>(*command, info.generator, "Parameters");
        commands.push_back({command, [options, parameters, &analysis](Session& session) {
                                const InterruptCancels guard(session.progress());
                                if (options->progress) session.terminal().use_lines();
                                const ParameterSet given = parameters->given();
                                require_output(options->out, options->overwrite);
                                analysis.generate(given, options->out, options->overwrite,
                                                  session.progress());
                                session.terminal().clear();
                                fmt::print("written to {}\n", printable(options->out));
                                return 0;
                            }});
    }
}

}  // namespace ks::cli
