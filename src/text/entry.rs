//! Numbers as people type them into the page's forms.

/// A time typed in seconds, as in "45", "0.5" or "-2,5", in whole milliseconds. None
/// when it is no number, or finer than a millisecond, or too long for a lifetime.
pub fn seconds(text: &str) -> Option<i64> {
    decimal(text, 3)
}

/// A clock's rate typed as a factor, as in "1.5", in parts per million.
pub fn rate_ppm(text: &str) -> Option<i64> {
    decimal(text, 6)
}

/// Milliseconds as one types them: "45", "0.5".
pub fn from_ms(ms: i64) -> String {
    typed(ms, 3)
}

/// Parts per million as one types a factor: "1.5".
pub fn from_ppm(ppm: i64) -> String {
    typed(ppm, 6)
}

/// A decimal number times ten to the `digits`, if nothing of it is left over.
pub fn decimal(text: &str, digits: usize) -> Option<i64> {
    let text = text.trim();
    let (negative, text) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let part = part.trim_end_matches('0');
    let only_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let sane = whole.len() + part.len() > 0 && whole.len() <= 9 && part.len() <= digits;
    if !(sane && only_digits(whole) && only_digits(part)) {
        return None;
    }
    let number = format!("{whole}{part:0<digits$}").parse::<i64>().ok()?;
    Some(if negative { -number } else { number })
}

/// The other way.
pub fn typed(number: i64, digits: usize) -> String {
    let scale = 10_i64.pow(digits as u32);
    let sign = if number < 0 { "-" } else { "" };
    let (whole, part) = (number.abs() / scale, number.abs() % scale);
    let text = format!("{sign}{whole}.{part:0digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_read_exactly() {
        let cases =
            [("45", 45_000), ("0.5", 500), (" -2,5 ", -2_500), (".25", 250), ("+1.", 1_000)];
        for (text, ms) in cases {
            assert_eq!(seconds(text), Some(ms), "{text}");
        }
        assert_eq!(rate_ppm("1.00005"), Some(1_000_050));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", ".", "-", "4s", "1e3", "0.0005", "1.2.3", "--1", "12345678901"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for ms in [0, 1, 500, 45_000, -2_500, 1_001] {
            assert_eq!(seconds(&from_ms(ms)), Some(ms));
        }
        assert_eq!(from_ms(45_000), "45");
        assert_eq!(from_ppm(200_000), "0.2");
    }
}
