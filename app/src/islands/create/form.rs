//! What the parts of the form share, and what happens to it: changed, restored, thrown away, sent.

use super::{
    draft::{self, Kept},
    fields, name,
    submit::{Draft, Refusal, SubmitVideo, send},
};
use crate::{islands::browser, words};
use domain::{JobId, JobRequest, Seed, SpecError, UserId, quote};
use leptos::{html, prelude::*, task::spawn_local};

const PROMPT: &str = "#prompt";
const ADVANCED: &str = "#advanced";

#[derive(Clone, Copy)]
pub struct Form {
    pub node: NodeRef<html::Form>,
    pub request: RwSignal<JobRequest>,
    pub refusal: RwSignal<Option<Refusal>>,
    pub remixed_from: RwSignal<Option<JobId>>,
    pub sending: RwSignal<bool>,
    /// Whether it shows a draft that was kept.
    pub restored: RwSignal<bool>,
    /// The draft that was thrown away, until something else is typed.
    pub thrown_away: RwSignal<Option<Kept>>,
    /// The drafts that were kept when the form already held something else, the next to be had back last. They are kept
    /// beside the form's own.
    pub put_aside: RwSignal<Vec<Kept>>,
    /// For whom it is drawn.
    author: UserId,
    /// Names what it sends, together with the content.
    nonce: StoredValue<String>,
    /// Under which its draft is kept.
    draft: StoredValue<String>,
    /// What it said when it came from the server.
    pristine: StoredValue<JobRequest>,
    /// What was taken in last.
    sent: StoredValue<Option<JobRequest>>,
    /// Whether it holds what was sent before and came back.
    came_back: bool,
}

impl Form {
    /// `kept_under`: the video under which its draft is kept, if any.
    pub fn new(start: Draft, kept_under: Option<JobId>, nonce: String, author: UserId) -> Self {
        let Draft { request, remixed_from, once, refusal } = start;
        Self {
            node: NodeRef::new(),
            pristine: StoredValue::new(request.clone()),
            request: RwSignal::new(request),
            refusal: RwSignal::new(refusal),
            remixed_from: RwSignal::new(remixed_from),
            sending: RwSignal::new(false),
            restored: RwSignal::new(false),
            thrown_away: RwSignal::new(None),
            put_aside: RwSignal::new(Vec::new()),
            came_back: once.is_some(),
            author,
            sent: StoredValue::new(None),
            nonce: StoredValue::new(nonce),
            draft: StoredValue::new(draft::name(author, kept_under)),
        }
    }

    /// Takes over what came back or was typed before the script had arrived, or else the draft that was kept.
    pub fn start(self) {
        self.reread();
        let request = self.request.get_untracked();
        let kept = self.draft.with_value(|name| draft::find(name));
        self.put_aside.set(self.draft.with_value(|name| draft::find_aside(name)));
        if self.came_back || self.pristine.with_value(|was| typed(&request) != typed(was)) {
            self.take_over(&request, kept);
        } else {
            self.pristine.set_value(request);
            match kept {
                Some(kept) => self.show(kept),
                None => self.exchange(),
            }
        }
        browser::on_return(move || self.sending.set(false));
    }

    /// What is in the form already becomes the draft. One that says the same gives its name, another is put aside.
    fn take_over(self, request: &JobRequest, kept: Option<Kept>) {
        match kept {
            Some(kept) if kept.request != *request => self.change_aside(|aside| aside.push(kept)),
            Some(kept) if !self.came_back => self.nonce.set_value(kept.nonce),
            _ => {}
        }
        self.keep();
    }

    fn change_aside(self, change: impl FnOnce(&mut Vec<Kept>)) {
        let before = self.put_aside.get_untracked();
        self.put_aside.update(|aside| {
            change(aside);
            draft::shorten(aside);
        });
        self.draft.with_value(|name| self.put_aside.with_untracked(|aside| draft::keep_aside(name, &before, aside)));
    }

    fn show(self, kept: Kept) {
        let (Kept { request, nonce, .. }, Some(node)) = (kept, self.node.get_untracked()) else { return };
        fields::fill(&node, &request);
        let set = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
        if [&request.negative_prompt, &request.steps, &request.guidance, &request.seed].into_iter().any(set) {
            browser::open(ADVANCED);
        }
        self.nonce.set_value(nonce);
        self.restored.set(true);
        self.reread();
    }

    /// Throws the draft away and goes back to what came from the server.
    pub fn start_afresh(self) {
        let thrown_away = self.kept();
        if let Some(node) = self.node.get_untracked() {
            node.reset();
        }
        self.focus(PROMPT);
        self.change();
        self.nonce.set_value(browser::random());
        self.restored.set(false);
        self.thrown_away.set(Some(thrown_away));
    }

    /// Brings back what was thrown away.
    pub fn undo(self) {
        if let Some(kept) = self.thrown_away.get_untracked() {
            self.show(kept);
            self.keep();
            self.thrown_away.set(None);
            self.focus(PROMPT);
        }
    }

    /// Shows the draft that was put aside last, if any, and puts aside the one that is shown.
    fn exchange(self) {
        let Some(kept) = self.put_aside.with_untracked(|aside| aside.last().cloned()) else { return };
        let own = self.kept();
        let is_done = self.is_pristine() || self.sent.with_value(|sent| sent.as_ref() == Some(&own.request));
        self.change_aside(|aside| {
            aside.pop();
            if !is_done {
                aside.insert(0, own);
            }
        });
        self.refusal.set(None);
        self.show(kept);
        self.keep();
    }

