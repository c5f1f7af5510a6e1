use super::read::when_empty;
use super::{At, Choice, Read, Table, Tree, choices, table, tagged};

table! {
    #[derive(Debug, PartialEq)]
    struct Garden {
        name: String,
        beds as "bed": Vec<Bed> = Vec::new(),
        tool: Option<Tool> = None,
        notes: Table = Table::new(),
    }
}

table! {
    #[derive(Debug, PartialEq)]
    struct Bed {
        crop: Crop = Crop::Beans,
        width_cm: u8 = 120,
    }
}

tagged! {
    #[derive(Debug, PartialEq)]
    enum Tool {
        Spade as "spade" {},
        Hose as "hose" { length_m: i64, leaks_ppm: u32 = 0 },
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Crop {
    Beans,
    WinterPeas,
}

choices! {
    Crop {
        Beans = "beans",
        WinterPeas = "winter-peas",
    }
}

fn garden(text: &str) -> Result<Garden, String> {
    let read = |tree: Tree| Garden::read(&tree, &At::TOP);
    Tree::from_toml(text).and_then(read).map_err(|mistake| mistake.to_string())
}

#[track_caller]
fn check_mistake(text: &str, sentence: &str) {
    assert_eq!(garden(text), Err(sentence.to_owned()));
}

#[test]
fn what_a_file_leaves_out_has_its_default() {
    let text = "name = 'Mine'\n[[bed]]\ncrop = 'winter-peas'\n[[bed]]\nwidth_cm = 8\n";
    let found = garden(text).expect("it is right");
    let beds =
        vec![Bed { crop: Crop::WinterPeas, width_cm: 120 }, Bed { crop: Crop::Beans, width_cm: 8 }];
    assert_eq!(found, Garden { name: "Mine".into(), beds, tool: None, notes: Table::new() });
    assert_eq!(when_empty(), Ok(Bed { crop: Crop::Beans, width_cm: 120 }));
    assert!(when_empty::<Garden>().is_err(), "its name has no default");
}

#[test]
fn a_tagged_table_holds_one_thing() {
    let tool = |tool: &str| garden(&format!("name = 'a'\n{tool}\n")).map(|garden| garden.tool);
    assert_eq!(tool("tool.spade = {}"), Ok(Some(Tool::Spade {})));
    let hose = Tool::Hose { length_m: 20, leaks_ppm: 0 };
    assert_eq!(hose.name(), "hose");
    assert_eq!(tool("[tool.hose]\nlength_m = 20"), Ok(Some(hose)));
    check_mistake(
        "name = 'a'\n\ntool.spade = {}\ntool.hose = { length_m = 3 }",
        "line 3, tool: this has to be one thing, and is 2",
    );
    check_mistake("name = 'a'\ntool = {}", "line 2, tool: this has to be one thing, and is 0");
    check_mistake(
        "name = 'a'\ntool.rake = {}",
        "line 2, tool: there is no `rake` to choose here; there are spade, hose",
    );
    check_mistake("name = 'a'\ntool.hose = {}", "line 2, tool, hose: `length_m` is missing");
}

#[test]
fn a_mistake_is_located_by_line_and_way() {
    check_mistake("", "the whole: `name` is missing");
    check_mistake(
        "name = 'a'\nzoo = 1\nape = 1\n",
        "line 2, zoo: there is no field `zoo` here; there are name, bed, tool, notes",
    );
    check_mistake(
        "name = 'a'\n[[bed]]\n[[bed]]\nwidth_cm = 300\n",
        "line 4, bed 2, width_cm: this is 300, and has to be a whole number from 0 to 255",
    );
    check_mistake(
        "name = 'a'\nbed = [\n  { crop = 'beans' },\n  'weeds',\n]\n",
        "line 4, bed 2: this is the text \"weeds\", and has to be a table",
    );
    check_mistake(
        "name = 'a'\n[[bed]]\ncrop = 'oats'\n",
        "line 3, bed 1, crop: there is no `oats` to choose here; there are beans, winter-peas",
    );
    check_mistake("name = 1.50", "line 1, name: this is 1.50, and has to be a text in quotes");
}

#[test]
fn what_is_no_toml_is_located_by_line() {
    for (text, sentence) in [
        ("name = 'a", "line 1: unterminated string"),
        ("name = 'a'\nname = 'b'", "line 2: duplicate key: `name`"),
        ("name = 'a'\n[bed", "line 2: expected a right bracket, found eof"),
        ("name =", "line 1: unexpected eof encountered"),
    ] {
        check_mistake(text, sentence);
    }
}

#[test]
fn a_setting_is_a_value_or_else_a_text() {
    let said = |text: &str| Tree::from_setting(text).said();
    assert_eq!(said("12"), "12");
    assert_eq!(said("\"12\""), "the text \"12\"");
    assert_eq!(said("[1]"), "a list");
    assert_eq!(said("at-least"), "the text \"at-least\"");
    assert_eq!(said("1\nw = 2"), "the text \"1\\nw = 2\"");
    assert_eq!(said("true"), "true");
}

#[test]
fn equal_values_are_equal_wherever_they_stand() {
    let field = |text: &str| Tree::from_toml(text).expect("it is TOML").field("a").cloned();
    let (first, third) = (field("a = [1, {b = 2}]"), field("\n\na = [ 1, {b = 2} ]"));
    assert_eq!(first, third);
    assert_ne!(first.map(|tree| tree.line), third.map(|tree| tree.line));
    assert_ne!(field("a = 1"), field("a = 2"));
}

#[test]
fn a_choice_is_found_by_its_name() {
    assert_eq!(Crop::named("winter-peas"), Some(Crop::WinterPeas));
    assert_eq!(Crop::named("WinterPeas"), None);
    assert!(Crop::ALL.iter().all(|crop| Crop::named(crop.name()) == Some(*crop)));
}
