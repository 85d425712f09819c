// Starts a twin, makes one of each kind of object in it and writes the answers down as TypeScript, each declared as the type that the
// `stripe` package gives it: `tsc` then says which field is missing, of another type, or known to nobody.
//
// node record.mjs PROGRAM FILE

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";

const [program, file] = process.argv.slice(2);
const twin = spawn(program, ["--port", "0", "--seed", "1"], { stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => twin.kill());
const url = String((await once(twin.stdout, "data"))[0]).trim();
const START = 1_800_000_000;
const answers = [];

function encode(value, name, pairs) {
  if (value !== null && typeof value === "object") {
    for (const [key, inner] of Object.entries(value)) encode(inner, name ? `${name}[${key}]` : key, pairs);
  } else {
    pairs.append(name, value);
  }
  return pairs;
}

async function call(method, path, params = {}) {
  const pairs = encode(params, "", new URLSearchParams());
  const query = method === "GET" && pairs.size ? `?${pairs}` : "";
  const headers = { authorization: "Bearer sk_test_types", "content-type": "application/x-www-form-urlencoded" };
  const answer = await fetch(`${url}/v1/${path}${query}`, { method, headers, body: method === "GET" ? undefined : pairs.toString() });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
  return body;
}

const post = (path, params) => call("POST", path, params);
const get = (path, params) => call("GET", path, params);
const keep = (type, answer) => answers.push([type, answer]);

const product = await post("products", { name: "Types", default_price_data: { currency: "usd", unit_amount: 500 } });
const meter = await post("billing/meters", { display_name: "M", event_name: "types", default_aggregation: { formula: "sum" } });
const monthly = { product: product.id, currency: "usd", recurring: { interval: "month" } };
const basic = await post("prices", { ...monthly, unit_amount: 1000 });
const pro = await post("prices", { ...monthly, unit_amount: 3000 });
const recurring = { interval: "month", usage_type: "metered", meter: meter.id };
const metered = await post("prices", { ...monthly, unit_amount_decimal: "0.25", recurring });
keep("Stripe.Product", product);
keep("Stripe.Billing.Meter", meter);
keep("Stripe.Price", basic);
keep("Stripe.Price", metered);

const clock = await post("test_helpers/test_clocks", { frozen_time: START });
const customer = await post("customers", {
  email: "t@example.com",
  test_clock: clock.id,
  address: { country: "DE" },
  tax_id_data: [{ type: "eu_vat", value: "DE123456789" }],
});
const method = await post("payment_methods/pm_card_visa/attach", { customer: customer.id });
await post(`customers/${customer.id}`, { invoice_settings: { default_payment_method: method.id } });
keep("Stripe.TestHelpers.TestClock", clock);
keep("Stripe.Customer", await get(`customers/${customer.id}`, { expand: ["subscriptions", "tax_ids"] }));
keep("Stripe.TaxId", (await get(`customers/${customer.id}/tax_ids`)).data[0]);
keep("Stripe.PaymentMethod", method);

const coupon = await post("coupons", { percent_off: 10, duration: "repeating", duration_in_months: 3 });
const code = await post("promotion_codes", { promotion: { type: "coupon", coupon: coupon.id } });
keep("Stripe.Coupon", coupon);
keep("Stripe.PromotionCode", code);

const items = [{ price: basic.id }, { price: metered.id }];
const begun = await post("subscriptions", { customer: customer.id, items, discounts: [{ coupon: coupon.id }], metadata: { a: "b" } });
const expand = ["latest_invoice.payments.data.payment.payment_intent", "customer", "discounts", "latest_invoice.confirmation_secret"];
keep("Stripe.Subscription", begun);
keep("Stripe.Subscription", await get(`subscriptions/${begun.id}`, { expand }));
keep("Stripe.SubscriptionItem", begun.items.data[0]);
const usage = { event_name: "types", payload: { stripe_customer_id: customer.id, value: "4" }, identifier: "types-1" };
keep("Stripe.Billing.MeterEvent", await post("billing/meter_events", usage));
const span = { customer: customer.id, start_time: START, end_time: START + 3600 };
keep("Stripe.Billing.MeterEventSummary", (await get(`billing/meters/${meter.id}/event_summaries`, span)).data[0]);
const cancel = { event_name: "types", type: "cancel", cancel: { identifier: "types-1" } };
keep("Stripe.Billing.MeterEventAdjustment", await post("billing/meter_event_adjustments", cancel));

const change = { items: [{ id: begun.items.data[0].id, price: pro.id }] };
keep("Stripe.Invoice", await post("invoices/create_preview", { subscription: begun.id, subscription_details: change }));
await post(`subscriptions/${begun.id}`, { ...change, proration_behavior: "create_prorations" });
const pending = await get("invoiceitems", { customer: customer.id });
keep("Stripe.InvoiceItem", pending.data[0]);
await post(`test_helpers/test_clocks/${clock.id}/advance`, { frozen_time: START + 32 * 86_400 });
const renewed = (await get("invoices", { subscription: begun.id, limit: 1 })).data[0];
keep("Stripe.Invoice", renewed);
keep("Stripe.InvoiceLineItem", renewed.lines.data[0]);
keep("Stripe.InvoicePayment", (await get("invoice_payments", { invoice: renewed.id })).data[0]);
keep("Stripe.CreditNote", await post("credit_notes", { invoice: renewed.id, amount: 100, refund_amount: 60, credit_amount: 40 }));
keep("Stripe.CustomerBalanceTransaction", (await get(`customers/${customer.id}/balance_transactions`)).data[0]);

const payment = { amount: 900, currency: "usd", customer: customer.id, payment_method: method.id, confirm: true };
const intent = await post("payment_intents", payment);
keep("Stripe.PaymentIntent", intent);
keep("Stripe.Charge", await get(`charges/${intent.latest_charge}`, { expand: ["refunds"] }));
keep("Stripe.Refund", await post("refunds", { payment_intent: intent.id, amount: 100 }));
const failing = await post("payment_methods/pm_card_chargeCustomerFail/attach", { customer: customer.id });
await post("payment_intents", { ...payment, payment_method: failing.id }).catch(() => {});
keep("Stripe.PaymentIntent", (await get("payment_intents", { limit: 1 })).data[0]);
const asks = { amount: 900, currency: "usd", payment_method: "pm_card_authenticationRequired", confirm: true, return_url: "http://localhost" };
keep("Stripe.PaymentIntent", await post("payment_intents", asks));
keep("Stripe.SetupIntent", await post("setup_intents", { customer: customer.id, payment_method: method.id, confirm: true }));

const urls = { success_url: "http://localhost/done", cancel_url: "http://localhost/back" };
const session = await post("checkout/sessions", { mode: "subscription", line_items: [{ price: basic.id, quantity: 1 }], ...urls });
keep("Stripe.Checkout.Session", session);
const form = new URLSearchParams({ email: "t@example.com", card: "4242424242424242", name: "T" });
await fetch(session.url, { method: "POST", body: form, redirect: "manual" });
keep("Stripe.Checkout.Session", await get(`checkout/sessions/${session.id}`, { expand: ["line_items", "subscription", "invoice"] }));

const features = { subscription_update: { enabled: true, default_allowed_updates: ["price"], products: [{ product: product.id, prices: [basic.id] }] } };
keep("Stripe.BillingPortal.Configuration", await post("billing_portal/configurations", { features }));
keep("Stripe.BillingPortal.Session", await post("billing_portal/sessions", { customer: customer.id, return_url: "http://localhost" }));
const flow_data = { type: "subscription_cancel", subscription_cancel: { subscription: begun.id } };
keep("Stripe.BillingPortal.Session", await post("billing_portal/sessions", { customer: customer.id, flow_data }));
keep("Stripe.WebhookEndpoint", await post("webhook_endpoints", { url: "http://127.0.0.1:1/hook", enabled_events: ["*"] }));
keep("Stripe.Subscription", await call("DELETE", `subscriptions/${begun.id}`));
keep("Stripe.DeletedCustomer", await call("DELETE", `customers/${customer.id}`));

// One event of each type that has happened by now.
const seen = new Map();
let page = { has_more: true };
while (page.has_more) {
  page = await get("events", { limit: 100, ...(page.data ? { starting_after: page.data.at(-1).id } : {}) });
  for (const event of page.data) seen.set(event.type, event);
}
for (const event of seen.values()) keep("Stripe.Event", event);

// The client makes numbers with a point of its own out of these texts.
const written = (answer) => JSON.stringify(answer, null, 1).replace(/("\w*_decimal": )("[^"]*")/g, "$1decimal($2)");
const lines = answers.map(([type, answer], at) => `export const answer${at}: ${type} = ${written(answer)};\n`);
writeFileSync(file, `import Stripe from "stripe";\ndeclare const decimal: (text: string) => Stripe.Decimal;\n${lines.join("")}`);
twin.kill();
console.log(`${answers.length} answers of ${new Set(answers.map(([type]) => type)).size} types, ${seen.size} types of events`);
