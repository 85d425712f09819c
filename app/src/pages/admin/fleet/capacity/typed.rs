//! The planner's form as it is typed: read into a question, and written out again.

use domain::{
    billing::{Currency, Money},
    scheduling::fleet::FleetKind,
};
use service::operator::capacity::{CAPACITY_ROWS_MAX, CapacityField, CapacityQuestion, ModelMix};
use std::{collections::BTreeMap, str::FromStr};

/// Texts by the names of their fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typed(BTreeMap<String, String>);

/// Sentences by the names of the fields that they are about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wrong(BTreeMap<String, String>);

impl Wrong {
    pub fn of(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, name: String, message: impl Into<String>) {
        self.0.entry(name).or_insert_with(|| message.into());
    }
}

/// The name of a field.
pub fn name_of(field: CapacityField) -> String {
    match field {
        CapacityField::Kind(row) => format!("kind{row}"),
        CapacityField::Workers(row) => format!("workers{row}"),
        CapacityField::Speed(row) => format!("speed{row}"),
        CapacityField::Price(row) => format!("price{row}"),
        CapacityField::Model(row) => format!("model{row}"),
        CapacityField::Share(row) => format!("share{row}"),
        CapacityField::DeviceTime(row) => format!("takes{row}"),
        CapacityField::Length(row) => format!("length{row}"),
        CapacityField::Load => "hour".to_owned(),
        CapacityField::Batch => "batch".to_owned(),
        CapacityField::Tenants => "tenants".to_owned(),
        CapacityField::Slots => "slots".to_owned(),
        CapacityField::OnDemandPrice => "demand".to_owned(),
        CapacityField::ColdStart => "start".to_owned(),
        CapacityField::ColdStarts => "starts".to_owned(),
    }
}

/// The same field in another row.
const fn in_row(field: CapacityField, row: usize) -> CapacityField {
    match field {
        CapacityField::Kind(_) => CapacityField::Kind(row),
        CapacityField::Workers(_) => CapacityField::Workers(row),
        CapacityField::Speed(_) => CapacityField::Speed(row),
        CapacityField::Price(_) => CapacityField::Price(row),
        CapacityField::Model(_) => CapacityField::Model(row),
        CapacityField::Share(_) => CapacityField::Share(row),
        CapacityField::DeviceTime(_) => CapacityField::DeviceTime(row),
        CapacityField::Length(_) => CapacityField::Length(row),
        other => other,
    }
}

/// What is hidden in the row of a model.
pub fn hidden(row: usize) -> [String; 2] {
    [format!("spread{row}"), format!("decoding{row}")]
}

impl Typed {
    pub fn of(question: &CapacityQuestion) -> Self {
        let mut typed = Self::default();
        let currency = question.fleet.iter().find_map(|kind| kind.price_per_hour).map(|price| price.currency);
        typed.0.insert("currency".to_owned(), currency.unwrap_or(Currency::USD).code().to_owned());
        for (row, kind) in question.fleet.iter().enumerate() {
            typed.set(CapacityField::Kind(row), &kind.device_kind);
            typed.set(CapacityField::Workers(row), kind.workers);
            typed.set(CapacityField::Speed(row), kind.speed);
            typed.set(CapacityField::Price(row), kind.price_per_hour.map(Money::number).unwrap_or_default());
        }
        for (row, of) in question.mix.iter().enumerate() {
            typed.set(CapacityField::Model(row), &of.model);
            typed.set(CapacityField::Share(row), of.share);
            typed.set(CapacityField::DeviceTime(row), of.device_s_per_video_minute);
            typed.set(CapacityField::Length(row), of.video_s);
            for (name, number) in hidden(row).into_iter().zip([of.device_scv, of.decoding]) {
                typed.0.insert(name, format!("{number:.4}"));
            }
        }
        typed.set(CapacityField::Load, question.video_minutes_per_hour);
        typed.set(CapacityField::Batch, question.batch_percent);
        typed.set(CapacityField::Tenants, question.batch_tenants);
        typed.set(CapacityField::Slots, question.slots);
        typed.set(CapacityField::OnDemandPrice, question.on_demand_per_hour.map(Money::number).unwrap_or_default());
        typed.set(CapacityField::ColdStart, question.cold_start_s);
        typed.set(CapacityField::ColdStarts, question.cold_starts_per_day);
        typed
    }

