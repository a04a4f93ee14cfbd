#include "ui/lab/problem_text.h"

#include <QObject>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/io/files/data_name.h"
#include "core/io/files/distinct_name.h"
#include "ui/runs/parameter_text.h"

namespace ks::ui::lab {
namespace {

/// Errors of a problem are reported when it is timed.
Traits traitsMade(const Analysis& analysis, const ParameterSet& sizes) {
    try {
        return analysis.traits(*analysis.benchmark_problem(sizes));
    } catch (const Error&) {
        return {};
    }
}

const char* const inputTexts[] = {QT_TRANSLATE_NOOP("QObject", "input left on the device"),
                                  QT_TRANSLATE_NOOP("QObject", "input from host memory"),
                                  QT_TRANSLATE_NOOP("QObject", "input read from a file")};

QString inputText(BenchFrom from) {
    return QObject::tr(inputTexts[static_cast<int>(from)]);
}

/// The problem as part of a report.
bool has(const Compared& one, const LabProblem& problem) {
    return one.report.plan.from == problem.from &&
           std::ranges::any_of(one.report.points, [&](const BenchPoint& point) {
               return point.sizes == problem.sizes && !point.rows.empty();
           });
}

/// The file of a value, and the object in it; values that are not from a file have their name without the
/// hash.
io::DataName dataName(const ParameterValue& value) {
    static const QRegularExpression hash(QStringLiteral(" ?[0-9a-f]{16}$"));
    return io::DataName::parse(QString::fromStdString(to_text(value)).remove(hash).toStdString());
}

/// Files of all values of an input.
std::vector<std::string> dataFilesOf(const std::vector<LabProblem>& problems, const std::string& role) {
    std::vector<std::string> files;
    for (const LabProblem& one : problems)
        if (const auto found = one.sizes.find(role); found != one.sizes.end())
            files.push_back(dataName(found->second).file.string());
    return files;
}

/// "demo.h5", "demo.h5::/entry/data"; "b/demo.h5" if one of the others has the same name.
QString dataText(const ParameterValue& value, const std::vector<std::string>& others) {
    const io::DataName name = dataName(value);
    const QString file = QString::fromStdString(io::distinct_name(name.file.string(), others));
    return name.object.empty() ? file : file + QStringLiteral("::") + QString::fromStdString(name.object);
}

/// "Size 1024 elements"; empty: there is no value, the program decides.
QString sizeText(const ParameterSpec& spec, const ParameterValue& value) {
    if (to_text(value).empty()) return {};
    return QStringLiteral("%1 %2").arg(QString::fromStdString(spec.label), withUnit(spec, value));
}

/// The values of all problems, one list per id.
struct Parts {
    QStringList data, changed, usual, varied;

