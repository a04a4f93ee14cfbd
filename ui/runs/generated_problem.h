#pragma once

#include <QString>
#include <memory>

#include "core/io/files/temporary_folder.h"
#include "core/run/analysis.h"

namespace ks::ui {

/// How large a problem is that an analysis makes by itself.
enum class GeneratedSize {
    small,  ///< AnalysisInfo::small: a run takes no time beside the building of its kernels
    usual   ///< given sizes, and the defaults of its benchmark for the others, as the page Lab takes them
};

/// A problem that an analysis made, as a request that reads it.
struct GeneratedProblem {
    Request request;                                    ///< analysis, inputs and parameters
    ParameterSet sizes;                                 ///< complete
    std::shared_ptr<const io::TemporaryFolder> folder;  ///< holds the files; null: the request reads none
};

/// Whether an analysis has problems of this size.
bool canGenerate(const Analysis& analysis, GeneratedSize size);
/// Makes it, and writes its files. Throws ks::Error(input) where the analysis has none.
/// @param given sizes of a problem of the usual size
GeneratedProblem generatedProblem(const Analysis& analysis, GeneratedSize size, Progress& progress,
                                  const ParameterSet& given = {});
/// "Frames 64, Height 32, Width 32": its whole numbers above 0.
QString sizesText(const AnalysisInfo& info, const ParameterSet& sizes);

}  // namespace ks::ui
