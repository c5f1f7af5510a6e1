//! Numbers for people: rounded, with their units.

use crate::sim::time::{Span, TrueTime};

/// A moment of the run, to the tenth of a second: "51.1 s".
pub fn moment(at: TrueTime) -> String {
    seconds(at.0, 1)
}

/// A moment of the run, to the millisecond: "51.134 s".
pub fn exact_moment(at: TrueTime) -> String {
    seconds(at.0, 3)
}

/// A moment of the run with the places that it has, to the millisecond: "51.502 s", "55 s".
pub fn fine_moment(at: TrueTime) -> String {
    let text = seconds(at.0, 3);
    let number = text.trim_end_matches(" s").trim_end_matches('0').trim_end_matches('.');
    format!("{number} s")
}

/// A length of time: "45 s", "0.5 s", "12 ms".
pub fn span(span: Span) -> String {
    let us = span.us();
    if us.abs() < 100_000 && us % 1_000_000 != 0 {
        return format!("{} ms", us / 1_000);
    }
    let text = seconds(us, 1);
    text.replace(".0 s", " s")
}

fn seconds(us: i64, decimals: u32) -> String {
    let unit = 10_i64.pow(6 - decimals);
    let rounded = (us + unit / 2).div_euclid(unit);
    let scale = 10_i64.pow(decimals);
    let sign = if rounded < 0 { "-" } else { "" };
    let rounded = rounded.abs();
    let width = decimals as usize;
    format!("{sign}{}.{:0width$} s", rounded / scale, rounded % scale)
}

/// A whole number with its thousands apart: "2,000,000".
pub fn whole(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// Money in whole units, short: "2.0 M", "50,000".
pub fn money(amount: i64) -> String {
    if amount.abs() < 1_000_000 {
        return whole(amount);
    }
    let tenths = (amount + 50_000).div_euclid(100_000);
    format!("{}.{} M", tenths / 10, (tenths % 10).abs())
}

/// A clock's rate beside the right one: "×1/5", "×4", "×1.00005".
pub fn rate(rate_ppm: i64) -> String {
    if rate_ppm > 0 && 1_000_000 % rate_ppm == 0 && rate_ppm != 1_000_000 {
        return format!("×1/{}", 1_000_000 / rate_ppm);
    }
    if rate_ppm % 1_000_000 == 0 {
        return format!("×{}", rate_ppm / 1_000_000);
    }
    let exact = format!("×{}.{:06}", rate_ppm / 1_000_000, rate_ppm % 1_000_000);
    exact.trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_and_carry_units() {
        assert_eq!(moment(TrueTime(51_134_000)), "51.1 s");
        assert_eq!(moment(TrueTime(59_960_000)), "60.0 s");
        assert_eq!(exact_moment(TrueTime(51_134_400)), "51.134 s");
        assert_eq!(fine_moment(TrueTime(51_500_000)), "51.5 s");
        assert_eq!(fine_moment(TrueTime(100_000_000)), "100 s");
        assert_eq!(fine_moment(TrueTime(0)), "0 s");
        assert_eq!(span(Span::from_s(45)), "45 s");
        assert_eq!(span(Span::from_ms(500)), "0.5 s");
        assert_eq!(span(Span::from_ms(12)), "12 ms");
        assert_eq!(span(Span::from_ms(-3_600_000)), "-3600 s");
        assert_eq!(whole(2_000_000), "2,000,000");
        assert_eq!(whole(-50_000), "-50,000");
        assert_eq!(money(4_000_000), "4.0 M");
        assert_eq!(money(50_000), "50,000");
        assert_eq!(rate(200_000), "×1/5");
        assert_eq!(rate(4_000_000), "×4");
        assert_eq!(rate(1_000_050), "×1.00005");
    }
}
