#pragma once

#include <QList>
#include <QString>
#include <QUrl>

namespace ks::ui {

/// One block of text of a page as it is shown: a paragraph, a heading, a cell of a table.
struct ManualBlock {
    QString text;
    int heading = 0;  ///< its level, 1 to 6; 0: none
};

/// A page of the manual that is built into the program.
struct ManualPage {
    QString name;  ///< "tutorial/xpcs.md"
    QString title;
    QList<ManualBlock> blocks;  ///< in the order of the document's
};

/// In the order of the contents; read once.
const QList<ManualPage>& manualPages();
/// Null: there is none of this name.
const ManualPage* manualPage(const QString& name);
/// Of the analysis, else of the tutorial.
QString manualPageOf(const QString& analysis);

QUrl manualUrl(const QString& name);
/// "tutorial/xpcs.md"; empty: not of the manual.
QString manualName(const QUrl& url);

/// Markdown of a page as it is rendered: pictures that are not there are left out, and of links to documents
/// that are not built in the text stays. Empty: there is none.
QString manualText(const QString& name);
/// File of a picture that pages name as "images/NAME"; empty: it is neither installed nor in the source tree.
QString manualPicture(const QString& leaf);
/// Of the heading that "#anchor" names, as web sites of repositories make anchors; -1: none.
int manualBlockOf(const ManualPage& page, const QString& anchor);

}  // namespace ks::ui
