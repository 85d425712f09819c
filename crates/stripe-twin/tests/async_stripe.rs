//! x
#[test]
fn t() {}
