//! What the TOML reader says, in words that need no knowledge of it.

/// The reader's message as part of a sentence. What it does not know it leaves as it is.
pub(super) fn plain(message: &str) -> String {
    None.or_else(|| missing(message))
        .or_else(|| unknown_field(message))
        .or_else(|| unknown_choice(message))
        .or_else(|| several(message))
        .or_else(|| wrong_kind(message))
        .unwrap_or_else(|| message.trim_end_matches('.').to_owned())
}

fn missing(message: &str) -> Option<String> {
    let field = message.strip_prefix("missing field ")?;
    Some(format!("{field} is missing"))
}

fn unknown_field(message: &str) -> Option<String> {
    let (field, there) = match message.strip_prefix("unknown field ") {
        Some(rest) => rest.split_once(", expected ")?,
        None => {
            let rest = message.strip_prefix("unexpected keys in table: ")?;
            rest.split_once(", available keys: ")?
        }
    };
    let field = field.trim_matches('`');
    Some(format!("there is no field `{field}` here; there are {}", listed(there)))
}

fn unknown_choice(message: &str) -> Option<String> {
    let (choice, there) = message.strip_prefix("unknown variant ")?.split_once(", expected ")?;
    Some(format!("there is no {choice} to choose here; there are {}", listed(there)))
}

/// The reader's lists are in backquotes; ours are long enough without.
fn listed(there: &str) -> String {
    there.trim_start_matches("one of ").replace(" or ", ", ").replace('`', "")
}

fn several(message: &str) -> Option<String> {
    let several = message.starts_with("wanted exactly 1 element");
    several.then(|| "one click does one thing, and this one does none or several".to_owned())
}

fn wrong_kind(message: &str) -> Option<String> {
    let rest = message.strip_prefix("invalid type: ");
    let rest = rest.or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    Some(format!("this is {}, and has to be {}", found_kind(found), expected_kind(expected)))
}

fn found_kind(found: &str) -> String {
    let value =
        |kind: &str| found.strip_prefix(kind).map(|value| value.trim_matches('`').to_owned());
    if let Some(text) = found.strip_prefix("string ") {
        return format!("the text {text}");
    }
    match found {
        "map" => "a table".to_owned(),
        "sequence" => "a list".to_owned(),
        _ => value("integer ")
            .or_else(|| value("floating point "))
            .or_else(|| value("boolean "))
            .unwrap_or_else(|| found.to_owned()),
    }
}

fn expected_kind(expected: &str) -> String {
    match expected {
        "i64" => "a whole number".to_owned(),
        "u8" => "a whole number from 0 to 255".to_owned(),
        "u32" => "a whole number from 0 to 4,294,967,295".to_owned(),
        "u64" => "a whole number that is not negative".to_owned(),
        "a string" => "a text in quotes".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        _ if expected.starts_with("struct ") => "a table".to_owned(),
        _ => expected.to_owned(),
    }
}
