#include "core/basics/exercise_analysis.h"

#include <utility>

#include "core/record/result_file.h"
#include "core/record/run_record.h"

namespace ks::basics {

Exercise exercise(int place, const char* source, AnalysisFunctions functions, std::vector<HostRow> on_host) {
    AnalysisInfo& info = functions.info;
    info.group = group;
    info.benchmark = info.parameters;
    info.reference = "host.reference";
    functions.save = io::write_result;
    functions.open = io::read_run_record;
    functions.save_csv = io::write_result_table;
    std::vector<HostVariant> variants;
    for (HostRow& row : on_host)
        variants.push_back({{.analysis = info.id,
                             .id = row.id,
                             .title = row.title,
                             .description = row.description,
                             .source_file = source,
                             .rank = row.rank},
                            std::move(row.launch)});
    return {place, Analysis(std::move(functions)), std::move(variants)};
}

Verdict failed(const std::string& where, const std::string& why, Verdict verdict) {
    verdict.state = Verdict::State::fail;
    verdict.where = where;
    verdict.text = "fail: " + why;
    return verdict;
}

}  // namespace ks::basics
