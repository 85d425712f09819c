//! How much of a job's texts is read: they may be long, and most who read a job do not look at them.

use crate::entity::job as table;
use sea_orm::{
    EntityTrait, Iterable, QuerySelect, Select,
    sea_query::{Expr, ExprTrait, Func, SimpleExpr},
};
use table::Column;

/// What is left out of a text is as if it had never been there: a prompt that is not read is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texts {
    Whole,
    /// The first so many characters of each.
    Start(i32),
    LeftOut,
}

/// Jobs with so much of their texts.
pub(crate) fn jobs(texts: Texts) -> Select<table::Entity> {
    let all = table::Entity::find();
    let (prompt, negative) = match texts {
        Texts::Whole => return all,
        Texts::Start(chars) => (start(Column::Prompt, chars), start(Column::NegativePrompt, chars)),
        Texts::LeftOut => (Expr::cust("''"), Expr::cust("NULL")),
    };
    let is_text = |column: &Column| {
        use Column::{ExpandedPrompt, FallbackTexts, Layout, NegativePrompt, Prompt, ReadAs, Understanding};
        matches!(column, Prompt | NegativePrompt | ExpandedPrompt | ReadAs | Understanding | Layout | FallbackTexts)
    };
    let others = Column::iter().filter(|column| !is_text(column));
    let cut = all.select_only().columns(others).expr_as(prompt, "prompt").expr_as(negative, "negative_prompt");
    // What is made and said of a prompt goes with the whole of it.
    let left_out = ["expanded_prompt", "read_as", "understanding", "layout", "fallback_texts"];
    left_out.into_iter().fold(cut, |cut, name| cut.expr_as(Expr::cust("NULL"), name))
}

fn start(column: Column, chars: i32) -> SimpleExpr {
    Func::cust("substr").args([Expr::col(column), 1.into(), chars.into()]).into()
}

/// The bytes of all texts in UTF-8.
pub(crate) fn bytes() -> SimpleExpr {
    let length = |column: Column| SimpleExpr::from(Func::cust("octet_length").arg(Expr::col(column)));
    let optional = |column: Column| SimpleExpr::from(Func::coalesce([length(column), 0.into()]));
    length(Column::Prompt)
        .add(optional(Column::NegativePrompt))
        .add(optional(Column::ExpandedPrompt))
        .add(optional(Column::ReadAs))
        .cast_as("BIGINT")
}
