#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/run/run.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

/// The runs that a page shows: the ticked ones of its analysis, newest first, and a preview that stands
/// before them while a hand is moving. Tells which of them are of the data that the page holds.
class RunChoice {
  public:
    /// @param ofData whether a run is of the page's data as they are now; asked anew each time
    explicit RunChoice(std::function<bool(const Run& run)> ofData) : ofData_(std::move(ofData)) {}

    /// As Page::setRuns(). Returns whether the newest one is newer than that before.
    bool setTicked(std::vector<RunRow> rows);
    /// Another Run took the place of this number's: it was checked, or has more results. Without effect where
    /// it is not ticked.
    void replace(const RunRow& row);
    const std::vector<RunRow>& ticked() const { return ticked_; }
    /// The ticked runs of the page's data.
    std::vector<RunRow> ofData() const;
    bool isOfData(const RunRow& row) const { return ofData_(*row.run); }

    /// Null: there is none. Returns false where nothing changed: there was none before.
    bool setPreview(std::shared_ptr<const Run> run);
    const std::shared_ptr<const Run>& preview() const { return preview_; }
    /// The preview, as a row of number 0, then the ticked runs: those of the page's data.
    std::vector<RunRow> shown() const;

  private:
    std::function<bool(const Run& run)> ofData_;
    std::vector<RunRow> ticked_;
    std::shared_ptr<const Run> preview_;
};

}  // namespace ks::ui
