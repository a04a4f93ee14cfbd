#pragma once

#include <QSettings>
#include <QString>
#include <memory>

#include "core/run/registry.h"
#include "ui/base/jobs.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/worker_client.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/file_session.h"
#include "ui/shell/page_runs.h"
#include "ui/shell/request_form.h"
#include "ui/shell/run_files.h"
#include "ui/shell/warm_start.h"

namespace ks::ui {

class SaveFolders;
class SaveGuard;

/// What a window works with, apart from its widgets: settings, jobs, the worker, runs, files and the next
/// request. Each uses those before it.
struct Workbench {
    /// @param settings null: the user's own
    /// @param window parent of dialogs and of the form's widgets, which get their places in the window later
    Workbench(std::unique_ptr<QSettings> settings, std::shared_ptr<const Registry> registry, QWidget& window);
    Workbench(const Workbench&) = delete;
    Workbench& operator=(const Workbench&) = delete;

    const std::shared_ptr<const Registry>& registry() const { return desk.registry(); }

    QString damagedSettings = {};  ///< name of the damaged settings; empty: they were intact
    const std::unique_ptr<QSettings> settings;
    SaveFolders& folders;
    SaveGuard& saves;
    Messages messages;
    Jobs jobs;
    WorkerClient worker;
    RunTableModel runs;
    RunQueue queue;
    PageContext context;
    Desk& desk;  ///< of the context
    FileSession files;
    RunFiles runFiles;
    RequestForm& request;
    PageRuns pageRuns;
    WarmStart warmStart;
};

}  // namespace ks::ui
