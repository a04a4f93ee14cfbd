#include "ui/shell/workbench.h"

#include <utility>

#include "ui/base/save_folders.h"
#include "ui/shell/session/sound_settings.h"

namespace ks::ui {

Workbench::Workbench(std::unique_ptr<QSettings> given, std::shared_ptr<const Registry> registryOfPages,
                     QWidget& window)
    : settings(soundSettings(std::move(given), &damagedSettings)),
      folders(*new SaveFolders(*settings, &window)),
      queue(worker, runs),
      context(jobs, std::move(registryOfPages)),
      desk(*context.desk),
      files(context, *settings, runs),
      runFiles(*this, &window),
      request(*new RequestForm(*settings, desk, &window)),
      pageRuns(*this),
      warmStart(*this) {
    runs.setRegistry(registry());
    runs.setFormerText([this](const Run& run) { return request.kernelChanged(run); });
}

}  // namespace ks::ui
