#include "app/cli/session.h"

#include <CLI/CLI.hpp>

#include "app/cli/apart/apart_worker.h"
#include "app/cli/ending/crash.h"
#include "core/base/error.h"
#include "core/run/host_backend.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::cli {

Session::Session()
    : registry_(std::make_shared<const Registry>()),
      progress_([this](double fraction, const std::string& stage) {
          note_stage(stage);
          if (exchange_)
              exchange_->report(fraction, stage);
          else
              terminal_.show(fraction, stage);
      }) {}

Exchange& Session::join(Ranks& ranks) {
    ranks_ = &ranks;
    exchange_ = std::make_unique<Exchange>(ranks, progress_);
    exchange_->show_by(
        [this](double fraction, const std::string& stage) { terminal_.show(fraction, stage); });
    return *exchange_;
}

Engine& Session::engine() {
    if (!engine_) {
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(gpu::make_opencl_backend([this] { drivers_.leave_out_failing(); }));
        backends.push_back(std::make_unique<HostBackend>(registry_->host_variants()));
        engine_ = std::make_unique<Engine>(registry_, std::move(backends));
        engine_->set_apart(start_apart);
        engine_->remember_what_runs();
    }
    return *engine_;
}

CLI::App* add_group(CLI::App& root, Commands& commands, const std::string& name,
                    const std::string& description) {
    CLI::App* group = root.add_subcommand(name, description);
    group->require_subcommand(0, 1);
    commands.push_back({group, [name](Session&) -> int {
                            throw Error(ErrorKind::input, "expected the name of an analysis", name,
                                        "kernelscope-cli " + name + " --help lists the analyses");
                        }});
    return group;
}

}  // namespace ks::cli
