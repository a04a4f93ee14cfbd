#pragma once

#include <optional>
#include <vector>

#include "core/data/geometry.h"
#include "core/run/request.h"
#include "ui/shell/session/page_state.h"
#include "ui/xpcs/partition_form.h"

namespace ks::ui {
struct MaskState;
}

namespace ks::ui::xpcs {

// Bins in a session, a project or a saved run.

/// @param levels the fields from which the choice was made
/// @param off labels of the bins that are turned off
void keepBins(PageState& state, const PartitionChoice& choice, const LevelsForm::Fields& levels,
              const std::vector<int>& off);

struct KeptBins {
    PartitionChoice choice;
    std::optional<LevelsForm::Fields> rule;  ///< see LevelsForm::setRecipe()
    std::vector<int> off;
};
/// Restores what keepBins() wrote. The input is validated.
/// @param now the present choice, for absent entries
KeptBins keptBins(const PageState& state, const Geometry& geometry, PartitionChoice now);

/// AnalysisPage::ofRequest().
/// @param shown recipe of the form, for bins that are no rings
std::optional<PageState> binsOfRequest(const Request& request, const Geometry& geometry, MaskState& drawn,
                                       const PartitionRecipe& shown);

}  // namespace ks::ui::xpcs
