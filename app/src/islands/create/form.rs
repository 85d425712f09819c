//! What the parts of the form share, and what happens to it: changed, restored, thrown away, sent.

use super::{
    draft::{self, Kept},
    fields, name, offer,
    pins::Pins,
    submit::{Draft, Refusal, SubmitVideo, send},
};
use crate::{islands::browser, words};
use domain::{Catalog, JobId, JobRequest, JobSpec, Model, Quote, Seed, UserId, catalog::Field};
use leptos::{html, prelude::*, task::spawn_local};

const PROMPT: &str = "#prompt";
const ADVANCED: &str = "#advanced";
/// Of what somebody asked for, in a sentence of ours.
const SAID_CHARS: usize = 60;

#[derive(Clone, Copy)]
pub struct Form {
    pub node: NodeRef<html::Form>,
    /// What is on offer.
    pub catalog: StoredValue<Catalog>,
    /// What its fields say.
    pub request: RwSignal<JobRequest>,
    /// The model that is chosen.
    pub model: Memo<Model>,
    /// The job that it describes, whatever its prompt, and the price of that; `None` when a field is wrong.
    pub priced: Memo<Option<(JobSpec, Quote)>>,
    pub refusal: RwSignal<Option<Refusal>>,
    pub remixed_from: RwSignal<Option<JobId>>,
    pub sending: RwSignal<bool>,
    /// Whether it shows a draft that was kept.
    pub restored: RwSignal<bool>,
    /// The draft that was thrown away or replaced by an example, until something else is typed.
    pub thrown_away: RwSignal<Option<Kept>>,
    /// Whether it is to be made even where nothing of the prompt is understood, until something else is typed.
    pub force: StoredValue<bool>,
    /// Drafts that were kept when the form already held something else, beside its own; the next to be had back last.
    pub put_aside: RwSignal<Vec<Kept>>,
    /// What was chosen of each other model, for who comes back to it.
    of_models: StoredValue<Vec<JobRequest>>,
    /// The choices it was to start from that are not on offer any more.
    gone: RwSignal<Vec<(Field, String)>>,
    /// For whom it is drawn.
    author: UserId,
    /// Names what it sends, together with the content.
    nonce: StoredValue<String>,
    /// Under which its draft is kept.
    draft: StoredValue<String>,
    /// What it says when nobody has typed anything.
    pristine: StoredValue<JobRequest>,
    /// What was taken in last.
    sent: StoredValue<Option<JobRequest>>,
    /// Whether it holds what was sent before and came back.
    came_back: bool,
    pins: Pins,
}