    /// The same for who asks for it: what is on its way stays in the form until it is answered.
    pub fn bring_back(self) {
        if !self.sending.get_untracked() {
            self.exchange();
            self.focus(PROMPT);
        }
    }

    /// After every change: the old refusal no longer holds, and the draft is kept.
    pub fn change(self) {
        self.refusal.set(None);
        self.thrown_away.set(None);
        self.reread();
        if self.is_pristine() { self.draft.with_value(|name| draft::forget(name)) } else { self.keep() }
    }

    /// Whether nobody has typed what it says.
    fn is_pristine(self) -> bool {
        !self.came_back && self.pristine.with_value(|pristine| self.request.with_untracked(|request| request == pristine))
    }

    fn keep(self) {
        let kept = self.kept();
        self.draft.with_value(|name| draft::keep(name, &kept));
    }

    fn kept(self) -> Kept {
        Kept::now(self.request.get_untracked(), self.nonce.get_value())
    }

    fn focus(self, selector: &str) {
        if let Some(node) = self.node.get_untracked() {
            browser::focus(&node, selector);
        }
    }

    /// Takes over what the fields say.
    fn reread(self) {
        if let Some(node) = self.node.get_untracked() {
            self.request.set(fields::read(&node));
        }
    }

    pub fn fill(self, field: &str, value: &str) {
        if let Some(node) = self.node.get_untracked() {
            fields::write(&node, field, value);
            self.change();
        }
    }

    pub fn add_to_prompt(self, text: &str) {
        if let Some(node) = self.node.get_untracked() {
            fields::add_to_prompt(&node, text);
            self.change();
        }
    }

    /// What is wrong with a field: what the server said last, else what the rules say of it now.
    pub fn error(self, field: &'static str) -> Option<String> {
        if let Some(Refusal::Field { field: refused, message }) = self.refusal.get()
            && refused == field
        {
            return Some(words::mend(&message));
        }
        let found = self.request.with(|request| fields::alone(request, field)).err()?;
        (found.field() == field).then(|| words::mend(&found.to_string()))
    }

    /// Checks by the server's own rules first; sends what passes them, once at a time.
    pub fn submit(self) {
        if self.sending.get_untracked() {
            return;
        }
        self.reread();
        let (request, source) = (self.request.get_untracked(), self.remixed_from.get_untracked());
        let spec = match request.parse(Seed::ZERO) {
            Ok(spec) => spec,
            Err(error) => return self.refuse(at_field(&error)),
        };
        // What the page shows, or what the server said instead and is agreed to by this second click.
        let price = match self.refusal.get_untracked() {
            Some(Refusal::PriceNotShown { price }) => price,
            _ => quote(&spec).billed,
        };
        self.sending.set(true);
        self.take_name_of_same(&request);
        // Also what nobody has changed, so that it is the same submission after a reload.
        let kept = self.kept();
        self.draft.with_value(|name| draft::keep_own(name, &kept));
        let once = self.nonce.get_value();
        let asked =
            SubmitVideo { request: request.clone(), remixed_from: source, once, quoted_ms: Some(price.ms()), author: Some(self.author) };
        spawn_local(async move {
            match send(asked).await {
                Ok(id) => {
                    self.taken_in(&request);
                    browser::go_to(&format!("/videos/{id}"));
                }
                Err(refusal) => {
                    self.sending.set(false);
                    self.refuse(refusal);
                }
            }
        });
    }

    /// What says the same as a draft that was put aside is the same submission.
    fn take_name_of_same(self, request: &JobRequest) {
        let same = self.put_aside.with_untracked(|aside| aside.iter().position(|kept| kept.request == *request));
        if let Some(same) = same.filter(|_| !self.came_back) {
            self.change_aside(|aside| self.nonce.set_value(aside.remove(same).nonce));
        }
    }

    /// What was sent is no draft any more. What was typed meanwhile is another one.
    fn taken_in(self, sent: &JobRequest) {
        // Who comes back to this form asks for another video.
        self.nonce.set_value(browser::random());
        self.sent.set_value(Some(sent.clone()));
        self.reread();
        if self.request.with_untracked(|now| now == sent) { self.draft.with_value(|name| draft::forget(name)) } else { self.keep() }
    }

    /// Says what to mend and leads there.
    fn refuse(self, refusal: Refusal) {
        if refusal == Refusal::SourceGone {
            self.remixed_from.set(None);
            document().set_title("Create · Reelmill");
        }
        if refusal == Refusal::Deleted {
            self.nonce.set_value(browser::random());
            self.keep();
        }
        if let Refusal::Field { field, .. } = &refusal {
            if matches!(field.as_str(), "steps" | "guidance" | "seed" | "negative_prompt") {
                browser::open(ADVANCED);
            }
            self.focus(&format!("[name='{}']", name(field)));
        }
        self.refusal.set(Some(refusal));
    }
}

fn at_field(error: &SpecError) -> Refusal {
    Refusal::Field { field: error.field().into(), message: error.to_string() }
}

/// What is not chosen but typed.
fn typed(request: &JobRequest) -> [&str; 3] {
    [&request.prompt, request.negative_prompt.as_deref().unwrap_or_default(), request.seed.as_deref().unwrap_or_default()]
}
