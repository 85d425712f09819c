//! Coupons and promotion codes, and the discounts that they become on a subscription.

use serde_json::{Value, json};

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, metadata, page, pass_through};

const COUPON: &str = "coupon";
const CODE: &str = "promotion_code";

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    let known = ["id", "amount_off", "currency", "duration", "duration_in_months", "max_redemptions", "metadata", "name", "percent_off"];
    params.only(&[&known[..], &["redeem_by"]].concat())?;
    let (amount, percent) = (params.integer("amount_off")?, params.number("percent_off")?);
    if amount.is_some() == percent.is_some() {
        return Err(StripeError::refused("You must pass either `percent_off` or `amount_off`."));
    }
    if amount.is_some() {
        params.required("currency")?;
    }
    let duration = params.choice("duration", &["forever", "once", "repeating"])?.unwrap_or("once");
    let id = params.text("id").map_or_else(|| world.new_id("", 8), str::to_owned);
    let coupon = json!({
        "id": id,
        "object": COUPON,
        "amount_off": amount,
        "created": world.now(),
        "currency": params.text("currency"),
        "duration": duration,
        "duration_in_months": params.integer("duration_in_months")?,
        "livemode": false,
        "max_redemptions": params.integer("max_redemptions")?,
        "metadata": metadata(params),
        "name": params.text("name"),
        "percent_off": percent,
        "redeem_by": params.integer("redeem_by")?,
        "times_redeemed": 0,
        "valid": true,
    });
    world.insert(COUPON, coupon);
    world.emit("coupon.created", COUPON, &id);
    retrieve(world, &id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(COUPON, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["metadata", "name"])?;
    world.require(COUPON, id, "id")?;
    world.update(COUPON, id, "coupon.updated", |coupon| {
        pass_through(coupon, params, &["name"]);
        merge_metadata(&mut coupon["metadata"], params);
    });
    retrieve(world, id)
}

pub fn delete(world: &mut World, id: &str) -> Result<Value, StripeError> {
    world.require(COUPON, id, "id")?;
    if let Some(coupon) = world.remove(COUPON, id) {
        world.emit_object("coupon.deleted", coupon, None);
    }
    Ok(json!({"id": id, "object": COUPON, "deleted": true}))
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    page("/v1/coupons", params, &[], world.all(COUPON), |_| true)
}

pub fn create_code(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["active", "code", "customer", "expires_at", "max_redemptions", "metadata", "promotion"])?;
    let coupon = params.part_or_empty("promotion");
    let coupon = coupon.text("coupon").ok_or_else(|| StripeError::missing_parameter("promotion[coupon]"))?;
    world.require(COUPON, coupon, "promotion[coupon]")?;
    let id = world.new_id("promo_", 24);
    let code = params.text("code").map_or_else(|| world.new_id("", 8).to_uppercase(), str::to_owned);
    let promotion = json!({
        "id": id,
        "object": CODE,
        "active": params.flag("active")?.unwrap_or(true),
        "code": code,
        "created": world.now(),
        "customer": params.text("customer"),
        "customer_account": null,
        "expires_at": params.integer("expires_at")?,
        "livemode": false,
        "max_redemptions": params.integer("max_redemptions")?,
        "metadata": metadata(params),
        "promotion": {"type": "coupon", "coupon": coupon},
        "restrictions": {"first_time_transaction": false, "minimum_amount": null, "minimum_amount_currency": null},
        "times_redeemed": 0,
    });
    world.insert(CODE, promotion);
    world.emit("promotion_code.created", CODE, &id);
    retrieve_code(world, &id)
}

pub fn retrieve_code(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(CODE, id, "id").cloned()
}

pub fn update_code(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["active", "metadata"])?;
    world.require(CODE, id, "id")?;
    let active = params.flag("active")?;
    world.update(CODE, id, "promotion_code.updated", |code| {
        merge_metadata(&mut code["metadata"], params);
        if let Some(active) = active {
            code["active"] = json!(active);
        }
    });
    retrieve_code(world, id)
}

pub fn list_codes(world: &World, params: &Params) -> Result<Value, StripeError> {
    let active = params.flag("active")?;
    page("/v1/promotion_codes", params, &["active", "code", "coupon"], world.all(CODE), |code| {
        active.is_none_or(|active| code.is("active") == active)
            && params.text("code").is_none_or(|wanted| code.text("code").is_some_and(|code| code.eq_ignore_ascii_case(wanted)))
            && params.text("coupon").is_none_or(|wanted| code["promotion"].text("coupon") == Some(wanted))
    })
}

