//! Who asks for a change, and from where: what the audit log says of it.

use domain::{Act, Audited, TenantId, UserId};

/// From where somebody asks for something.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub user: UserId,
    /// Their network address.
    pub address: &'a str,
}

impl Asked<'_> {
    /// An act that is about the account alone.
    pub(crate) fn did(&self, act: Act, subject: &str) -> Audited {
        let (subject, address) = (subject.to_owned(), self.address.to_owned());
        Audited { tenant: None, user: Some(self.user), act, subject, address }
    }

    /// An act in a tenant.
    pub(crate) fn did_in(&self, tenant: TenantId, act: Act, subject: &str) -> Audited {
        Audited { tenant: Some(tenant), ..self.did(act, subject) }
    }
}
