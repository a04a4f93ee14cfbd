#include "ui/shell/warm_start.h"

#include "core/devices/device_id.h"
#include "ui/base/parameter_form.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

constexpr int delay = 1500;  ///< ms after the last choice: a user who is browsing builds nothing

}  // namespace

WarmStart::WarmStart(Workbench& bench, QObject* parent) : QObject(parent), bench_(bench) {
    later_.setSingleShot(true);
    later_.setInterval(delay);
    connect(&later_, &QTimer::timeout, this, &WarmStart::build);
    connect(&bench_.request, &RequestForm::changed, this, [this] {
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
    const AnalysisInfo* const analysis = bench_.request.analysis();
    const DeviceInfo* const device = bench_.request.device();
    const AnalysisPage* const page = bench_.files.analysisPage();
    if (!analysis || analysis->small.empty() || !device || !page) return;
    Request request;
    request.unasked = true;
    request.analysis = analysis->id;
    request.variant = bench_.request.variants().variant().toStdString();
    if (request.variant.empty() || request.variant.starts_with("host.")) return;
    request.device = DeviceId(*device).text();
    request.parameters = bench_.request.parameters().values();
    page->fillOwn(request.parameters);
    if (!bench_.request.refused(request.analysis, request.parameters).isEmpty()) return;
    QString key = QString::fromStdString(request.analysis + ", " + request.device + ", " + request.variant);
    const Traits traits = page->fileValues().traits;
    if (const auto element = traits.find("element"); element != traits.end()) {
        // `bench` uses this name.
        request.parameters["type"] = element->second;
        key += QStringLiteral(", ") + QString::fromStdString(to_text(element->second));
    }
    if (asked_.contains(key)) return;
    asked_.insert(key);
    bench_.desk.ask<wire::WarmJob>(this, {request},
                                   {.answer = [this](const auto&) { emit ended(true); },
                                    .failed =
                                        [this, key](const Error& error) {
                                            if (error.kind() == ErrorKind::cancelled) asked_.remove(key);
                                            emit ended(false);
                                        }});
}

}  // namespace ks::ui