    /// What was sent, by the names of the fields. `None`: the form was not sent.
    pub fn sent(field: impl Fn(&str) -> Option<String>) -> Option<Self> {
        field(&name_of(CapacityField::Load))?;
        let rows = (0..CAPACITY_ROWS_MAX).flat_map(|row| {
            let fields = [
                CapacityField::Kind(row),
                CapacityField::Workers(row),
                CapacityField::Speed(row),
                CapacityField::Price(row),
                CapacityField::Model(row),
                CapacityField::Share(row),
                CapacityField::DeviceTime(row),
                CapacityField::Length(row),
            ];
            fields.map(name_of).into_iter().chain(hidden(row))
        });
        let alone = [
            CapacityField::Load,
            CapacityField::Batch,
            CapacityField::Tenants,
            CapacityField::Slots,
            CapacityField::OnDemandPrice,
            CapacityField::ColdStart,
            CapacityField::ColdStarts,
        ];
        let names = rows.chain(alone.map(name_of)).chain(["currency".to_owned()]);
        Some(Self(names.filter_map(|name| field(&name).map(|text| (name, text))).collect()))
    }

    pub fn text(&self, name: &str) -> String {
        self.0.get(name).cloned().unwrap_or_default()
    }

    /// Rows of kinds up to the last that one is typed into, and of models: those in between may be empty.
    pub fn rows(&self) -> [usize; 2] {
        let is_filled = |first: &str, row: usize| !self.text(&format!("{first}{row}")).trim().is_empty();
        let rows = |first: &str| (0..CAPACITY_ROWS_MAX).rfind(|row| is_filled(first, *row)).map_or(0, |last| last + 1);
        [rows("kind"), rows("model")]
    }

    /// The question, or what is to be mended.
    ///
    /// # Errors
    /// [`Wrong`] has a sentence for each field that cannot be read or be.
    pub fn question(&self) -> Result<CapacityQuestion, Wrong> {
        let mut wrong = Wrong::default();
        let currency = Currency::try_from(self.text("currency").trim().to_owned());
        if currency.is_err() {
            wrong.add("currency".to_owned(), "Give the code of a currency, such as usd.");
        }
        let currency = currency.unwrap_or(Currency::USD);
        let is_filled = |name: String| !self.text(&name).trim().is_empty();
        let kinds: Vec<_> = (0..CAPACITY_ROWS_MAX).filter(|row| is_filled(format!("kind{row}"))).collect();
        let models: Vec<_> = (0..CAPACITY_ROWS_MAX).filter(|row| is_filled(format!("model{row}"))).collect();
        let fleet = kinds.iter().map(|row| FleetKind {
            device_kind: self.text(&format!("kind{row}")).trim().to_owned(),
            workers: self.read(CapacityField::Workers(*row), "a whole number", &mut wrong),
            speed: self.read(CapacityField::Speed(*row), "a number such as 1 or 0.5", &mut wrong),
            price_per_hour: self.price(CapacityField::Price(*row), currency, &mut wrong),
        });
        let fleet = fleet.collect();
        let mix = models.iter().map(|row| {
            let [spread, decoding] = hidden(*row).map(|name| self.text(&name).trim().parse().unwrap_or(0.0));
            ModelMix {
                model: self.text(&format!("model{row}")).trim().to_owned(),
                share: self.read(CapacityField::Share(*row), "a number such as 50", &mut wrong),
                device_s_per_video_minute: self.read(CapacityField::DeviceTime(*row), "the seconds as a number", &mut wrong),
                video_s: self.read(CapacityField::Length(*row), "the seconds as a number", &mut wrong),
                device_scv: spread,
                decoding,
            }
        });
        let mix = mix.collect();
        let question = CapacityQuestion {
            fleet,
            mix,
            video_minutes_per_hour: self.read(CapacityField::Load, "a number such as 60", &mut wrong),
            batch_percent: self.read(CapacityField::Batch, "a number from 0 to 100", &mut wrong),
            batch_tenants: self.read(CapacityField::Tenants, "a whole number", &mut wrong),
            slots: self.read(CapacityField::Slots, "a whole number", &mut wrong),
            on_demand_per_hour: self.price(CapacityField::OnDemandPrice, currency, &mut wrong),
            cold_start_s: self.read(CapacityField::ColdStart, "the seconds as a number", &mut wrong),
            cold_starts_per_day: self.read(CapacityField::ColdStarts, "a whole number", &mut wrong),
        };
        for problem in question.problems() {
            let row = |rows: &[usize], row: usize| rows.get(row).copied().unwrap_or(row);
            let field = match problem.field {
                field @ (CapacityField::Kind(at) | CapacityField::Workers(at) | CapacityField::Speed(at) | CapacityField::Price(at)) => {
                    in_row(field, row(&kinds, at))
                }
                field @ (CapacityField::Model(at)
                | CapacityField::Share(at)
                | CapacityField::DeviceTime(at)
                | CapacityField::Length(at)) => in_row(field, row(&models, at)),
                field => field,
            };
            wrong.add(name_of(field), problem.message);
        }
        if wrong.is_empty() { Ok(question) } else { Err(wrong) }
    }

