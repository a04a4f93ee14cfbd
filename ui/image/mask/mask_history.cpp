#include "ui/image/mask/mask_history.h"

#include "ui/base/history.h"
#include "ui/image/mask/session_mask.h"

namespace ks::ui {

void keepSteps(History& history, SessionMask& mask) {
    RegionEditor& editor = mask.editor();
    QObject::connect(&editor, &RegionEditor::stepMade, &history, [&](quint64 step, const QString& name) {
        if (mask.loading()) return;
        // The editor's order equals that of the history, unless steps were taken elsewhere.
        history.add({name.toLower(),
                     &editor,
                     {},
                     [&editor, step] {
                         if (editor.undoStep() == step) editor.undo();
                     },
                     [&editor, step] {
                         if (editor.redoStep() == step) editor.redo();
                     },
                     true});
    });
    QObject::connect(&editor, &RegionEditor::historyChanged, &history,
                     [&] { history.setHeld(&editor, editor.drawing()); });
    QObject::connect(&editor, &RegionEditor::reset, &history, [&history] { history.clear(); });
}

}  // namespace ks::ui
