#include "ui/shell/session/run_kernels.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/io/files/file_text.h"
#include "core/run/user/trusted_code.h"
#include "core/run/user/user_variant_folder.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/trust/trust_questions.h"
#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

QString noticeOf(const std::string& analysis) {
    return QStringLiteral("absent kernel of ") + QString::fromStdString(analysis);
}

}  // namespace

RunKernels::RunKernels(Workbench& bench, QObject* parent) : QObject(parent), bench_(bench) {
    // Not while the parts of the window take over what has changed.
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, &RunKernels::look);
    const auto lookSoon = [this] { soon_.start(0); };
    connect(&bench_.desk, &Desk::catalogueChanged, this, lookSoon);
    connect(&bench_.desk, &Desk::runsChanged, this, lookSoon);
    connect(&bench_.request, &RequestForm::changed, this, lookSoon);
    connect(&bench_.request.variants(), &VariantPicker::variantChanged, this, lookSoon);
}

void RunKernels::expect(const QString& by, const SessionDocument& document) {
    for (const auto& [analysis, page] : document.pages)
        if (is_user_variant(page.variant)) expected_[analysis] = {page.variant, by};
    soon_.start(0);
}

void RunKernels::expect(const RunRow& run) {
    const std::string& variant = run.run->variant.id;
    if (is_user_variant(variant))
        expected_[run.run->request.analysis] = {variant, tr("run %1").arg(run.number)};
    soon_.start(0);
}

QString RunKernels::absence(const std::string& analysis, const Expected& one) const {
    const QString id = QString::fromStdString(analysis), variant = QString::fromStdString(one.variant);
    if (bench_.request.choices(id).variant != variant) return {};
    for (const std::vector<Offer>& offers : bench_.desk.catalogue().offers.at(analysis))
        for (const Offer& offer : offers)
            if (offer.variant.id == one.variant) return {};
    const QString chosen =
        bench_.request.shownAnalysis() == id ? bench_.request.variants().variant() : QString();
    const QString title = QString::fromStdString(bench_.registry()->analysis(analysis).info().title);
    return tr("%1, which %2 uses for %3, is not on this computer; %3 uses %4 instead.")
        .arg(variant, one.by, title, chosen.isEmpty() ? tr("another variant") : chosen);
}

void RunKernels::look() {
    const auto& offers = bench_.desk.catalogue().offers;
    std::vector<std::string> found;
    for (auto& [analysis, one] : expected_) {
        if (!offers.contains(analysis)) continue;
        const QString text = absence(analysis, one);
        if (text.isEmpty()) {
            found.push_back(analysis);
            continue;
        }
        Notice notice{noticeOf(analysis), text, {}, [this, of = analysis] { expected_.erase(of); }};
        if (const RunRow* const run = runOf(analysis, one.variant))
            notice.actions.push_back(
                {tr("Take it from run %1").arg(run->number), [this, number = run->number] { take(number); }});
        const QString told = text + (notice.actions.empty() ? QString() : notice.actions.front().text);
        if (std::exchange(one.told, told) != told) emit bench_.messages.noticed(notice);
    }
    for (const std::string& analysis : found) {
        expected_.erase(analysis);
        emit bench_.messages.noticeEnded(noticeOf(analysis));
    }
}

const RunRow* RunKernels::runOf(const std::string& analysis, const std::string& variant) const {
    const std::vector<RunRow>& rows = bench_.runs.rows();
    const auto found = std::ranges::find_if(rows, [&](const RunRow& row) {
        const Request& request = row.run->request;
        return request.analysis == analysis && row.run->variant.id == variant &&
               !request.kernel_source.empty();
    });
    return found == rows.end() ? nullptr : &*found;
}

bool RunKernels::mayBeCompiled(const Run& run) const {
    const std::string& code = run.request.kernel_source;
    if (run.request.from_file.empty() || is_known_code(code, bench_.desk.catalogue().kernel_files))
        return true;
    const TrustQuestions& trust = bench_.files.trust();
    if (!trust.compile ||
        !trust.compile(QString::fromStdString(run.request.from_file),
                       QString::fromStdString(title_of_code(run.request)), QString::fromStdString(code)))
        return false;
    know_code(code);
    return true;
}

UserVariant RunKernels::write(const Run& run, const std::string& name,
                              const std::map<std::string, std::string>& defines) const {
    const std::string& analysis = run.request.analysis;
    require_variant_name(name, "run");
    if (run.request.kernel_source.size() > io::largest_kernel)
        throw Error(ErrorKind::input, "its text is longer than that of a kernel may be", name);
    std::vector<Variant> shipped;
    if (const auto of = bench_.desk.catalogue().offers.find(analysis);
        of != bench_.desk.catalogue().offers.end() && !of->second.empty())
        for (const Offer& one : of->second.front())
            if (!one.variant.from_user()) shipped.push_back(one.variant);
    if (shipped.empty()) throw Error(ErrorKind::run, "the worker is not ready yet");
    const UserVariantFolder folder(user_variants_folder(), shipped);
    folder.require_free(analysis, name, {});
    UserVariant own;
    if (is_user_variant(run.variant.id)) {
        require_variant_name(without_user_prefix(run.variant.id), "run");
        own = folder.of_text(analysis, run.variant.id, run.request.kernel_source).own;
        if (own.name != name) own = copy_for_user(own, name, folder.path());
    } else {
        const auto base = std::ranges::find(shipped, run.variant.id, &Variant::id);
        if (base == shipped.end())
            throw Error(ErrorKind::input, "this version has no variant " + run.variant.id, analysis);
        base->source = run.request.kernel_source;
        own = copy_for_user(*base, name, folder.path());
    }
    for (const auto& [define, value] : defines) own.text = with_define(own.text, define, value);
    save_user_variant(own, false);
    return own;
}

void RunKernels::take(int number) {
    const RunRow* const row = bench_.runs.find(number);
    if (!row || !mayBeCompiled(*row->run)) return;
    try {
        write(*row->run, without_user_prefix(row->run->variant.id));
    } catch (const Error& error) {
        return emit bench_.messages.failed(error);
    }
    bench_.worker.refreshOffers();
}

void RunKernels::copy(int number) {
    const RunRow* const row = bench_.runs.find(number);
    if (!row || !mayBeCompiled(*row->run)) return;
    const Run& run = *row->run;
    try {
        const UserVariantFolder folder(user_variants_folder(), {});
        const std::string stem = without_user_prefix(run.variant.id);
        const auto isFree = [&](const std::string& name) {
            try {
                folder.require_free(run.request.analysis, name, {});
                return true;
            } catch (const Error&) {
                return false;
            }
        };
        std::string name = stem;
        for (int i = 2; !isFree(name); ++i) name = stem + "-" + std::to_string(i);
        const UserVariant own = write(run, name, run.request.defines);
        bench_.worker.refreshOffers();
        emit copied(QString::fromStdString(own.analysis), QString::fromStdString(own.file.string()));
    } catch (const Error& error) {
        emit bench_.messages.failed(error);
    }
}

}  // namespace ks::ui
