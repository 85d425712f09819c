//! Whether a worker comes where none is there.

use super::{LEADER, view::GIVEN_UP_AFTER_MS};
use crate::Services;
use store::StoreError;

impl Services {
    /// Whether one is started with the first job: some server has workers started, and nothing that may be begun has waited for so long that none
    /// comes.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn workers_come(&self) -> Result<bool, StoreError> {
        if !self.store.leaders().is_any_held(LEADER).await? {
            return Ok(false);
        }
        let (numbers, now) = (Box::pin(self.queue_numbers()).await?, self.store.now().await?);
        // For a line that the operator has paused none is started.
        let mut waiting = numbers.lines.iter().filter(|line| !line.is_held).filter_map(|line| line.going_on_since);
        Ok(waiting.all(|since| now.ms_since(since) < GIVEN_UP_AFTER_MS))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HELD_MS, OperatorCommand, ScalingOptions};
    use super::*;
    use crate::Submission;
    use domain::{
        Actor, JobRequest,
        alerts::defaults,
        billing::Lane,
        scheduling::{PauseScope, QueueAct},
    };
    use std::sync::Arc;
    use store::{
        objects::{ObjectsConfig, open},
        on_both_engines,
        testing::Dial,
    };

    on_both_engines! {
        async fn who_has_workers_started_lacks_none_until_work_waits_in_vain(database: TempDatabase) {
            let (folder, dial) = (tempfile::tempdir().unwrap(), Dial::default());
            let store = database.open_at(&dial).await.unwrap();
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let services = Services::new(store, objects);
            let ada = services.sign_up("ada@example.com", "correct horse battery").await.unwrap();
            let request = JobRequest { prompt: "a red ball".into(), ..JobRequest::default() };
            services.submit(ada.actor(), Submission { request, ..Submission::default() }).await.unwrap();
            assert!(!services.has_workers().await.unwrap(), "nobody has any started");
            let leader = format!("{LEADER}cpu");
            let lead = async || services.store.leaders().hold(&leader, "me", HELD_MS).await.unwrap();
            assert!(lead().await && services.has_workers().await.unwrap());
            dial.advance_ms(GIVEN_UP_AFTER_MS.cast_signed());
            assert!(!services.has_workers().await.unwrap(), "who had them started has fallen silent");
            assert!(lead().await && !services.has_workers().await.unwrap(), "none has come all that time");
        }

        async fn what_the_operator_has_paused_waits_for_no_worker(database: TempDatabase) {
            let (folder, dial) = (tempfile::tempdir().unwrap(), Dial::default());
            let store = database.open_at(&dial).await.unwrap();
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let services = Services::new(store, objects);
            let ada = services.sign_up("ada@example.com", "correct horse battery").await.unwrap();
            let request = JobRequest { prompt: "a red ball".into(), ..JobRequest::default() };
            services.submit(ada.actor(), Submission { request, ..Submission::default() }).await.unwrap();
            let leader = format!("{LEADER}cpu");
            let lead = async || services.store.leaders().hold(&leader, "me", HELD_MS).await.unwrap();
            let lane = services.store.operator().waiting_by_line().await.unwrap()[0].lane;
            for scope in [PauseScope::Everything, PauseScope::Lane(lane)] {
                let beside = Services::new(services.store.clone(), Arc::clone(&services.objects));
                services.change_queue(Actor::Operator, None, &QueueAct::Pause(scope.clone()), "").await.unwrap();
                dial.advance_ms(GIVEN_UP_AFTER_MS.cast_signed());
                assert!(lead().await && services.has_workers().await.unwrap(), "{scope} keeps it waiting");
                assert!(beside.has_workers().await.unwrap(), "{scope} keeps it waiting");
                services.change_queue(Actor::Operator, None, &QueueAct::Resume(scope), "").await.unwrap();
                assert!(services.has_workers().await.unwrap(), "none has been started since");
                assert!(beside.has_workers().await.unwrap(), "what another server counted while it was paused is no wait");
            }
            dial.advance_ms(GIVEN_UP_AFTER_MS.cast_signed());
            let other = PauseScope::Lane(if lane == Lane::Batch { Lane::Interactive } else { Lane::Batch });
            services.change_queue(Actor::Operator, None, &QueueAct::Pause(other), "").await.unwrap();
            assert!(lead().await && !services.has_workers().await.unwrap(), "it waits in vain");
        }

        async fn nobody_is_woken_for_workers_of_which_none_has_to_stay(database: TempDatabase) {
            let (folder, store) = (tempfile::tempdir().unwrap(), database.open().await.unwrap());
            let objects = open(ObjectsConfig::Folder(folder.path().to_owned()), &store).await.unwrap();
            let options = ScalingOptions {
                workers_min: 0,
                workers_max: 2,
                workers_headroom: 0,
                workers_idle: 60,
                workers_device: "cpu".into(),
                workers_command: None,
            };
            let services = Services::new(store, objects).with_scaling(&options, Arc::new(OperatorCommand("true".into())));
            assert_eq!(services.add_usual_alerts(Actor::Operator, None).await.unwrap(), defaults().len());
            let rules = services.store.alerts().rules().await.unwrap();
            let of_workers: Vec<_> = rules.iter().filter(|row| row.rule.name == "No worker is alive").map(|row| row.rule.words()).collect();
            assert!(of_workers.len() == 1 && of_workers[0].contains("while something waits"), "{of_workers:?}");
        }
    }
}
