//! How parts of the installation fared, look by look, and what is told of trouble.

use domain::{
    billing::Day,
    operations::{
        incident::{IncidentState, NewIncident, Statement, UPDATES_MAX},
        status::{DAYS, LOOK_EVERY_MS, Part, PartDay, PartState},
    },
};
use store::{ActOfOperator, Said, Store, on_both_engines, testing::Dial};

const NOBODY: ActOfOperator<'_> = ActOfOperator { by: None, reason: "" };
const WORKS: [(Part, PartState); 2] = [(Part::Api, PartState::Works), (Part::Workers, PartState::Works)];

async fn days(store: &Store, part: Part) -> Vec<PartDay> {
    let mut days: Vec<_> =
        store.operator().parts_seen().await.unwrap().1.into_iter().filter(|(of, _)| *of == part).map(|(_, day)| day).collect();
    days.sort_by_key(|day| day.day);
    days
}

fn incident(title: &str) -> NewIncident {
    NewIncident::parse(title, "10", "investigating", "We look into it.").unwrap()
}

on_both_engines! {
    async fn each_look_is_a_minute_of_its_day_and_says_since_when_it_is_so(database: TempDatabase) {
        let dial = Dial::default();
        let store = database.open_at(&dial).await.unwrap();
        let first = store.now().await.unwrap();
        store.operator().note_look(&WORKS).await.unwrap();
        for state in [PartState::Works, PartState::Degraded, PartState::Down, PartState::Down] {
            dial.advance_ms(LOOK_EVERY_MS);
            store.operator().note_look(&[(Part::Workers, state)]).await.unwrap();
        }
        let sum = days(&store, Part::Workers).await.iter().fold((0, 0, 0), |sum, day| (sum.0 + day.works, sum.1 + day.degraded, sum.2 + day.down));
        assert_eq!(sum, (2, 1, 2));
        let (parts, _) = store.operator().parts_seen().await.unwrap();
        let workers = parts.iter().find(|seen| seen.part == Part::Workers).unwrap();
        assert_eq!((workers.state, workers.since.ms() - first.ms(), workers.seen_at.ms() - first.ms()), (PartState::Down, 3 * LOOK_EVERY_MS, 4 * LOOK_EVERY_MS));
    }

    async fn minutes_in_which_no_server_looked_count_against_the_api_on_their_own_days(database: TempDatabase) {
        let dial = Dial::default();
        let store = database.open_at(&dial).await.unwrap();
        store.operator().note_look(&WORKS).await.unwrap();
        let day = 24 * 60 * LOOK_EVERY_MS;
        dial.advance_ms(2 * day);
        store.operator().note_look(&WORKS).await.unwrap();
        let seen = days(&store, Part::Api).await;
        assert_eq!(seen.iter().map(|day| day.down).sum::<u32>(), 2 * 24 * 60 - 1);
        assert!(seen.iter().all(|day| day.works + day.down <= 24 * 60) && seen.len() >= 2, "{seen:?}");
        assert_eq!(days(&store, Part::Workers).await.iter().map(|day| day.down).sum::<u32>(), 0, "nobody knows how they fared");
        store.operator().forget_looks().await.unwrap();
        dial.advance_ms(day);
        store.operator().note_look(&WORKS).await.unwrap();
        assert_eq!(days(&store, Part::Api).await.iter().map(|day| day.down).sum::<u32>(), 2 * 24 * 60 - 1, "it was switched off");
    }

    async fn days_that_nobody_is_shown_are_dropped(database: TempDatabase) {
        let dial = Dial::default();
        let store = database.open_at(&dial).await.unwrap();
        store.operator().note_look(&WORKS).await.unwrap();
        store.operator().forget_looks().await.unwrap();
        dial.advance_ms(i64::from(DAYS + 5) * 24 * 60 * LOOK_EVERY_MS);
        store.operator().note_look(&WORKS).await.unwrap();
        let today = Day::of(store.now().await.unwrap());
        assert_eq!(days(&store, Part::Api).await.iter().map(|day| day.day).collect::<Vec<_>>(), [today]);
    }

    async fn an_incident_goes_on_until_it_is_over_and_may_begin_again(database: TempDatabase) {
        let store = database.open().await.unwrap();
        let operator = store.operator();
        let id = operator.tell_incident(&incident("Slow"), NOBODY).await.unwrap();
        let say = async |state: &str| operator.say_of_incident(id, &Statement::parse(state, "More.").unwrap(), NOBODY).await.unwrap();
        assert_eq!(say("resolved").await, Said::Done);
        let over = operator.incidents(10).await.unwrap().remove(0);
        assert_eq!(say("resolved").await, Said::Done);
        let again = operator.incidents(10).await.unwrap().remove(0);
        assert!(over.ended_at.is_some() && over.ended_at == again.ended_at, "it was over by then");
        assert_eq!(again.updates.iter().map(|update| update.state).collect::<Vec<_>>(), [IncidentState::Resolved, IncidentState::Resolved, IncidentState::Investigating]);
        assert_eq!(say("monitoring").await, Said::Done);
        assert_eq!(operator.incidents(10).await.unwrap()[0].ended_at, None);
        for _ in 4..UPDATES_MAX {
            assert_eq!(say("monitoring").await, Said::Done);
        }
        assert_eq!(say("monitoring").await, Said::Full);
        assert_eq!((say("resolved").await, say("investigating").await), (Said::Done, Said::Full), "it can be over all the same");
        assert!(operator.incidents(10).await.unwrap()[0].ended_at.is_some());
        let nothing = operator.say_of_incident(domain::IncidentId::from_uuid(uuid::Uuid::nil()), &Statement::parse("resolved", "x").unwrap(), NOBODY).await;
        assert_eq!(nothing.unwrap(), Said::Unknown);
    }

    async fn one_that_goes_on_is_told_however_many_came_after_it(database: TempDatabase) {
        let dial = Dial::default();
        let store = database.open_at(&dial).await.unwrap();
        let operator = store.operator();
        let old = operator.tell_incident(&incident("Old"), NOBODY).await.unwrap();
        for n in 0..3 {
            dial.advance_ms(1000);
            let over = NewIncident::parse(&format!("{n}"), "0", "resolved", "It is over.").unwrap();
            operator.tell_incident(&over, NOBODY).await.unwrap();
        }
        let told = operator.incidents(2).await.unwrap();
        assert_eq!(told.iter().map(|incident| incident.title.as_str()).collect::<Vec<_>>(), ["2", "1", "Old"]);
        assert_eq!((told[2].id, told[2].updates.len()), (old, 1));
    }

    async fn of_very_many_incidents_the_oldest_are_forgotten_with_all_that_was_said(database: TempDatabase) {
        let store = database.open().await.unwrap();
        for n in 0..203 {
            store.operator().tell_incident(&incident(&format!("Number {n}")), NOBODY).await.unwrap();
        }
        let kept = store.operator().incidents(1000).await.unwrap();
        assert_eq!((kept.len(), kept.iter().all(|incident| incident.updates.len() == 1)), (200, true));
    }
}
