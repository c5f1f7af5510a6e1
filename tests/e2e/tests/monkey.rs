//! A monkey on the page: presses whatever can be pressed, by pointer and by keys, in an
//! order that a seed gives. The page must neither fail nor have anything to complain of.

use std::env;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use e2e::{Page, in_chrome, serve};
use fantoccini::key::Key;

/// How long it goes on.
const LASTS: Duration = Duration::from_secs(120);

/// Names another seed, to do again what failed.
const SEED: &str = "FENCEPOST_SEED";

/// Draws that depend on the seed alone.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        // Xorshift: enough to be erratic.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn seed() -> u64 {
    let named = env::var(SEED).ok().and_then(|text| text.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs());
    named.unwrap_or_else(now).max(1)
}

/// What can be pressed: the place of each in the window is found when it is pressed.
const CONTROLS: &str = "[...document.querySelectorAll('button, input, select, summary, textarea, \
    [tabindex=\"0\"], a[href^=\"#\"]')].filter(it => !it.disabled && it.checkVisibility())";

const KEYS: [Key; 10] = [
    Key::Tab,
    Key::Enter,
    Key::Space,
    Key::Escape,
    Key::Left,
    Key::Right,
    Key::Up,
    Key::Down,
    Key::PageDown,
    Key::Home,
];

async fn act(page: &Page, draws: &mut Draws) {
    if draws.below(3) == 0 {
        return page.press(KEYS[draws.below(KEYS.len())]).await;
    }
    let count = page.value(&format!("{CONTROLS}.length")).await;
    let count = count.as_u64().unwrap_or_default() as usize;
    if count == 0 {
        return;
    }
    let at = draws.below(count);
    let place = format!(
        "(it => {{ if (!it) return null; it.scrollIntoView({{ block: 'center' }}); \
         const r = it.getBoundingClientRect(); \
         return [r.x + r.width / 2, r.y + r.height / 2]; }})({CONTROLS}[{at}])"
    );
    let place = page.value(&place).await;
    if let (Some(x), Some(y)) = (place[0].as_f64(), place[1].as_f64()) {
        page.press_at(x, y).await;
    }
    // Now and then something is typed there.
    if draws.below(4) == 0 {
        let typed = ["0", "7", "-", "45", "x"][draws.below(5)];
        for letter in typed.chars() {
            page.press_letter(letter).await;
        }
    }
}

#[tokio::test]
#[ignore = "`cargo xtask soak` runs it: two minutes"]
async fn a_monkey_finds_nothing_that_fails() {
    let server = serve(|_| {});
    let url = server.url();
    let seed = seed();
    println!("the monkey's seed is {seed}; {SEED}={seed} does the same again");
    in_chrome(async move |page| {
        page.open(&url).await;
        page.see("button.primary").await;
        let mut draws = Draws(seed);
        let begun = Instant::now();
        let mut acts = 0_u32;
        while begun.elapsed() < LASTS {
            act(&page, &mut draws).await;
            acts += 1;
            let failed = page.value("!document.getElementById('failure').hidden").await;
            let said = page.value("document.getElementById('failure-detail').textContent").await;
            assert_eq!(failed, false, "seed {seed}, act {acts}: {said}");
        }
        assert_eq!(page.errors().await, Vec::<String>::new(), "seed {seed}");
        println!("{acts} acts in {} s", LASTS.as_secs());
        assert!(acts > 100, "{acts} acts");
    })
    .await;
}
