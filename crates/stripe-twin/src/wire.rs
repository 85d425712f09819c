//! How clients and the twin talk: what is asked, and what is answered where it is refused.

pub mod answer;
pub mod request;
