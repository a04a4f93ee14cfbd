#pragma once

#include <QString>
#include <QWidget>
#include <memory>

#include "core/run/request.h"
#include "ui/base/history.h"
#include "ui/shell/session/page_state.h"

class QLineEdit;

namespace ks::ui {
class WatchedInputs;
}  // namespace ks::ui

namespace ks::ui::xpcs {

/// Files of the dark and the flat field, "FILE" or "FILE::/path"; empty: none.
struct CorrectionFiles {
    QString dark, flat;
    bool operator==(const CorrectionFiles&) const = default;

    bool any() const { return !dark.isEmpty() || !flat.isEmpty(); }
    void fill(Request& request) const;
    static CorrectionFiles of(const Request& request);
    void keep(PageState& state) const;
    static CorrectionFiles of(const PageState& state);
    /// Watches those besides the open file, which is watched by others.
    /// @param open its path
    void watch(WatchedInputs& inputs, const QString& open) const;
};

/// Fields for the files of dark and flat field.
class CorrectionForm : public QWidget {
    Q_OBJECT
  public:
    explicit CorrectionForm(QWidget* parent = nullptr);

    const CorrectionFiles& files() const { return files_; }
    /// Emits nothing, and is no step of the history.
    void setFiles(const CorrectionFiles& files);
    /// Records edits as steps of the history, which must outlive the form.
    void keepSteps(History& history);

  signals:
    void changed();

  private:
    void take();

    CorrectionFiles files_;
    std::unique_ptr<Undoable<CorrectionFiles>> steps_;  ///< null: not recorded
    QLineEdit *dark_, *flat_;
};

}  // namespace ks::ui::xpcs