/// Whether a coupon or a promotion code, and the coupon behind that, still counts.
fn is_redeemable(world: &World, object: &Value) -> bool {
    let now = world.now();
    let left = object.int_or_none("max_redemptions").is_none_or(|most| object.int("times_redeemed") < most);
    let in_time = ["redeem_by", "expires_at"].iter().all(|name| object.int_or_none(name).is_none_or(|until| now <= until));
    let behind = object["promotion"].text("coupon").and_then(|coupon| world.get(COUPON, coupon));
    let active = object.get("active").is_none_or(|active| active == true);
    left && in_time && active && behind.is_none_or(|coupon| is_redeemable(world, coupon))
}

/// The active promotion code that a person typed, as `discounts` takes it.
pub fn typed(world: &World, code: &str) -> Option<Value> {
    let same =
        |stored: &&Value| is_redeemable(world, stored) && stored.text("code").is_some_and(|stored| stored.eq_ignore_ascii_case(code));
    let promotion = world.all(CODE).into_iter().find(same)?;
    Some(json!({"promotion_code": promotion["id"]}))
}

/// `discounts[0][coupon]` or `discounts[0][promotion_code]`, checked.
pub fn wanted(world: &World, params: &Params) -> Result<Vec<Value>, StripeError> {
    let mut wanted = Vec::new();
    for part in params.parts("discounts") {
        part.only(&["coupon", "promotion_code"])?;
        let (name, kind) = if part.has("coupon") { ("coupon", COUPON) } else { ("promotion_code", CODE) };
        let id = part.required(name)?;
        let found = world.require(kind, id, &part.name(name))?;
        if !is_redeemable(world, found) {
            let what = name.replace('_', " ");
            return Err(StripeError::invalid(&part.name(name), &format!("This {what} is expired, used up or not active.")));
        }
        let mut one = json!({});
        one[name] = json!(id);
        wanted.push(one);
    }
    Ok(wanted)
}

/// Makes discounts of a subscription out of what [`wanted`] found, and counts the redemptions. Answers their ids.
pub fn redeem(world: &mut World, wanted: &[Value], customer: &str, subscription: &str) -> Vec<Value> {
    let mut ids = Vec::new();
    for one in wanted {
        let code = one.text("promotion_code").map(str::to_owned);
        let promoted = code.as_deref().and_then(|code| world.get(CODE, code)).and_then(|code| code["promotion"].text("coupon"));
        let Some(coupon) = one.text("coupon").or(promoted).map(str::to_owned) else { continue };
        let id = world.new_id("di_", 24);
        let start = world.now_for(customer);
        let months = world.get(COUPON, &coupon).and_then(|coupon| coupon.int_or_none("duration_in_months"));
        let discount = json!({
            "id": id,
            "object": "discount",
            "checkout_session": null,
            "customer": customer,
            "customer_account": null,
            "end": months.map(|months| start + months * 2_629_800),
            "invoice": null,
            "invoice_item": null,
            "promotion_code": code,
            "source": {"coupon": coupon, "type": "coupon"},
            "start": start,
            "subscription": subscription,
            "subscription_item": null,
        });
        world.insert("discount", discount);
        let redeemed = |object: &mut Value| object["times_redeemed"] = json!(object.int("times_redeemed") + 1);
        world.change(COUPON, &coupon, redeemed);
        if let Some(code) = code {
            world.change(CODE, &code, redeemed);
        }
        ids.push(json!(id));
    }
    ids
}

/// How much of `amount` a coupon takes away.
pub fn reduction(coupon: &Value, amount: i64) -> i64 {
    match (coupon["percent_off"].as_f64(), coupon.int_or_none("amount_off")) {
        (Some(percent), _) => (amount as f64 * percent / 100.0).round() as i64,
        (None, Some(off)) => off.min(amount),
        (None, None) => 0,
    }
}

/// What is left of `amount` once the discounts that [`wanted`] found are taken away.
pub fn reduced(world: &World, amount: i64, wanted: &[Value]) -> i64 {
    let coupon = |one: &Value| -> Option<Value> {
        let promoted = one.text("promotion_code").and_then(|code| world.get(CODE, code)?["promotion"].text("coupon"));
        world.get(COUPON, one.text("coupon").or(promoted)?).cloned()
    };
    wanted.iter().filter_map(coupon).fold(amount, |left, coupon| left - reduction(&coupon, left))
}
