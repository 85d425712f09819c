//! What the lines of an invoice come to, and what discounts take away.

use serde_json::{Value, json};

use crate::account::catalog::coupons;
use crate::world::{Fields, World};

/// Applies the invoice's discounts to its lines and adds them up. `lines` are changed where a discount applies.
pub fn settle(world: &World, invoice: &mut Value) {
    let discounts: Vec<(Value, Value)> = invoice.elements("discounts").iter().filter_map(|id| discount(world, id)).collect();
    let mut totals = vec![0; discounts.len()];
    let mut lines = invoice.elements("lines").to_vec();
    for line in &mut lines {
        line["discount_amounts"] = json!([]);
    }
    for (at, (id, coupon)) in discounts.iter().enumerate() {
        totals[at] = apply(&mut lines, id, coupon);
    }
    let subtotal: i64 = lines.iter().map(|line| line.int("amount")).sum();
    let total = subtotal - totals.iter().sum::<i64>();
    let amounts = discounts.iter().zip(&totals).map(|((id, _), amount)| json!({"amount": amount, "discount": id}));
    invoice["total_discount_amounts"] = amounts.collect();
    invoice["lines"]["data"] = Value::Array(lines);
    invoice["subtotal"] = json!(subtotal);
    invoice["subtotal_excluding_tax"] = json!(subtotal);
    invoice["total"] = json!(total);
    invoice["total_excluding_tax"] = json!(total);
    settle_balance(invoice);
}

/// What is due once the customer's balance has been counted in.
fn settle_balance(invoice: &mut Value) {
    let (total, starting) = (invoice.int("total"), invoice.int("starting_balance"));
    let due = (total + starting).max(0);
    invoice["amount_due"] = json!(due);
    invoice["amount_remaining"] = json!(due - invoice.int("amount_paid"));
}

fn discount(world: &World, id: &Value) -> Option<(Value, Value)> {
    let discount = world.get("discount", id.as_str()?)?;
    let coupon = world.get("coupon", discount["source"].text("coupon")?)?;
    Some((id.clone(), coupon.clone()))
}

/// Spreads one coupon over the lines that it applies to. Answers how much it took.
fn apply(lines: &mut [Value], id: &Value, coupon: &Value) -> i64 {
    let left = |line: &Value| {
        let taken: i64 = line.elements("discount_amounts").iter().map(|one| one.int("amount")).sum();
        if line.is("discountable") { (line.int("amount") - taken).max(0) } else { 0 }
    };
    let whole: i64 = lines.iter().map(left).sum();
    let wanted = coupons::reduction(coupon, whole);
    let mut taken = 0;
    let last = lines.iter().rposition(|line| left(line) > 0);
    for (at, line) in lines.iter_mut().enumerate() {
        let here = left(line);
        if here == 0 {
            continue;
        }
        // The last one takes what rounding left over.
        let share = if Some(at) == last { wanted - taken } else { (i128::from(wanted) * i128::from(here) / i128::from(whole)) as i64 };
        taken += share;
        if let Some(amounts) = line["discount_amounts"].as_array_mut() {
            amounts.push(json!({"amount": share, "discount": id}));
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coupon_is_spread_over_lines_to_the_cent() {
        let mut lines: Vec<_> =
            [333, 333, 334, -50].map(|amount| json!({"amount": amount, "discountable": amount > 0, "discount_amounts": []})).into();
        let taken = apply(&mut lines, &json!("di_1"), &json!({"percent_off": 25.0}));
        let shares: i64 = lines.iter().flat_map(|line| line.elements("discount_amounts")).map(|one| one.int("amount")).sum();
        assert_eq!((taken, shares), (250, 250));
    }
}
