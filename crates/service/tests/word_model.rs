//! Unknown words that a language model knows names for: shown as guesses, stored with the job, and drawn.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use domain::{
    JobRequest, JobSpec, JobView, Model, SpecError, Stage, WorkerId,
    catalog::{Reading, Understands, testing::video_model},
    scheduling::Suspects,
};
use service::{Services, Submission, SubmitError, User, expansion::Expansion, word_model::WordModel};
use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};
use store::{
    objects::{ObjectsConfig, open},
    on_both_engines,
    testing::TempDatabase,
};
use tempfile::TempDir;
use uuid::Uuid;

/// Knows three words.
struct Three;

impl WordModel for Three {
    fn nearest(&self, words: &[String]) -> Option<Vec<Option<String>>> {
        let name = |word: &String| match word.as_str() {
            "schooner" => Some("sailboat"),
            "oboe" => Some("flute"),
            "obstreperous" => Some("qwxz that nobody draws"),
            _ => None,
        };
        Some(words.iter().map(|word| name(word).map(ToOwned::to_owned)).collect())
    }
}

/// Answers when it is told to.
struct Slow(std::sync::Mutex<mpsc::Receiver<()>>);

impl WordModel for Slow {
    fn nearest(&self, words: &[String]) -> Option<Vec<Option<String>>> {
        self.0.lock().unwrap().recv().unwrap();
        Three.nearest(words)
    }
}

/// Fails once.
#[derive(Default)]
struct Failing(AtomicBool);

impl WordModel for Failing {
    fn nearest(&self, words: &[String]) -> Option<Vec<Option<String>>> {
        self.0.swap(true, Ordering::SeqCst).then(|| Three.nearest(words)).flatten()
    }
}

fn scenes() -> Model {
    Model { understands: Understands::Scenes, ..video_model() }
}

struct World {
    services: Services,
    user: User,
    _database: TempDatabase,
    _folder: TempDir,
}

impl World {
    async fn new(database: TempDatabase) -> Self {
        let folder = TempDir::new().unwrap();
        let store = database.open().await.unwrap();
        let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
        let services = Services::new(store, objects);
        let user = services.sign_up("ada@example.com", "correct horse battery").await.unwrap();
        let models = folder.path().join("models").join(&scenes().id);
        fs::create_dir_all(&models).unwrap();
        fs::write(models.join("manifest.json"), serde_json::to_string(&scenes()).unwrap()).unwrap();
        services.offer_models(domain::Actor::System, models.parent().unwrap()).await.unwrap();
        Self { services, user, _database: database, _folder: folder }
    }

    async fn submit(&self, prompt: &str, key: Option<&str>) -> Result<JobView, SubmitError> {
        let request = JobRequest { prompt: prompt.into(), seed: Some("7".into()), ..JobRequest::default() };
        self.submit_request(request, key).await
    }

    async fn submit_request(&self, request: JobRequest, key: Option<&str>) -> Result<JobView, SubmitError> {
        let submission = Submission { request, idempotency_key: key.map(Into::into), ..Submission::default() };
        Ok(self.services.submit(self.user.actor(), submission).await?.job)
    }

    /// What a worker gets, oldest first.
    async fn claimed(&self) -> JobSpec {
        let worker = WorkerId::from_uuid(Uuid::now_v7());
        let claimed = self.services.store.queue().claim(Stage::Sampling, worker, &[&scenes().id], 60_000, Suspects::Take).await;
        claimed.unwrap().unwrap().job.spec
    }
}

fn read(view: &JobView, reading: Reading) -> Vec<(&str, Option<&str>)> {
    let terms = view.understanding.as_ref().unwrap().read_as(reading);
    terms.map(|term| (term.text.as_str(), term.meaning.as_deref())).collect()
}

