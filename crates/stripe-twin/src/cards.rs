//! The test cards of Stripe's documentation, by number, by token and by name of a payment method, and how each of them behaves.

/// Why a card is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decline {
    Generic,
    InsufficientFunds,
    LostCard,
    StolenCard,
    ExpiredCard,
    IncorrectCvc,
    ProcessingError,
    IncorrectNumber,
    AuthenticationRequired,
    AuthenticationFailed,
}

const DECLINES: [Decline; 10] = [
    Decline::Generic,
    Decline::InsufficientFunds,
    Decline::LostCard,
    Decline::StolenCard,
    Decline::ExpiredCard,
    Decline::IncorrectCvc,
    Decline::ProcessingError,
    Decline::IncorrectNumber,
    Decline::AuthenticationRequired,
    Decline::AuthenticationFailed,
];

impl Decline {
    /// By the word that the control door takes.
    pub fn named(word: &str) -> Option<Self> {
        DECLINES.into_iter().find(|decline| decline.word() == word)
    }

    /// One word that tells all of them apart.
    pub const fn word(self) -> &'static str {
        match self.reason() {
            Some(reason) => reason,
            None => self.code(),
        }
    }

    pub const fn code(self) -> &'static str {
        match self {
            Self::Generic | Self::InsufficientFunds | Self::LostCard | Self::StolenCard => "card_declined",
            Self::ExpiredCard => "expired_card",
            Self::IncorrectCvc => "incorrect_cvc",
            Self::ProcessingError => "processing_error",
            Self::IncorrectNumber => "incorrect_number",
            Self::AuthenticationRequired => "authentication_required",
            Self::AuthenticationFailed => "payment_intent_authentication_failure",
        }
    }

    /// What the issuer says, for `card_declined`.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Generic => Some("generic_decline"),
            Self::InsufficientFunds => Some("insufficient_funds"),
            Self::LostCard => Some("lost_card"),
            Self::StolenCard => Some("stolen_card"),
            Self::AuthenticationRequired => Some("authentication_required"),
            Self::ExpiredCard | Self::IncorrectCvc | Self::ProcessingError | Self::IncorrectNumber | Self::AuthenticationFailed => None,
        }
    }

    pub const fn message(self) -> &'static str {
        match self {
            Self::Generic | Self::LostCard | Self::StolenCard => "Your card was declined.",
            Self::InsufficientFunds => "Your card has insufficient funds.",
            Self::ExpiredCard => "Your card has expired.",
            Self::IncorrectCvc => "Your card's security code is incorrect.",
            Self::ProcessingError => "An error occurred while processing your card. Try again in a little bit.",
            Self::IncorrectNumber => "Your card number is incorrect.",
            Self::AuthenticationRequired => "Your card was declined. This transaction requires authentication.",
            Self::AuthenticationFailed => "The provided payment method has failed authentication.",
        }
    }
}

/// What a card does when it is attached to a customer, and when it is charged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Behaviour {
    Works,
    /// Attaching it and charging it both fail.
    Declines(Decline),
    /// It can be attached; every charge fails.
    FailsWhenCharged,
    /// It can be attached; its owner has to agree to every charge.
    AsksItsOwner,
}

#[derive(Clone, Copy, Debug)]
pub struct TestCard {
    pub number: &'static str,
    /// Behind `pm_card_` and `tok_`.
    pub name: &'static str,
    pub brand: &'static str,
    pub behaviour: Behaviour,
}

const fn card(number: &'static str, name: &'static str, brand: &'static str, behaviour: Behaviour) -> TestCard {
    TestCard { number, name, brand, behaviour }
}

pub const CARDS: [TestCard; 15] = [
    card("4242424242424242", "visa", "visa", Behaviour::Works),
    card("4000056655665556", "visa_debit", "visa", Behaviour::Works),
    card("5555555555554444", "mastercard", "mastercard", Behaviour::Works),
    card("378282246310005", "amex", "amex", Behaviour::Works),
    card("6011111111111117", "discover", "discover", Behaviour::Works),
    card("4000000000000341", "chargeCustomerFail", "visa", Behaviour::FailsWhenCharged),
    card("4000002760003184", "authenticationRequired", "visa", Behaviour::AsksItsOwner),
    card("4000000000000002", "chargeDeclined", "visa", Behaviour::Declines(Decline::Generic)),
    card("4000000000009995", "chargeDeclinedInsufficientFunds", "visa", Behaviour::Declines(Decline::InsufficientFunds)),
    card("4000000000009987", "chargeDeclinedLostCard", "visa", Behaviour::Declines(Decline::LostCard)),
    card("4000000000009979", "chargeDeclinedStolenCard", "visa", Behaviour::Declines(Decline::StolenCard)),
    card("4000000000000069", "chargeDeclinedExpiredCard", "visa", Behaviour::Declines(Decline::ExpiredCard)),
    card("4000000000000127", "chargeDeclinedIncorrectCvc", "visa", Behaviour::Declines(Decline::IncorrectCvc)),
    card("4000000000000119", "chargeDeclinedProcessingError", "visa", Behaviour::Declines(Decline::ProcessingError)),
    card("4242424242424241", "incorrectNumber", "visa", Behaviour::Declines(Decline::IncorrectNumber)),
];

impl TestCard {
    /// By a number as a person types it, with spaces.
    pub fn numbered(number: &str) -> Option<Self> {
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        CARDS.into_iter().find(|card| card.number == digits)
    }

    /// By `pm_card_visa`, `pm_card_visa_chargeDeclined` or `tok_visa`.
    pub fn named(id: &str) -> Option<Self> {
        let name = id.strip_prefix("pm_card_").or_else(|| id.strip_prefix("tok_"))?;
        let wanted = name.strip_prefix("visa_").filter(|rest| rest.starts_with("charge")).unwrap_or(name);
        CARDS.into_iter().find(|card| card.name == wanted)
    }

    pub fn last4(self) -> &'static str {
        &self.number[self.number.len() - 4..]
    }

    pub const fn funding(self) -> &'static str {
        if matches!(self.name.as_bytes(), b"visa_debit") { "debit" } else { "credit" }
    }

    pub const fn asks_its_owner(self) -> bool {
        matches!(self.behaviour, Behaviour::AsksItsOwner)
    }

    pub const fn when_attached(self) -> Option<Decline> {
        match self.behaviour {
            Behaviour::Declines(decline) => Some(decline),
            Behaviour::Works | Behaviour::FailsWhenCharged | Behaviour::AsksItsOwner => None,
        }
    }

    pub const fn when_charged(self) -> Option<Decline> {
        match self.behaviour {
            Behaviour::Works | Behaviour::AsksItsOwner => None,
            Behaviour::Declines(decline) => Some(decline),
            Behaviour::FailsWhenCharged => Some(Decline::Generic),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_found_by_number_and_by_both_of_its_names() {
        assert_eq!(TestCard::numbered("4000 0000 0000 0341").map(|card| card.name), Some("chargeCustomerFail"));
        assert_eq!(TestCard::named("pm_card_visa_chargeDeclined").map(TestCard::last4), Some("0002"));
        assert_eq!(TestCard::named("tok_visa").map(TestCard::last4), Some("4242"));
        assert!(TestCard::named("pm_card_gold").is_none() && TestCard::numbered("1234").is_none());
    }

    #[test]
    fn every_decline_has_a_word_of_its_own() {
        assert!(DECLINES.into_iter().all(|decline| Decline::named(decline.word()) == Some(decline)));
    }
}
