#pragma once

#include <QHash>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/kernels/resolved_source.h"
#include "core/run/variant.h"
#include "ui/kernels/kernel_trial.h"
#include "ui/kernels/watched_file.h"

class QComboBox;
class QLabel;
class QLayout;
class QListWidget;
class QPushButton;

namespace ks::ui {

class DefineFields;
class KernelEditor;
class TrialView;
class UserKernelList;

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

    /// What a trial can work on; the first is taken unless a hand chose another one.
    void setDataChoices(const std::vector<TrialDataChoice>& choices);

    /// What came of the newest trial, where its kernel isOpen().
    bool isOpen(const KernelTrial& trial) const;
    void setRunning(const QString& what);
    void setResult(const TrialResult& result);
    void setError(const Error& error);

    /// What copyWanted() would copy.
    void setCopied(const QString& variant);

    QListWidget& list();
    KernelEditor& editor() { return *editor_; }
    DefineFields& defines() { return *defines_; }
    QLabel& result();
    QLabel& notice() { return *notice_; }
    QListWidget& messages();
    QComboBox& data() { return *data_; }
    QPushButton& runButton() { return *run_; }
    QPushButton& reloadButton() { return *reload_; }
    QPushButton& keepButton() { return *keep_; }

  signals:
    void trialWanted(const ks::ui::KernelTrial& trial);
    /// A copy of a variant is wanted, which whoever knows the chosen one gives by copy().
    void copyWanted();
    /// A line of a kernel file of the program.
    void placeWanted(const ks::SourcePlace& place);
    /// The place of the newest result's largest error.
    void worstPlaceWanted();
    /// Another one is edited: the id of its variant.
    void opened(const QString& id);
    /// One was added, removed or renamed.
    void listChanged();
    void failed(const ks::Error& error);
    /// The compiler refused the open kernel, that of variant `id`, in the newest trial.
    void buildFailed(const QString& id, const ks::Error& error);

  protected:
    void hideEvent(QHideEvent* event) override;

  private:
    QWidget* makeEditor();
    QLayout* makeTop();
    void connectParts();
    void fillList();
    void showOpen();
    void readHeader();
    void setDefine(const QString& name, const QString& value);
    void takeOutside(const QString& text);
    void askRename();
    void askRemove();
    std::optional<TrialData> chosenData() const;
    QString id() const;  ///< of the open one
    const Variant* base() const;
    /// Says it where the hand is, and to whoever listens.
    void tell(const Error& error);
    /// Whether what is written below the text is of that text.
    void showAge();
    std::string file() const { return file_.file().toStdString(); }
    /// Calls a function, and tells what it throws.
    template <class Do>
    bool guardedBy(const Do& act);

    QString analysis_;
    std::vector<Variant> variants_;
    std::map<std::string, std::string> kernelFiles_;
    std::map<QString, QString> openBefore_;  ///< name of the kernel that was open last, by analysis
    WatchedFile file_;
    std::optional<QString> ranText_;  ///< of the newest trial of the open kernel
    std::optional<QString> outside_;  ///< text of the file, where it is neither ours nor taken
    std::string baseId_;
    QTimer header_;
    std::vector<TrialDataChoice> choices_;
    std::optional<TrialData> wantedData_;  ///< by hand
    UserKernelList* list_;
    QLabel *what_, *notice_;
    QWidget* conflict_;
    QPushButton *reload_, *keep_, *run_;
    QComboBox* data_;
    DefineFields* defines_;
    KernelEditor* editor_;
    TrialView* trial_;
};

}  // namespace ks::ui
