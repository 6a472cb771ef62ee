//! Inside `report/markup`.

use grognard_report::markup::*;

#[test]
fn nothing_escapes() {
    let mut page = Markup::default();
    page.content("text", &[("class", "\"><script>".into())], "a & 'b' ]]> \u{1b}[2J\u{ffff}");
    page.lines("pre", &[], "one\n</pre><script>\n\u{202e}two");
    let text = page.finish();
    assert!(!text.contains("<script") && !text.contains('\u{1b}') && !text.contains('\u{ffff}'));
    assert!(!text.contains('\u{202e}') && text.contains("one\n&lt;/pre&gt;&lt;script&gt;\n\u{fffd}two</pre>"));
    assert!(text.contains("&quot;&gt;&lt;script&gt;") && text.contains("a &amp; &#39;b&#39; ]]&gt;"));
}
