#include "ui/shell/page.h"

#include "collected_ui.h"

namespace ks::ui {

// What each folder with a page defines.
#define KS_DECLARE(folder)                                \
    namespace folder {                                    \
    std::unique_ptr<Page> makePage(PageContext& context); \
    }
KS_COLLECTED_ui(KS_DECLARE)
#undef KS_DECLARE

std::vector<MakePage> collectedPages() {
    std::vector<MakePage> all;
#define KS_ADD_PAGE(folder) all.emplace_back(&folder::makePage);
    KS_COLLECTED_ui(KS_ADD_PAGE)
#undef KS_ADD_PAGE
    return all;
}

}  // namespace ks::ui