    fn set(&mut self, field: CapacityField, value: impl ToString) {
        self.0.insert(name_of(field), value.to_string());
    }

    fn read<T: FromStr + Default>(&self, field: CapacityField, wanted: &str, wrong: &mut Wrong) -> T {
        let name = name_of(field);
        self.text(&name).trim().parse().unwrap_or_else(|_| {
            wrong.add(name, format!("Give {wanted}."));
            T::default()
        })
    }

    /// Empty: none.
    fn price(&self, field: CapacityField, currency: Currency, wrong: &mut Wrong) -> Option<Money> {
        let name = name_of(field);
        match self.text(&name).trim() {
            "" => None,
            text => {
                let price = Money::parse(text, currency);
                if price.is_none() {
                    wrong.add(name, "Give the price of an hour as a number, such as 2.50, or nothing.");
                }
                price
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> CapacityQuestion {
        let price = Some(Money::of_minor(250, Currency::USD));
        let kind = |name: &str, workers| FleetKind { device_kind: name.to_owned(), workers, speed: 0.5, price_per_hour: price };
        let mix = ModelMix {
            model: "small".to_owned(),
            share: 100.0,
            device_s_per_video_minute: 60.5,
            video_s: 6.0,
            device_scv: 0.5,
            decoding: 0.25,
        };
        CapacityQuestion {
            fleet: vec![kind("h100", 4), kind("l4", 2)],
            mix: vec![mix],
            video_minutes_per_hour: 60.0,
            batch_percent: 40.0,
            batch_tenants: 3,
            slots: 4,
            on_demand_per_hour: None,
            cold_start_s: 20.0,
            cold_starts_per_day: 5,
        }
    }

    fn wrong(change: impl Fn(&mut BTreeMap<String, String>)) -> Wrong {
        let mut typed = Typed::of(&question());
        change(&mut typed.0);
        typed.question().unwrap_err()
    }

    #[test]
    fn a_question_survives_its_form() {
        let typed = Typed::of(&question());
        assert_eq!(typed.question(), Ok(question()));
        assert_eq!(Typed::sent(|name| typed.0.get(name).cloned()), Some(typed.clone()));
        assert_eq!((Typed::sent(|_| None), typed.rows()), (None, [2, 1]));
    }

    #[test]
    fn a_row_behind_empty_ones_is_shown() {
        let mut typed = Typed::of(&question());
        for name in ["kind0", "kind1"] {
            typed.0.insert(name.into(), String::new());
        }
        typed.0.insert("kind4".into(), "l40".into());
        assert_eq!(typed.rows(), [5, 1]);
    }

    #[test]
    fn an_empty_row_is_none_and_what_is_wrong_is_said_where_it_was_typed() {
        let told = wrong(|typed| {
            typed.insert("kind0".into(), " ".into());
            typed.insert("workers1".into(), "two".into());
        });
        assert_eq!(told.of("workers1").as_deref(), Some("Give a whole number."));
        let told = wrong(|typed| {
            typed.insert("kind0".into(), String::new());
            typed.insert("speed1".into(), "-1".into());
        });
        assert_eq!(told.0.keys().collect::<Vec<_>>(), ["speed1"], "the row that it was typed into");
    }

    #[test]
    fn all_that_is_wrong_is_said_at_once() {
        let told = wrong(|typed| {
            for (name, text) in [("hour", "lots"), ("price0", "free"), ("currency", "dollar"), ("batch", "200"), ("takes0", "")] {
                typed.insert(name.into(), text.into());
            }
        });
        assert_eq!(told.0.keys().collect::<Vec<_>>(), ["batch", "currency", "hour", "price0", "takes0"]);
        assert!(told.of("tenants").is_none());
    }
}
