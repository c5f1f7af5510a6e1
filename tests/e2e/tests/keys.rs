//! The first lesson by keys alone, as the browser gives them: Tab, Enter and Space.

use e2e::{Page, in_chrome, serve};
use fantoccini::key::Key;

/// So many keys lead from the open page to the accepted stale write: three Tabs to
/// *Start* (the page's bar has two buttons before it), and a press each for *Start*,
/// *Pause* and *Just run*.
const TO_THE_DAMAGE: usize = 6;

/// One more leads to its refusal.
const TO_THE_CURE: usize = 7;

/// Counts the keys that are pressed.
struct Hands {
    page: Page,
    pressed: usize,
}

impl Hands {
    async fn press(&mut self, key: Key) {
        self.page.press(key).await;
        self.pressed += 1;
    }

    /// Presses Tab until that has the focus.
    async fn tab_to(&mut self, name: &str) {
        while self.page.focused().await != name {
            assert!(self.pressed < TO_THE_CURE, "no Tab leads to “{name}”");
            self.press(Key::Tab).await;
        }
    }
}

#[tokio::test]
async fn the_first_lesson_is_done_by_a_handful_of_keys() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        page.see("#next").await;
        let mut hands = Hands { page: page.clone(), pressed: 0 };
        hands.tab_to("Start").await;
        hands.press(Key::Enter).await;
        page.wait_for_focus("Pause W1").await;
        hands.press(Key::Space).await;
        page.wait_for_focus("Just run").await;
        hands.press(Key::Enter).await;
        let again = "Check tokens and run the same clicks again";
        page.wait_for_focus(again).await;
        let strip = page.text(".verdict").await;
        assert!(strip.contains("broken"), "{strip}");
        assert!(hands.pressed <= TO_THE_DAMAGE, "{} keys", hands.pressed);
        hands.press(Key::Space).await;
        page.wait_for_focus("Next lesson: Claim before you read").await;
        let strip = page.text(".verdict").await;
        assert!(strip.contains("kept"), "{strip}");
        assert!(hands.pressed <= TO_THE_CURE, "{} keys", hands.pressed);
    })
    .await;
}
