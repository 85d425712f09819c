//! Deliveries of all tenants, for who sends them.

use crate::Store;

#[derive(Clone, Copy)]
pub struct WebhookQueue<'a> {
    store: &'a Store,
}

impl<'a> WebhookQueue<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    pub(super) const fn store(self) -> &'a Store {
        self.store
    }
}
