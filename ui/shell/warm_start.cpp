#include "ui/shell/warm_start.h"

#include "core/devices/device_id.h"
#include "ui/base/parameter_form.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/variant_picker.h"
#include "ui/runs/worker_client.h"
#include "ui/shell/file_session.h"
#include "ui/shell/request_form.h"

namespace ks::ui {
namespace {

constexpr int delay = 1500;  ///< ms after the last choice: a user who is browsing builds nothing

}  // namespace

WarmStart::WarmStart(const FileSession& files, RequestForm& request, RunQueue& queue,
                     const WorkerClient& worker, QObject* parent)
    : QObject(parent), files_(files), request_(request), queue_(queue), worker_(worker) {
    later_.setSingleShot(true);
    later_.setInterval(delay);
    connect(&later_, &QTimer::timeout, this, &WarmStart::build);
    connect(&request_, &RequestForm::changed, this, [this] {
        if (on_) later_.start();
    });
}

void WarmStart::setOn(bool on) {
    on_ = on;
    if (on)
        later_.start();
    else
        later_.stop();
}

void WarmStart::build() {
    const AnalysisInfo* const analysis = request_.analysis();
    const DeviceInfo* const device = request_.device();
    const AnalysisPage* const page = files_.analysisPage();
    if (!analysis || analysis->small.empty() || !device || !page || !worker_.ready() || queue_.busy()) return;
    Request request;
    request.analysis = analysis->id;
    request.variant = request_.variants().variant().toStdString();
    if (request.variant.empty() || request.variant.starts_with("host.")) return;
    request.device = DeviceId(*device).text();
    request.parameters = request_.parameters().values();
    page->fillOwn(request.parameters);
    if (!request_.refused(request.analysis, request.parameters).isEmpty()) return;
    QString key = QString::fromStdString(request.analysis + ", " + request.device + ", " + request.variant);
    const Traits traits = page->fileValues().traits;
    if (const auto element = traits.find("element"); element != traits.end()) {
        // `bench` uses this name.
        request.parameters["type"] = element->second;
        key += QStringLiteral(", ") + QString::fromStdString(to_text(element->second));
    }
    if (asked_.contains(key)) return;
    asked_.insert(key);
    queue_.warm(request);
}

}  // namespace ks::ui
