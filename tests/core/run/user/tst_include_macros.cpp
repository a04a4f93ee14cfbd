#include "core/run/user/include_macros.h"

#include <gtest/gtest.h>

namespace include_macros_test {

using ks::IncludeMacros;
using Defines = std::map<std::string, std::string>;

TEST(IncludeMacros, a_name_is_replaced_as_often_as_it_has_a_meaning) {
    const Defines given{{"GIVEN", "\"given.h\""}};
    IncludeMacros macros(given);
    macros.define("LIB \"lib.h\"");
    macros.define("OTHER LIB");
    macros.define("ANGLE <lib.h>");
    EXPECT_EQ(macros.expanded("LIB").text, "\"lib.h\"");
    EXPECT_EQ(macros.expanded("OTHER").text, "\"lib.h\"");
    EXPECT_EQ(macros.expanded("GIVEN").text, "\"given.h\"");
    EXPECT_EQ(macros.expanded("ANGLE").text, "<lib.h>");
    EXPECT_EQ(macros.expanded("NONE").text, "NONE");
}

TEST(IncludeMacros, a_text_is_made_of_an_argument) {
    IncludeMacros macros(Defines{});
    macros.define("TEXT_OF(x) #x");
    macros.define("TEXT(x) TEXT_OF(x)");
    macros.define("FOLDER lib");
    EXPECT_EQ(macros.expanded("TEXT(FOLDER/a.h)").text, "\"lib/a.h\"");
    EXPECT_EQ(macros.expanded("TEXT_OF( FOLDER/a.h )").text, "\"FOLDER/a.h\"");
    EXPECT_EQ(macros.expanded("TEXT").text, "TEXT");
    EXPECT_FALSE(macros.expanded("TEXT(a, b)").why_not.empty());
}

TEST(IncludeMacros, options_may_have_arguments) {
    IncludeMacros macros(Defines{{"TEXT(x)", "#x"}, {"FLAG", ""}});
    EXPECT_EQ(macros.expanded("TEXT(a.h)").text, "\"a.h\"");
    EXPECT_TRUE(macros.knows("FLAG"));
    EXPECT_FALSE(macros.knows("NONE"));
}

TEST(IncludeMacros, a_condition_says_where_a_compiler_would_make_something_else) {
    IncludeMacros macros(Defines{});
    macros.define("WIDTH 8");
    macros.define("LIB <w.h>");
    EXPECT_EQ(macros.expanded("LIB").condition, "!defined(LIB) || defined(h) || defined(w)");
    EXPECT_EQ(macros.expanded("WIDTH").condition, "!defined(WIDTH) || WIDTH != 8");
    EXPECT_EQ(macros.expanded("\"a.h\"").condition, "");
}

TEST(IncludeMacros, a_name_of_several_meanings_has_none) {
    const Defines given{{"GIVEN", "\"a.h\""}};
    IncludeMacros macros(given);
    macros.define("TWICE \"a.h\"");
    macros.define("TWICE \"a.h\"");
    macros.define("OTHER \"a.h\"");
    macros.define("OTHER \"b.h\"");
    macros.define("GIVEN \"b.h\"");
    macros.define("GONE \"a.h\"");
    macros.undefine("GONE", false);
    EXPECT_EQ(macros.expanded("TWICE").text, "\"a.h\"");
    for (const char* name : {"OTHER", "GIVEN", "GONE"})
        EXPECT_EQ(macros.expanded(name).why_not, std::string(name) + " is defined several times");
    macros.undefine("OTHER", true);
    macros.define("OTHER \"c.h\"");
    EXPECT_EQ(macros.expanded("OTHER").text, "\"c.h\"");
}

TEST(IncludeMacros, what_is_put_together_or_calls_itself_comes_to_an_end) {
    IncludeMacros macros(Defines{});
    macros.define("JOIN(a, b) a##b");
    macros.define("SELF SELF");
    macros.define("A B B B B");
    macros.define("B C C C C");
    macros.define("C D D D D");
    macros.define("D E E E E");
    macros.define("E F F F F");
    macros.define("F G G G G");
    macros.define("G long_enough_to_grow long_enough_to_grow");
    EXPECT_FALSE(macros.expanded("JOIN(\"a\", \".h\")").why_not.empty());
    EXPECT_EQ(macros.expanded("SELF").text, "SELF");
    EXPECT_FALSE(macros.expanded("A").why_not.empty());
}

}  // namespace include_macros_test