    /// @param all problems that are visible next to each other, these included
    void add(const AnalysisInfo& info, const std::vector<LabProblem>& problems,
             const std::vector<LabProblem>& all, const std::string& id) {
        const ParameterValue& value = problems.front().sizes.at(id);
        const bool same = std::ranges::all_of(problems, [&](const LabProblem& one) {
            const auto found = one.sizes.find(id);
            return found != one.sizes.end() && found->second == value;
        });
        const auto input = std::ranges::find(info.inputs, id, &InputSpec::role);
        // A size may have the name of an input: "frames" is a file, or a number of generated frames.
        if (input != info.inputs.end() && std::holds_alternative<std::string>(value)) {
            const QString label = QString::fromStdString(input->label);
            const QString text = same ? dataText(value, dataFilesOf(all, id)) : QString();
            if (!same)
                varied << label;
            else if (text.isEmpty())
                return;  // an input that need not be given, or is generated
            else if (input == info.inputs.begin())
                data.prepend(text);
            else
                data << (label + QLatin1Char(' ') + text).trimmed();
            return;
        }
        for (const auto* specs : {&info.benchmark, &info.parameters})
            if (const auto spec = std::ranges::find(*specs, id, &ParameterSpec::id); spec != specs->end()) {
                if (!same)
                    varied << QString::fromStdString(spec->label);
                else
                    (specs == &info.benchmark || value != spec->default_value ? changed : usual)
                        << sizeText(*spec, value);
                return;
            }
    }
};

/// Ids in the order of the analysis; ids unknown to it are ignored.
std::vector<std::string> orderedIds(const AnalysisInfo& info, const ParameterSet& sizes) {
    std::vector<std::string> ids;
    const auto add = [&](const std::string& id) {
        if (sizes.contains(id) && std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    };
    for (const InputSpec& input : info.inputs) add(input.role);
    for (const auto* specs : {&info.benchmark, &info.parameters})
        for (const ParameterSpec& spec : *specs) add(spec.id);
    return ids;
}

/// Definitions given to all of the reports.
QString definesText(const ComparedList& some) {
    QStringList parts;
    for (const auto& define : some.front()->report.plan.defines)
        if (std::ranges::all_of(some, [&define](const auto& one) {
                const auto found = one->report.plan.defines.find(define.first);
                return found != one->report.plan.defines.end() && *found == define;
            }))
            parts << QString::fromStdString(define.first + "=" + define.second);
    return parts.join(QLatin1Char(' '));
}

/// "kept from an earlier session (2026-11-24 10:40 UTC, pocl)"
QString keptText(const ComparedList& some) {
    QStringList parts;
    for (const auto& one : some) {
        if (one->kept.isEmpty()) continue;
        const QString when =
            QString::fromStdString(one->report.started).left(16).replace(QLatin1Char('T'), QLatin1Char(' '));
        parts << QObject::tr("kept from an earlier session (%1 UTC, %2)")
                     .arg(when, QString::fromStdString(one->report.device.name));
    }
    return parts.join(QStringLiteral("; "));
}

}  // namespace

std::vector<Traits> traitsOf(const Analysis& analysis, const BenchPlan& plan) {
    if (plan.request) return {checked(analysis.info().parameters, plan.request->parameters)};
    std::vector<Traits> all;
    std::vector<ParameterSet> made;  // small enough to take no time
    for (const ParameterSet& sizes : bench_points(analysis, plan)) {
        ParameterSet small = sizes;
        for (const auto& [id, value] : analysis.info().small) small[id] = value;
        if (std::ranges::find(made, small) != made.end()) continue;
        made.push_back(small);
        Traits traits;
        // Without a small version it would be generated at full size.
        if (!analysis.info().small.empty()) traits = traitsMade(analysis, small);
        traits.insert(sizes.begin(), sizes.end());
        all.push_back(std::move(traits));
    }
    return all;
}

void judge(std::vector<Offer>& offers, const std::vector<Traits>& problems, bool deviceHasFp64) {
    for (Offer& offer : offers) {
        if (!offer.why_not.empty()) continue;
        std::string reason;
        for (const Traits& problem : problems) {
            const std::string one = why_not(offer.variant, problem, deviceHasFp64);
            if (one.empty()) {
                reason.clear();
                break;
            }
            if (reason.empty()) reason = one;
        }
        offer.why_not = reason;
    }
}

QString problemText(const AnalysisInfo& info, const ComparedList& all, std::optional<std::size_t> problem) {
    const std::vector<LabProblem> known = problemsOf(all);
    std::vector<LabProblem> problems = known;
    if (problem && *problem < known.size()) problems = {known[*problem]};
    if (problems.empty()) return {};
    ComparedList some = all;
    std::erase_if(some, [&](const auto& one) {
        return std::ranges::none_of(problems, [&](const LabProblem& of) { return has(*one, of); });
    });
    Parts parts;
    for (const std::string& id : orderedIds(info, problems.front().sizes))
        parts.add(info, problems, known, id);
    QStringList said;
    if (!parts.data.isEmpty()) said << parts.data.join(QStringLiteral(", "));
    if (problems.size() > 1)
        said << QObject::tr("%1 problems, which differ in %2")
                    .arg(problems.size())
                    .arg(parts.varied.isEmpty() ? QObject::tr("where their input comes from")
                                                : parts.varied.join(QStringLiteral(", ")));
    QStringList sizes = parts.changed + parts.usual;
    sizes.removeAll(QString());
    if (!sizes.isEmpty()) said << sizes.join(QStringLiteral(", "));
    if (std::ranges::all_of(problems,
                            [&](const LabProblem& one) { return one.from == problems.front().from; }))
        said << inputText(problems.front().from);
    if (const QString defines = definesText(some); !defines.isEmpty()) said << defines;
    if (const QString kept = keptText(some); !kept.isEmpty()) said << kept;
    return QStringLiteral("%1: %2").arg(QString::fromStdString(info.title), said.join(QStringLiteral("; ")));
}

}  // namespace ks::ui::lab