on_both_engines! {
    async fn what_a_word_is_taken_for_is_shown_as_a_guess_stored_and_drawn(database: TempDatabase) {
        let world = World::new(database).await;
        let before = world.submit("a red Schooner on the sea", None).await.unwrap();
        assert_eq!((read(&before, Reading::Ignored), before.spec.read_as.as_deref()), (vec![("red", None), ("Schooner", None)], None));
        assert_eq!(world.claimed().await.model_prompt(), "a red Schooner on the sea");

        world.services.use_word_model(Arc::new(Three));
        let made = world.submit("a red Schooner on the sea", Some("key")).await.unwrap();
        assert_eq!(read(&made, Reading::Guess), [("Schooner", Some("sailboat"))]);
        assert!(read(&made, Reading::Ignored).is_empty() && read(&made, Reading::Understood).iter().any(|(text, _)| *text == "red"));
        let drawn = world.claimed().await;
        assert_eq!((drawn.prompt.as_str(), drawn.model_prompt()), ("a red Schooner on the sea", "a red sailboat on the sea"));
        assert_eq!((drawn.request().enrich, &drawn.expanded_prompt), (None, &None), "it was not made richer");

        let repeated = world.submit("a red Schooner on the sea", Some("key")).await.unwrap();
        let again = world.submit_request(drawn.request(), None).await.unwrap();
        assert_eq!((repeated.id, &repeated.spec, &again.spec), (made.id, &made.spec, &made.spec));
        assert_eq!(again.understanding, made.understanding);
        let stored = world.services.job(world.user.actor(), made.id).await.unwrap().unwrap();
        assert_eq!((stored.understanding, stored.spec), (made.understanding, made.spec));
    }

    async fn the_same_again_is_read_as_it_was_and_another_prompt_anew(database: TempDatabase) {
        let world = World::new(database).await;
        let remix = async |source: &JobView, prompt: &str| {
            let request = JobRequest { prompt: prompt.into(), ..source.spec.request() };
            let submission = Submission { request, remixed_from: Some(source.id), ..Submission::default() };
            world.services.submit(world.user.actor(), submission).await.unwrap().job
        };
        let without = world.submit("an oboe and a cat", None).await.unwrap();
        world.services.use_word_model(Arc::new(Three));
        let with = world.submit("an oboe and a cat", None).await.unwrap();
        assert_eq!((without.spec.read_as.as_deref(), with.spec.read_as.as_deref()), (None, Some("an flute and a cat")));
        for source in [&without, &with] {
            let again = remix(source, "an oboe and a cat").await;
            assert_eq!((&again.spec.read_as, &again.understanding), (&source.spec.read_as, &source.understanding));
            assert_eq!(remix(source, "an oboe and a dog").await.spec.read_as.as_deref(), Some("an flute and a dog"));
            let submission = Submission { request: source.spec.request(), repeats: Some(source.id), ..Submission::default() };
            let repeated = world.services.submit(world.user.actor(), submission).await.unwrap().job;
            assert_eq!((&repeated.spec.read_as, &repeated.understanding), (&source.spec.read_as, &source.understanding));
            assert_eq!(repeated.remixed_from, None);
        }
    }

    async fn what_was_added_to_one_prompt_was_typed_in_the_next(database: TempDatabase) {
        let world = World::new(database).await;
        world.services.use_word_model(Arc::new(Three));
        let request = JobRequest { prompt: "a cat plays the oboe".into(), enrich: Some("true".into()), seed: Some("7".into()), ..JobRequest::default() };
        let richer = world.submit_request(request, None).await.unwrap();
        let is_added = |view: &JobView| view.understanding.iter().flat_map(|read| read.terms()).any(|term| term.is_added);
        assert!(is_added(&richer), "{richer:?}");
        let typed = JobRequest { prompt: richer.spec.text().to_owned(), enrich: None, ..richer.spec.request() };
        let submission = Submission { request: typed, remixed_from: Some(richer.id), ..Submission::default() };
        let remixed = world.services.submit(world.user.actor(), submission).await.unwrap().job;
        assert_eq!(remixed.spec.read_as, richer.spec.read_as);
        assert!(!is_added(&remixed), "{remixed:?}");
        let submission = Submission { request: richer.spec.request(), remixed_from: Some(remixed.id), ..Submission::default() };
        let richer_again = world.services.submit(world.user.actor(), submission).await.unwrap().job;
        assert_eq!(richer_again.understanding, richer.understanding);
    }

    async fn a_model_that_failed_is_asked_again(database: TempDatabase) {
        let world = World::new(database).await;
        world.services.use_word_model(Arc::new(Failing::default()));
        assert_eq!(world.submit("an oboe and a cat", None).await.unwrap().spec.read_as, None);
        let next = world.submit("an oboe and a cat", None).await.unwrap();
        assert_eq!(next.spec.read_as.as_deref(), Some("an flute and a cat"));
    }

    async fn words_without_a_name_stay_ignored_and_a_guess_alone_is_enough_to_be_made(database: TempDatabase) {
        let world = World::new(database).await;
        world.services.use_word_model(Arc::new(Three));
        let made = world.submit("an obstreperous cat, perspicacious", None).await.unwrap();
        assert_eq!(read(&made, Reading::Ignored), [("obstreperous", None), ("perspicacious", None)]);
        assert_eq!(made.spec.read_as, None);
        let nothing = world.submit("perspicacious", None).await;
        assert!(matches!(nothing, Err(SubmitError::Spec(SpecError::PromptNotUnderstood { .. }))));
        let alone = world.submit("schooner", None).await.unwrap();
        assert_eq!((alone.spec.read_as.as_deref(), read(&alone, Reading::Guess)), (Some("sailboat"), vec![("schooner", Some("sailboat"))]));
        let absent = world.submit("a cat without a schooner", None).await.unwrap();
        assert_eq!(read(&absent, Reading::Guess), [("schooner", Some("left out"))]);
    }

    async fn a_prompt_that_is_made_richer_keeps_what_was_typed_beside_what_is_drawn(database: TempDatabase) {
        let world = World::new(database).await;
        world.services.use_word_model(Arc::new(Three));
        let request = |enrich: &str| JobRequest { prompt: "a cat plays the oboe".into(), seed: Some("7".into()), enrich: Some(enrich.into()), ..JobRequest::default() };
        let made = world.submit_request(request("true"), None).await.unwrap();
        let (expanded, drawn) = (made.spec.expanded_prompt.clone().unwrap(), made.spec.read_as.clone().unwrap());
        assert!(expanded.contains("oboe") && expanded != made.spec.prompt, "{expanded}");
        assert_eq!((expanded.replace("oboe", "flute"), made.spec.model_prompt()), (drawn.clone(), drawn.as_str()));
        let added: Vec<bool> = made.understanding.as_ref().unwrap().terms().iter().map(|term| term.is_added).collect();
        assert!(added.contains(&true) && added.contains(&false));
        assert!(made.understanding.as_ref().unwrap().read_as(Reading::Guess).all(|term| !term.is_added && term.text == "oboe"));
    }

    async fn who_waits_too_long_goes_on_without_and_the_next_one_finds_it(database: TempDatabase) {
        let world = World::new(database).await;
        let (answer, asked) = mpsc::channel();
        world.services.use_word_model(Arc::new(Slow(asked.into())));
        let prompt = Expansion::none("a schooner at night");
        let read = async |within: u64| world.services.guess(&scenes(), prompt.clone(), Duration::from_millis(within)).await;
        assert_eq!([read(1).await, read(1).await], [prompt.clone(), prompt.clone()], "one question at a time, and nobody waits");
        answer.send(()).unwrap();
        assert_eq!(read(60_000).await.text, "a sailboat at night");
        // Nothing answers any more, and nothing needs to.
        drop(answer);
        assert_eq!(read(60_000).await.guesses.len(), 1);
    }
}
