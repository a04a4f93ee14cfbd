#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "core/run/parameter_spec.h"
#include "ui/lab/comparison.h"
#include "ui/lab/lab_table_model.h"
#include "ui/tools/tool_page.h"

namespace ks::ui::lab {

class ViewChoice;

/// What the Lab shows.
struct LabView {
    ComparedList all;
    std::vector<ParameterSpec> sizes;                  ///< of the analysis
    double BenchSample::*time = &BenchSample::kernel;  ///< that is drawn
    std::optional<std::size_t> problem = {};           ///< the one that is drawn; nothing: all, in groups
    bool running = false;
    PresentTexts texts = {};                           ///< when the tabs were drawn
    std::vector<Entry> entries = {};                   ///< of all problems
    std::vector<Entry> here = {};                      ///< of the drawn ones, fastest first
    std::vector<std::vector<std::size_t>> ties = {};   ///< of `here`
    std::vector<LabTableModel::Numbers> numbers = {};  ///< of `entries`

    /// The problem of an entry as a heading; empty if only one is drawn.
    QString groupOf(const Entry& entry) const {
        return problem ? QString()
                       : problemTexts(problemsOf(all)).value(static_cast<qsizetype>(entry.problem));
    }
    /// The variant of an entry, with its text.
    QString nameOf(const Entry& entry) const { return variantText(*entry.of, *entry.row, texts); }
    /// Colour of a benchmark, for binColour().
    int colourOf(const Compared& one) const {
        const auto at = std::ranges::find_if(all, [&](const auto& other) { return other.get() == &one; });
        return static_cast<int>(at - all.begin()) + 1;
    }
};

/// A tab of the Lab.
struct LabTab : ToolTab {
    std::function<void(const LabView&)> show;
    bool ofAllProblems = false;  ///< whichever is drawn elsewhere
};

/// What tabs use; both outlive them.
struct LabParts {
    Desk& desk;
    ViewChoice& choice;  ///< of the times that are drawn
};

/// The tabs in their order, of which settings keep the position: a new one is a row at the end, and a file
/// that defines the function of this name.
#define KS_LAB_TABS(row) row(timesTab) row(stagesTab) row(sizesTab) row(rooflineTab)
#define KS_DECLARE(tab) LabTab tab(const LabParts& parts);
KS_LAB_TABS(KS_DECLARE)
#undef KS_DECLARE

}  // namespace ks::ui::lab