impl Form {
    /// `default`: the catalog's. `kept_under`: the video under which its draft is kept, if any.
    pub fn new(catalog: Catalog, default: Model, start: Draft, kept_under: Option<JobId>, nonce: String, author: UserId) -> Self {
        let Draft { request: asked, remixed_from, once, refusal } = start;
        let (shown, gone) = (offer::as_shown(&catalog, &asked), offer::gone(&catalog, &asked));
        // A prompt that a link has brought is like one that was typed: it is kept, and nothing that was kept is lost to it.
        let is_linked = once.is_none() && remixed_from.is_none();
        let pristine = JobRequest { prompt: if is_linked { String::new() } else { shown.prompt.clone() }, ..shown.clone() };
        let (catalog, request) = (StoredValue::new(catalog), RwSignal::new(shown));
        let model = Memo::new(move |_| {
            let chosen = catalog.with_value(|catalog| request.with(|request| offer::chosen(catalog, request).cloned()));
            chosen.unwrap_or_else(|| default.clone())
        });
        let priced = Memo::new(move |_| catalog.with_value(|catalog| request.with(|request| offer::shape(catalog, request).ok())));
        Self {
            node: NodeRef::new(),
            catalog,
            pristine: StoredValue::new(pristine),
            request,
            model,
            priced,
            of_models: StoredValue::new(Vec::new()),
            gone: RwSignal::new(gone),
            refusal: RwSignal::new(refusal),
            remixed_from: RwSignal::new(remixed_from),
            sending: RwSignal::new(false),
            restored: RwSignal::new(false),
            thrown_away: RwSignal::new(None),
            force: StoredValue::new(false),
            put_aside: RwSignal::new(Vec::new()),
            came_back: once.is_some(),
            pins: Pins::default(),
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
        if self.came_back || self.pristine.with_value(|was| offer::is_typed_otherwise(&request, was)) {
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
            Some(kept) if kept.request != *request => {
                let mut aside = self.put_aside.get_untracked();
                aside.push(kept);
                self.keep_aside(aside);
            }
            Some(kept) if !self.came_back => self.nonce.set_value(kept.nonce),
            _ => {}
        }
        self.keep();
    }

    /// These are put aside now, in place of those that were.
    fn keep_aside(self, mut aside: Vec<Kept>) {
        let before = self.put_aside.get_untracked();
        draft::shorten(&mut aside);
        self.draft.with_value(|name| draft::keep_aside(name, &before, &aside));
        self.put_aside.set(aside);
    }

    fn show(self, kept: Kept) {
        let Kept { request: said, nonce, .. } = kept;
        let (request, gone) = self.catalog.with_value(|catalog| (offer::as_shown(catalog, &said), offer::gone(catalog, &said)));
        if offer::sets_advanced(&request) {
            browser::open(ADVANCED);
        }
        self.put(request, gone);
        self.nonce.set_value(nonce);
        self.restored.set(true);
    }

    /// Fills the fields. They are not read again: the choices of another model are drawn a moment later, by this request.
    fn put(self, request: JobRequest, gone: Vec<(Field, String)>) {
        if let Some(node) = self.node.get_untracked() {
            fields::fill(&node, &request);
            self.request.set(request);
            self.gone.set(gone);
        }
    }

    /// Throws the draft away and goes back to what came from the server.
    pub fn start_afresh(self) {
        let thrown_away = self.kept();
        self.focus(PROMPT);
        self.put(self.pristine.get_value(), Vec::new());
        self.changed();
        self.nonce.set_value(browser::random());
        self.restored.set(false);
        self.thrown_away.set(Some(thrown_away));
    }

    /// Brings back what was thrown away.
    pub fn undo(self) {
        if let Some(kept) = self.thrown_away.get_untracked() {
            self.focus(PROMPT);
            self.show(kept);
            self.keep();
            self.thrown_away.set(None);
        }
    }

    /// Shows the draft that was put aside last, if any, and puts aside the one that is shown.
    fn exchange(self) {
        let mut aside = self.put_aside.get_untracked();
        let Some(kept) = aside.pop() else { return };
        let own = self.kept();
        let is_done = self.is_pristine() || self.sent.with_value(|sent| sent.as_ref() == Some(&own.request));
        if !is_done {
            aside.insert(0, own);
        }
        self.keep_aside(aside);
        self.refusal.set(None);
        self.show(kept);
        self.keep();
    }

    /// The same for who asks for it: what is on its way stays in the form until it is answered.
    pub fn bring_back(self) {
        if !self.sending.get_untracked() {
            self.focus(PROMPT);
            self.exchange();
        }
    }

    /// Throws away the draft that would be shown next.
    pub fn throw_away_aside(self) {
        let mut aside = self.put_aside.get_untracked();
        aside.pop();
        self.keep_aside(aside);
        self.focus(PROMPT);
    }

    /// After every change of a field. A field that is left says so as well, of what it said before.
    pub fn change(self) {
        let before = self.request.get_untracked();
        self.reread();
        if let Some(node) = self.node.get_untracked() {
            self.pins.follow(&node, &before, &self.request.get_untracked());
            self.reread();
        }
        let now = self.request.get_untracked();
        if now.model != before.model {
            self.change_model(before);
        } else if now == before {
            return;
        }
        self.changed();
    }

    /// What was chosen of the model before is kept; of the one that was chosen now it is what was chosen of it last, or what it
    /// has when nothing is said: the same steps would be others.
    fn change_model(self, before: JobRequest) {
        let now = self.request.get_untracked();
        let last = self.of_models.try_update_value(|known| {
            known.retain(|known| known.model != before.model);
            known.push(before);
            known.iter().find(|known| known.model == now.model).cloned()
        });
        let request = offer::with_choices_of(&now, last.flatten().as_ref());
        self.put(self.catalog.with_value(|catalog| offer::as_shown(catalog, &request)), Vec::new());
    }

    /// The old refusal no longer holds, and the draft is kept.
    fn changed(self) {
        self.refusal.set(None);
        self.force.set_value(false);
        self.thrown_away.set(None);
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

    pub fn focus(self, selector: &str) {
        if let Some(node) = self.node.get_untracked() {
            browser::focus(&node, selector);
        }
    }

    /// Takes over what the fields say; for a model that was just chosen, with choices that it has.
    fn reread(self) {
        let Some(node) = self.node.get_untracked() else { return };
        let read = fields::read(&node);
        // The choices of a model that was just chosen are drawn a moment later.
        let read = self.request.with_untracked(|before| if before.model == read.model { offer::completed(&read, before) } else { read });
        let request = self.catalog.with_value(|catalog| offer::as_shown(catalog, &read));
        // What was chosen by hand instead is known to whoever did.
        self.gone.maybe_update(|gone| {
            let many = gone.len();
            gone.retain(|(field, _)| self.request.with_untracked(|before| before.get(*field) == request.get(*field)));
            gone.len() != many
        });
        self.request.set(request);
    }

    pub fn fill(self, field: Field, value: &str) {
        if let Some(node) = self.node.get_untracked() {
            fields::write(&node, field, value);
            self.change();
        }
    }

    /// Puts an example in the place of the prompt. What somebody had typed there can be had back.
    pub fn replace_prompt(self, text: &str) {
        let (before, thrown_away) = (self.kept(), self.thrown_away.get_untracked());
        let is_own = |example: &str| before.request.prompt != example;
        let is_typed =
            is_own("") && is_own(text) && self.model.with_untracked(|model| model.examples.iter().all(|example| is_own(&example.prompt)));
        self.focus(PROMPT);
        self.fill(Field::Prompt, text);
        self.restored.set(false);
        self.thrown_away.set(if is_typed { Some(before) } else { thrown_away });
    }

    /// What it makes, in a word.
    pub fn noun(self) -> &'static str {
        words::noun(self.model.with(Model::makes_images))
    }

    /// What is wrong with a field: what the server said last, else what the rules say of it now, else that it was to say
    /// something which is not on offer any more.
    pub fn error(self, field: Field) -> Option<String> {
        if let Some(Refusal::Field { field: refused, message, .. }) = self.refusal.get()
            && refused == field.name()
        {
            return Some(words::mend(&message));
        }
        let found = self.catalog.with_value(|catalog| self.request.with(|request| offer::alone(catalog, request, field))).err();
        if let Some(error) = found.filter(|error| error.field() == field.name()) {
            return Some(words::mend(&error.to_string()));
        }
        let said = self.gone.with(|gone| gone.iter().find(|(gone, _)| *gone == field).map(|(_, said)| words::shortened(said, SAID_CHARS)));
        said.map(|said| format!("{} {said} is not on offer any more.", field.label()))
    }

    /// Checks by the server's own rules first; sends what passes them, once at a time.
    pub fn submit(self) {
        if self.sending.get_untracked() {
            return;
        }
        self.reread();
        let (request, source) = (self.request.get_untracked(), self.remixed_from.get_untracked());
        let quote = match self.catalog.with_value(|catalog| request.parse(catalog, Seed::ZERO)) {
            Ok((_, quote)) => quote,
            Err(error) => return self.refuse(Refusal::at_field(&error)),
        };
        // What the page shows, or what the server said instead and is agreed to by this second click.
        let price = match self.refusal.get_untracked() {
            Some(Refusal::PriceNotShown { price }) => price,
            _ => quote.billed,
        };
        self.sending.set(true);
        self.take_name_of_same(&request);
        // Also what nobody has changed, so that it is the same submission after a reload.
        let kept = self.kept();
        self.draft.with_value(|name| draft::keep_own(name, &kept));
        let (quoted_ms, author, force, once) = (Some(price.ms()), Some(self.author), self.force.get_value(), self.nonce.get_value());
        let asked = SubmitVideo { request: request.clone(), remixed_from: source, repeats: None, once, quoted_ms, author, force };
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
        let mut aside = self.put_aside.get_untracked();
        let same = aside.iter().position(|kept| kept.request == *request);
        if let Some(same) = same.filter(|_| !self.came_back) {
            self.nonce.set_value(aside.remove(same).nonce);
            self.keep_aside(aside);
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
        if let Refusal::Field { field, .. } = &refusal
            && let Some(field) = Field::find(field)
        {
            if offer::is_advanced(field) {
                browser::open(ADVANCED);
            }
            self.focus(&format!("[name='{}']", name(field)));
        }
        self.refusal.set(Some(refusal));
    }
}
