#include "ui/particles/reference_maker.h"

#include <QCoreApplication>
#include <QPointer>

#include "core/base/threads.h"
#include "core/particles/analysis.h"
#include "core/particles/reference.h"
#include "ui/base/jobs.h"

namespace ks::ui::particles {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 34;

std::shared_ptr<const Run> referenceRun(const Request& request, Progress& progress) {
    auto run = std::make_shared<Run>();
    run->request = request;
    run->request.variant = run->variant.id = "host.reference";
    const auto problem = ks::particles::load_problem(request, progress, nullptr);
    HostContext context{run->request, progress, run->timings, compute_threads(), memory};
    run->result = ks::particles::run_reference(*problem, context);
    return run;
}

}  // namespace

ReferenceMaker::ReferenceMaker(Jobs& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}

ReferenceMaker::~ReferenceMaker() {
    cancel();
}

void ReferenceMaker::start(const Request& request) {
    cancel();
    const QPointer<ReferenceMaker> self(this);
    progress_ = std::make_shared<Progress>([self](double fraction, const std::string& stage) {
        if (stage != "sum") return;
        // Called in the job's thread: goes through the application, which exists as long as jobs do.
        QMetaObject::invokeMethod(
            qApp,
            [self, fraction] {
                if (self && self->running()) emit self->progress(fraction);
            },
            Qt::QueuedConnection);
    });
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("reference"),
        [request, progress = progress_] { return referenceRun(request, *progress); },
        [this](const std::shared_ptr<const Run>& run) {
            progress_.reset();
            emit made(run);
        },
        [this](const Error& error) {
            progress_.reset();
            emit failed(error);
        });
    emit progress(0);
}

void ReferenceMaker::cancel() {
    if (progress_) progress_->cancel();
}

}  // namespace ks::ui::particles
