//! The diagram as it is drawn.

use e2e::{in_chrome, serve};

/// Two workers that ask again and again: their messages cross whatever stands on a bar.
#[tokio::test]
async fn words_on_a_bar_have_its_ground_around_them_where_messages_cross_it() {
    let server = serve(|_| {});
    let url = format!("{}?scenario=batch-incident", server.url());
    in_chrome(async move |page| {
        page.open(&url).await;
        page.see("#to-end").await;
        page.value("document.getElementById('to-end').click()").await;
        page.wait_until(
            "[...document.querySelectorAll('.word')].some((it) => \
             it.textContent.includes('waits for the lock'))",
        )
        .await;
        let bare = "[...document.querySelectorAll('.word.of-lane')].filter((it) => \
                    getComputedStyle(it).stroke === 'none').map((it) => it.textContent)";
        assert_eq!(page.value(bare).await, serde_json::json!([]));
    })
    .await;
}
