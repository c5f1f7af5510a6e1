//! A run from a link, in the built page.

use e2e::{in_chrome, serve};

#[tokio::test]
async fn the_page_opens_on_the_run_of_a_link_and_gives_the_same_link_away() {
    let server = serve(|_| {});
    let link = "v=1&scenario=reconcile&click=25000000:pause(for_ms=45000,node=W1)&at=60000000";
    let url = format!("{}#{link}", server.url());
    in_chrome(async move |page| {
        page.open(&url).await;
        page.see("#share").await.click().await.expect("a click");
        page.see("#share-link").await;
        let given = page.value("document.getElementById('share-link').value").await;
        let given = given.as_str().unwrap_or_default().to_owned();
        assert!(given.starts_with(&url), "{given}");
        // The model's number rises with the model.
        assert!(given.contains("&model=") && given.contains("&outcome="), "{given}");
        assert_eq!(page.errors().await, Vec::<String>::new());
    })
    .await;
}
