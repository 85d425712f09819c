//! Money, and what video time costs in it.

use crate::{VideoTime, grouped};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A currency by its ISO 4217 code, in lower case as payment processors write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency([u8; 3]);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the code of a currency, such as `usd`")]
pub struct CurrencyError(String);

/// Currencies without minor units, and those of which a unit has a thousand.
const WITHOUT_MINOR: [&str; 15] = ["bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xpf"];
const OF_A_THOUSAND: [&str; 5] = ["bhd", "jod", "kwd", "omr", "tnd"];

impl Currency {
    pub const USD: Self = Self(*b"usd");

    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// How many decimals an amount has: 2 for dollars and cents.
    #[must_use]
    pub fn decimals(self) -> usize {
        match self.code() {
            code if WITHOUT_MINOR.contains(&code) => 0,
            code if OF_A_THOUSAND.contains(&code) => 3,
            _ => 2,
        }
    }

    const fn symbol(self) -> Option<&'static str> {
        match &self.0 {
            b"usd" => Some("$"),
            b"eur" => Some("€"),
            b"gbp" => Some("£"),
            b"jpy" => Some("¥"),
            _ => None,
        }
    }
}

impl TryFrom<String> for Currency {
    type Error = CurrencyError;

    fn try_from(text: String) -> Result<Self, CurrencyError> {
        match text.to_ascii_lowercase().as_bytes() {
            [a, b, c] if [a, b, c].iter().all(|letter| letter.is_ascii_lowercase()) => Ok(Self([*a, *b, *c])),
            _ => Err(CurrencyError(text)),
        }
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.code().to_owned()
    }
}

/// An amount of money, exact to a thousandth of the minor unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Money {
    pub thousandths_of_minor: i64,
    pub currency: Currency,
}

impl Money {
    #[must_use]
    pub const fn of_minor(minor: i64, currency: Currency) -> Self {
        Self { thousandths_of_minor: minor.saturating_mul(1000), currency }
    }

    /// A decimal number such as `2.5` or `0.0025`, exact to a thousandth of the minor unit. `None`: it is none, or negative.
    #[must_use]
    pub fn parse(text: &str, currency: Currency) -> Option<Self> {
        let decimals = currency.decimals() + 3;
        let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = !whole.is_empty() && is_digits(whole) && is_digits(fraction) && fraction.len() <= decimals;
        let digits = is_number.then(|| format!("{whole}{fraction:0<decimals$}"))?;
        Some(Self { thousandths_of_minor: digits.parse().ok()?, currency })
    }

    /// As [`Self::parse`] reads it.
    #[must_use]
    pub fn number(self) -> String {
        let decimals = self.currency.decimals() + 3;
        let digits = format!("{:0width$}", self.thousandths_of_minor, width = decimals + 1);
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        format!("{whole}.{fraction}").trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

impl fmt::Display for Money {
    /// `$12.50`, `$1,200.00`, `−$0.0025`, `¥300`, `12.50 CHF`: decimals below the minor unit only where they say something.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (decimals, sign) = (self.currency.decimals(), if self.thousandths_of_minor < 0 { "−" } else { "" });
        let digits = format!("{:0width$}", self.thousandths_of_minor.unsigned_abs(), width = decimals + 4);
        let (whole, rest) = digits.split_at(digits.len() - decimals - 3);
        let whole = grouped(whole.parse().unwrap_or_default());
        let (minor, below) = rest.split_at(decimals);
        let fraction = format!("{minor}{}", below.trim_end_matches('0'));
        let point = if fraction.is_empty() { "" } else { "." };
        match self.currency.symbol() {
            Some(symbol) => write!(f, "{sign}{symbol}{whole}{point}{fraction}"),
            None => write!(f, "{sign}{whole}{point}{fraction} {}", self.currency.code().to_ascii_uppercase()),
        }
    }
}

/// Amounts in two currencies are not added up: the first one is told.
pub fn sum(a: Option<Money>, b: Option<Money>) -> Option<Money> {
    match (a, b) {
        (Some(a), Some(b)) if a.currency == b.currency => {
            Some(Money { thousandths_of_minor: a.thousandths_of_minor.saturating_add(b.thousandths_of_minor), ..a })
        }
        (a, b) => a.or(b),
    }
}

/// What a minute of video costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitPrice {
    pub minor_per_minute: u32,
    pub currency: Currency,
}

impl UnitPrice {
    /// Rounded up to the thousandth of the minor unit.
    #[must_use]
    pub fn of(self, time: VideoTime) -> Money {
        let thousandths = (u128::from(time.ms()) * u128::from(self.minor_per_minute)).div_ceil(60);
        Money { thousandths_of_minor: i64::try_from(thousandths).unwrap_or(i64::MAX), currency: self.currency }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Currency {
        code.to_owned().try_into().unwrap()
    }

    #[test]
    fn money_is_printed_as_its_currency_is_written() {
        let printed = |thousandths_of_minor, code| Money { thousandths_of_minor, currency: currency(code) }.to_string();
        assert_eq!(printed(1_250_000, "usd"), "$12.50");
        assert_eq!(printed(250, "USD"), "$0.0025");
        assert_eq!(printed(-47_000_000, "usd"), "−$470.00");
        assert_eq!(printed(182_570_000, "usd"), "$1,825.70");
        assert_eq!(printed(1_234_567_000, "jpy"), "¥1,234,567");
        assert_eq!(printed(300_000, "jpy"), "¥300");
        assert_eq!(printed(1_250_000, "chf"), "12.50 CHF");
        assert_eq!(printed(1_250_000, "kwd"), "1.250 KWD");
        assert_eq!(printed(0, "eur"), "€0.00");
    }

    #[test]
    fn an_amount_is_read_as_it_is_written() {
        let read = |text, code| Money::parse(text, currency(code)).map(|money| (money.thousandths_of_minor, money.number()));
        assert_eq!(read(" 2.5 ", "usd"), Some((250_000, "2.5".to_owned())));
        assert_eq!(read("0.00001", "usd"), Some((1, "0.00001".to_owned())));
        assert_eq!(read("30", "jpy"), Some((30_000, "30".to_owned())));
        assert_eq!(["", ".5", "-1", "1e3", "0.000001", "1.2.3", "99999999999999999999"].map(|text| read(text, "usd")), [const { None }; 7]);
    }

    #[test]
    fn a_price_by_the_minute_is_exact_to_the_thousandth_and_rounds_up() {
        let price = UnitPrice { minor_per_minute: 360, currency: Currency::USD };
        assert_eq!(price.of(VideoTime::from_ms(2000)), Money::of_minor(12, Currency::USD));
        assert_eq!(price.of(VideoTime::from_ms(42)).to_string(), "$0.00252");
        assert_eq!(UnitPrice { minor_per_minute: 1, ..price }.of(VideoTime::from_ms(1)).thousandths_of_minor, 1);
    }

    #[test]
    fn what_is_no_code_of_a_currency_is_refused() {
        for code in ["", "us", "dollar", "u$d", "üsd"] {
            assert!(Currency::try_from(code.to_owned()).is_err(), "{code}");
        }
    }
}
