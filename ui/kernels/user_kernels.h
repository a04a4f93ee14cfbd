#pragma once

#include <QHash>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/kernels/resolved_source.h"
#include "core/run/run.h"
#include "core/run/user/user_variant_folder.h"
#include "ui/kernels/watched_file.h"

class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;
class QToolButton;

namespace ks::ui {

class DefineFields;
class KernelEditor;

/// A kernel of the user's own that is to be run, as it lies in its file.
struct KernelTrial {
    QString analysis, id, base;
};

/// The user's own kernels of one analysis: their list, and one of them to be edited. F7 saves it and asks for
/// a run; what came of it is shown below the text, messages of the compiler at their lines.
class UserKernels : public QWidget {
    Q_OBJECT
  public:
    explicit UserKernels(QWidget* parent = nullptr);
    /// Saves what was edited.
    ~UserKernels() override;

    /// Where they lie; at first user_variants_folder().
    void setFolder(const QString& folder);
    /// @param variants of the analysis on the device @param kernelFiles texts by path
    void setAnalysis(const QString& analysis, const std::vector<Variant>& variants,
                     const std::map<std::string, std::string>& kernelFiles);
    /// Copies a variant under a name, and opens the copy. Failures are told by failed().
    bool copy(const Variant& of, const QString& name);
    /// A name that is not taken: "gram.tiled-2".
    QString freeName(const Variant& of) const;
    /// Saves what was edited and opens another one.
    bool open(const QString& name);
    QString name() const;
    bool save();
    void run();
    void rename(const QString& to);
    void remove();

    // What came of the newest trial.
    void setRunning(const QString& what);
    /// @param base the newest run of its base on the same inputs; null: there is none yet
    void setResult(const Run& run, const Run* base);
    void setError(const Error& error);

    QListWidget& list() { return *list_; }
    KernelEditor& editor() { return *editor_; }
    DefineFields& defines() { return *defines_; }
    QLabel& result() { return *result_; }
    QLabel& notice() { return *notice_; }
    QListWidget& messages() { return *messages_; }
    QPushButton& reloadButton() { return *reload_; }
    QPushButton& keepButton() { return *keep_; }

  signals:
    void trialWanted(const ks::ui::KernelTrial& trial);
    /// A copy of a variant is wanted, which whoever knows the chosen one gives by copy().
    void copyWanted();
    /// A line of a kernel file of the program.
    void placeWanted(const ks::SourcePlace& place);
    /// One was added, removed or renamed.
    void listChanged();
    void failed(const ks::Error& error);

  protected:
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QWidget* makeList();
    QWidget* makeEditor();
    void makeActions();
    void fillList();
    void choose(QListWidgetItem* item);
    void showOpen();
    void readHeader();
    void setDefine(const QString& name, const QString& value);
    void takeOutside(const QString& text);
    void showConflict(const QString& text);
    void askRename();
    void askRemove();
    void showBuildMessages(const Error& error);
    const Variant* base() const;
    std::string file() const { return file_.file().toStdString(); }
    /// Calls a function, and tells what it throws.
    template <class Do>
    bool guardedBy(const Do& act);

    QString folder_, analysis_;
    std::vector<Variant> variants_;
    std::map<std::string, std::string> kernelFiles_;
    std::map<QString, QString> files_;  ///< by name
    WatchedFile file_;
    std::optional<QString> outside_;  ///< text of the file, where it is neither ours nor taken
    std::string baseId_;
    QTimer header_;
    std::function<QString()> resultText_;  ///< in the colours of the palette; null: plain
    QListWidget *list_, *messages_;
    QLabel *what_, *result_, *notice_;
    QWidget* conflict_;
    QPushButton *reload_, *keep_, *run_;
    DefineFields* defines_;
    KernelEditor* editor_;
    QWidget* right_;
};

}  // namespace ks::ui
