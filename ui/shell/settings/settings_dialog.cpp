#include "ui/shell/settings/settings_dialog.h"

#include <cmath>
#include <system_error>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>

#include "core/base/cache_folder.h"
#include "core/base/threads.h"
#include "ui/base/appearance.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/shell/bars/detector_offer.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session/session_questions.h"
#include "ui/shell/settings/run_settings.h"

namespace ks::ui {
namespace {

constexpr double bytesInGB = 1e9;
constexpr double smallestMemory = 0.001, largestMemory = 1e6;  ///< GB

std::filesystem::path programsFolder() {
    const std::filesystem::path cache = cache_folder();
    return cache.empty() ? cache : cache / "programs";
}

QString textOfPath(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

void describeSetting(QWidget* widget, const QString& name, const QString& tip) {
    widget->setAccessibleName(name);
    widget->setToolTip(tip);
}

}  // namespace

std::uint64_t bytesIn(const std::filesystem::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code none;
    const auto how = std::filesystem::directory_options::skip_permission_denied;
    for (std::filesystem::recursive_directory_iterator at(folder, how, none), end; !none && at != end;
         at.increment(none)) {
        std::error_code gone;
        if (!at->is_regular_file(gone)) continue;
        const std::uintmax_t size = at->file_size(gone);
        if (!gone) bytes += size;
    }
    return bytes;
}

SettingsDialog::SettingsDialog(MainWindow& window)
    : QDialog(&window),
      window_(window),
      device_(new QComboBox),
      theme_(new QComboBox),
      session_(new QComboBox),
      memory_(new NumberBox),
      threads_(new WholeBox),
      kernelLimit_(new WholeBox),
      tuned_(new QCheckBox(tr("&Use tuned values"))),
      size_(new QLabel),
      clear_(new QPushButton(tr("C&lear"))),
      tour_(new QCheckBox(tr("Show the &tour at the next start"))),
      detector_(new QCheckBox(tr("&Always use mask and geometry of the previous file"))) {
    setWindowTitle(tr("Settings"));
    build();

    connect(device_, &QComboBox::activated, this,
            [this](int index) { window_.devices().setCurrentIndex(index); });
    connect(&window_.devices(), &QComboBox::currentIndexChanged, this, &SettingsDialog::showDevice);
    connect(&window_.worker(), &WorkerClient::catalogueReady, this, &SettingsDialog::showDevice,
            Qt::QueuedConnection);
    connect(memory_, &QDoubleSpinBox::valueChanged, this, [this](double gigabytes) {
        setMemoryLimit(window_.settings(),
                       gigabytes > 0 ? std::optional(static_cast<std::uint64_t>(
                                           std::llround(std::max(gigabytes, smallestMemory) * bytesInGB)))
                                     : std::nullopt);
    });
    connect(kernelLimit_, &QSpinBox::valueChanged, this, [this](int seconds) {
        window_.settings().setValue(kernelLimitKey, seconds);
        window_.worker().setKernelLimit(ks::ui::kernelLimit(window_.settings()));
    });
    connect(tuned_, &QCheckBox::toggled, this,
            [this](bool on) { window_.settings().setValue(tunedValuesKey, on); });
    threadsSoon_.setSingleShot(true);
    threadsSoon_.setInterval(600);
    connect(threads_, &QSpinBox::valueChanged, this, [this] { threadsSoon_.start(); });
    connect(&threadsSoon_, &QTimer::timeout, this, &SettingsDialog::applyThreads);
    connect(theme_, &QComboBox::activated, this, [this] {
        window_.action(QStringLiteral("theme-") + theme_->currentData().toString())->trigger();
    });
    connect(session_, &QComboBox::activated, this,
            [this](int index) { setSessionStart(window_.settings(), static_cast<SessionStart>(index)); });
    connect(tour_, &QCheckBox::toggled, this,
            [this](bool again) { window_.settings().setValue(tourSeenKey, !again); });
    connect(detector_, &QCheckBox::toggled, this,
            [this](bool on) { window_.settings().setValue(detectorAlwaysKey, on); });
    connect(clear_, &QPushButton::clicked, this, &SettingsDialog::emptyCache);
    new Restyled(this, Restyled::By::palette, [this] {
        if (isVisible()) theme_->setCurrentIndex(theme_->findData(nameOf(appearance())));
    });
}

void SettingsDialog::build() {
    describeRuns();
    describeWindow();
    layOut();
}

void SettingsDialog::describeRuns() {
    describeSetting(device_, tr("Device"), tr("Device that runs the kernels, now and at the next start"));
    device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    device_->setMinimumContentsLength(32);
    memory_->setRange(0, largestMemory);
    memory_->setSuffix(tr(" GB"));
    memory_->setAlignment(Qt::AlignLeft);
    memory_->setSpecialValueText(tr("no limit"));
    memory_->setMinimumWidth(fontMetrics().horizontalAdvance(memory_->specialValueText()) + 48);
    describeSetting(memory_, tr("Memory limit"),
                    tr("Limit of the device memory for a run, in GB; 0: no limit. If the variant supports "
                       "it, larger data are processed in parts"));
    threads_->setRange(0, static_cast<int>(max_threads_asked));
    threads_->setSpecialValueText(tr("one per processor"));
    describeSetting(
        threads_, tr("Threads"),
        tr("Compute threads on this computer; 0: one per processor. A change restarts the compute process"));
    kernelLimit_->setRange(0, longestKernelLimit);
    kernelLimit_->setSuffix(tr(" s"));
    kernelLimit_->setSpecialValueText(tr("none"));
    describeSetting(kernelLimit_, tr("Time limit of a kernel"),
                    tr("Time after which the process of a kernel is stopped; 0: no limit. The limit applies "
                       "to your kernels, and to all kernels in guarded runs"));
    describeSetting(tuned_, tr("Use tuned values"),
                    tr("Runs use your table of tuned values. If the table has no values for the device and "
                       "kind of problem, the built-in values are used"));
    describeSetting(size_, tr("Size of the kernel cache"), tr("Total size of the compiled kernels"));
    describeSetting(clear_, tr("Clear the kernel cache"),
                    tr("Delete the compiled kernels; each is compiled again at its next use"));
    clear_->setAutoDefault(false);
}

void SettingsDialog::describeWindow() {
    for (const auto& [text, one] :
         {std::pair(tr("System"), Appearance::desktop), std::pair(tr("Light"), Appearance::light),
          std::pair(tr("Dark"), Appearance::dark)})
        theme_->addItem(text, nameOf(one));
    describeSetting(theme_, tr("Theme"), tr("Colours of the window"));
    // in the order of SessionStart
    session_->addItems({tr("Restore last session"), tr("Ask"), tr("Start with an empty window")});
    describeSetting(session_, tr("Start"),
                    tr("What happens to the last session when Kernelscope is started without a file"));
    describeSetting(detector_, tr("Mask and geometry of the previous file"),
                    tr("A file whose frames have the same shape as those of the previous file gets its mask "
                       "and geometry without a question"));
    describeSetting(tour_, tr("Tour"), tr("Five cards that explain the parts of the window"));
}

void SettingsDialog::layOut() {
    const std::filesystem::path programs = programsFolder();
    auto* place = new QLabel(programs.empty() ? tr("No folder available: kernels are always compiled again")
                                              : textOfPath(programs));
    place->setTextInteractionFlags(Qt::TextSelectableByMouse);
    place->setWordWrap(true);
    describeSetting(place, tr("Folder of the kernel cache"), tr("Where compiled kernels are stored"));
    auto* rows = new QFormLayout;
    rows->setHorizontalSpacing(16);
    rows->setVerticalSpacing(10);
    rows->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    rows->addRow(tr("&Device"), device_);
    rows->addRow(tr("&Memory limit"), memory_);
    rows->addRow(tr("T&hreads"), threads_);
    rows->addRow(tr("Time limit of a &kernel"), kernelLimit_);
    rows->addRow(QString(), tuned_);
    auto* cache = new QWidget;
    cache->setLayout(inColumns({size_, clear_, Cell::space()}));
    rows->addRow(tr("Kernel cache"), cache);
    rows->addRow(QString(), place);
    rows->addRow(tr("Th&eme"), theme_);
    rows->addRow(tr("&Start"), session_);
    rows->addRow(tr("Next file"), detector_);
    rows->addRow(QString(), tour_);
    place->setMinimumWidth(360);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Every change applies immediately"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setLayout(inRows({rows, Cell::space(), buttons}, 16, {16, 16, 16, 12}));
}

void SettingsDialog::showValues() {
    const QSignalBlocker quiet[] = {QSignalBlocker(memory_),      QSignalBlocker(threads_),
                                    QSignalBlocker(tour_),        QSignalBlocker(detector_),
                                    QSignalBlocker(kernelLimit_), QSignalBlocker(tuned_)};
    showDevice();
    const auto limit = memoryLimit(window_.settings());
    memory_->setValue(limit ? static_cast<double>(*limit) / bytesInGB : 0);
    threads_->setValue(static_cast<int>(thread_limit().value_or(0)));
    const auto kernel = ks::ui::kernelLimit(window_.settings());
    kernelLimit_->setValue(
        kernel ? static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(*kernel).count()) : 0);
    tuned_->setChecked(usesTunedValues(window_.settings()));
    theme_->setCurrentIndex(theme_->findData(nameOf(appearance())));
    session_->setCurrentIndex(static_cast<int>(sessionStart(window_.settings())));
    detector_->setChecked(window_.settings().value(detectorAlwaysKey, false).toBool());
    tour_->setChecked(!window_.settings().value(tourSeenKey, false).toBool());
}

void SettingsDialog::showDevice() {
    const QComboBox& all = window_.devices();
    device_->clear();
    for (int i = 0; i < all.count(); ++i) device_->addItem(all.itemText(i));
    device_->setCurrentIndex(all.currentIndex());
    device_->setEnabled(all.isEnabled());
}

void SettingsDialog::focusThreads() {
    threads_->setFocus();
    threads_->selectAll();
}

void SettingsDialog::applyThreads() {
    threadsSoon_.stop();
    // The worker that would be restarted is busy.
    if (!window_.action(QStringLiteral("threads"))->isEnabled()) return threadsSoon_.start();
    const int threads = threads_->value();
    window_.setThreads(threads > 0 ? std::optional(static_cast<unsigned>(threads)) : std::nullopt);
}

void SettingsDialog::measureCache() {
    size_->setText(tr("measuring"));
    window_.jobs().start(
        Jobs::Lane::general, this, QStringLiteral("size of the kernel cache"),
        [folder = programsFolder()] { return bytesIn(folder); },
        [this](std::uint64_t bytes) {
            size_->setText(bytes > 0 ? formatBytes(bytes) : tr("empty"));
            clear_->setEnabled(bytes > 0);
            emit cacheMeasured();
        });
}

void SettingsDialog::emptyCache() {
    clear_->setEnabled(false);
    window_.jobs().start(
        Jobs::Lane::general, this, QStringLiteral("empty the kernel cache"),
        [folder = programsFolder()] {
            std::error_code failed;
            if (!folder.empty()) std::filesystem::remove_all(folder, failed);
            if (failed)
                throw Error(ErrorKind::run, "the kernel cache could not be deleted: " + failed.message(),
                            folder.string());
            return true;
        },
        [this](bool) { measureCache(); });
}

void SettingsDialog::showEvent(QShowEvent* event) {
    showValues();
    measureCache();
    QDialog::showEvent(event);
}

// The menu View sets it, too.
void SettingsDialog::hideEvent(QHideEvent* event) {
    if (threadsSoon_.isActive()) applyThreads();
    QDialog::hideEvent(event);
}

}  // namespace ks::ui
