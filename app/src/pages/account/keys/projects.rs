//! The projects of a team: made, renamed, archived.

use super::{
    PAGE,
    changes::{Answered, AnsweredNotice, answer},
};
use crate::{
    components::{
        confirm::{Ask, Confirm},
        field::Field,
    },
    fault::Fault,
    http,
    session::{self, TEAM_FIELD, TeamField, same_team},
    words,
};
use domain::{ProjectId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{Project, key::projects::ProjectError};

/// As the form that makes a project calls its name: the one that renames has another.
const NEW: &str = "project";

async fn lead_back(done: Result<String, ProjectError>, typed: &[(&str, &str)]) -> Result<(), Fault> {
    let outcome = match done {
        Ok(said) => Ok(said),
        Err(ProjectError::Forbidden(error)) => return Err(error.into()),
        Err(ProjectError::Store(error)) => return Err(error.into()),
        Err(error) => Err(format!("{}.", words::sentence(&error.to_string()))),
    };
    say(outcome, typed).await
}

async fn say(outcome: Result<String, String>, typed: &[(&str, &str)]) -> Result<(), Fault> {
    answer("projects", outcome, typed).await?;
    leptos_axum::redirect(&format!("{PAGE}#projects"));
    Ok(())
}

#[server(prefix = "/api", endpoint = "create-project")]
pub async fn create_project(project: String, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return say(Err(switched.to_string()), &[(NEW, &project)]).await;
    }
    let made = session::services().create_project(user.actor(), &project, &http::visitor_address()).await;
    lead_back(made.map(|_| "The project is made: keys can belong to it now.".to_owned()), &[(NEW, &project)]).await
}

#[server(prefix = "/api", endpoint = "rename-project")]
pub async fn rename_project(id: ProjectId, name: String, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return say(Err(switched.to_string()), &[]).await;
    }
    let renamed = session::services().rename_project(user.actor(), id, &name, &http::visitor_address()).await;
    lead_back(renamed.map(|()| "The project is renamed.".to_owned()), &[("id", &id.to_string()), ("name", &name)]).await
}

#[server(prefix = "/api", endpoint = "archive-project")]
pub async fn archive_project(id: ProjectId, #[server(default)] tenant: Option<TenantId>) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    if let Err(switched) = same_team(&user, tenant) {
        return say(Err(switched.to_string()), &[]).await;
    }
    let archived = session::services().archive_project(user.actor(), id, &http::visitor_address()).await;
    lead_back(archived.map(|()| "The project is archived, and its keys are revoked.".to_owned()), &[]).await
}

#[component]
pub fn Projects<'a>(tenant: TenantId, projects: Vec<Project>, answered: &'a Answered) -> impl IntoView {
    let typed = answered.typed("projects", NEW).unwrap_or_default();
    let rows = projects.into_iter().map(|project| {
        let typed = answered.typed_of("projects", &project.id.to_string(), "name");
        view! { <Row tenant project typed /> }
    });
    view! {
        <section class="stack" aria-labelledby="projects">
            <h2 id="projects">"Projects"</h2>
            <p>"A key belongs to a project, and so do the videos that it makes. What is made on these pages belongs to the first one."</p>
            <AnsweredNotice answered form="projects" />
            <div class="table-scroll" role="region" aria-label="Your projects" tabindex="0">
                <table class="keys">
                    <thead><tr><th scope="col">"Name"</th><th scope="col">"Id"</th><th scope="col"><span class="unseen">"Usage, rename and archive"</span></th></tr></thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
            <form class="card project-form" method="post" action=CreateProject::url() data-stays>
                <TeamField tenant />
                <Field name="project" label="Name of the new project" autocomplete="off" value=typed />
                <button class="button quiet">"Create project"</button>
            </form>
        </section>
    }
}

/// `typed`: a new name that was refused.
#[component]
fn Row(tenant: TenantId, project: Project, typed: Option<String>) -> impl IntoView {
    let Project { id, name, archived_at, is_default, .. } = project;
    let (id, is_live) = (id.to_string(), archived_at.is_none());
    let dialog = format!("archive-{id}");
    let (is_refused, new_name) = (typed.is_some(), typed.unwrap_or_else(|| name.clone()));
    let rename = is_live.then(|| {
        view! {
            <details class="rotate" open=is_refused>
                <summary class="button quiet small" aria-label=format!("Rename {name}")>"Rename"</summary>
                <form class="in-row" method="post" action=RenameProject::url() data-stays>
                    <input type="hidden" name="id" value=id.clone() />
                    <TeamField tenant />
                    <input name="name" value=new_name required autocomplete="off" aria-label=format!("New name of {name}") />
                    <button class="button small">"Save"</button>
                </form>
            </details>
        }
    });
    let archive = (is_live && !is_default).then(|| {
        view! {
            <Ask id=dialog.clone() label=format!("Archive {name}") class="button quiet small">"Archive"</Ask>
            <Confirm
                id=dialog
                question="Archive this project?"
                consequence=format!("All keys of “{}” are revoked for good. Its videos and its usage stay.", words::isolated(&name))
                yes="Archive"
                no="Keep it"
                action=ArchiveProject::url()
                fields=vec![("id", id.clone()), (TEAM_FIELD, tenant.to_string())]
            />
        }
    });
    view! {
        <tr class:revoked=!is_live>
            <th scope="row" class="wraps" dir="auto">{name.clone()}</th>
            <td data-head="Id"><code class="hint">{id.clone()}</code>{(!is_live).then(|| view! { " "<span class="badge">"Archived"</span> })}</td>
            <td class="end">
                <div class="acts">
                    <a class="button quiet small" href=format!("/usage?project={id}") aria-label=format!("Usage of {name}")>"Usage"</a>
                    {rename}
                    {archive}
                </div>
            </td>
        </tr>
    }
}
