#include "ui/runs/generated_problem.h"

#include <QStringList>
#include <cstdint>
#include <variant>

#include "core/base/error.h"

namespace ks::ui {

bool canGenerate(const Analysis& analysis, GeneratedSize size) {
    return analysis.has_benchmark() && (size == GeneratedSize::usual || !analysis.info().small.empty());
}

GeneratedProblem generatedProblem(const Analysis& analysis, GeneratedSize size, Progress& progress,
                                  const ParameterSet& given) {
    const AnalysisInfo& info = analysis.info();
    if (!canGenerate(analysis, size))
        throw Error(ErrorKind::input,
                    size == GeneratedSize::small ? "the analysis cannot generate a small problem"
                                                 : "the analysis cannot generate a problem",
                    info.id, "open data on its page");
    GeneratedProblem made;
    made.sizes = analysis.benchmark_sizes(size == GeneratedSize::small ? info.small : given);
    if (info.needs_input()) {
        made.folder = std::make_shared<const io::TemporaryFolder>("kernelscope-trial");
        if (std::optional<Request> reads =
                analysis.benchmark_files(made.sizes, made.folder->path(), progress))
            made.request = std::move(*reads);
        else
            throw Error(ErrorKind::input, "the analysis cannot write a problem to a file", info.id,
                        "open data on its page");
    } else {
        made.request.parameters = made.sizes;
    }
    made.request.analysis = info.id;
    return made;
}

QString sizesText(const AnalysisInfo& info, const ParameterSet& sizes) {
    QStringList parts;
    for (const ParameterSpec& spec : info.benchmark) {
        const auto found = sizes.find(spec.id);
        const auto* count = found == sizes.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
        if (count && *count > 0)
            parts << QStringLiteral("%1 %2").arg(QString::fromStdString(spec.label)).arg(*count);
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace ks::ui
