//! The pages of keys, projects and limits, as a browser without a script uses them.

use crate::harness::Product;
use axum::http::StatusCode;
use domain::Role;
use store::on_both_engines;

on_both_engines! {
    async fn a_key_is_made_for_what_was_chosen_rotated_and_revoked(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        product.post_form(&cookie, "/api/create-project", "project=Web+shop").await;
        let page = product.page(&cookie, "/keys").await;
        assert!(page.contains("The project is made") && page.contains("Web shop"), "{page}");
        let project = product.services().projects(ada.user.actor()).await.unwrap()[1].id;
        let form = format!("name=shop&project={project}&access=some&videos_read=yes&expires=2999-12-31&requests=30");
        product.post_form(&cookie, "/api/create-key", &form).await;
        let keys = product.services().list_keys(ada.user.actor()).await.unwrap();
        let key = &keys[0];
        assert_eq!((&*key.name, key.terms.project, key.terms.scopes.to_string(), key.terms.requests_per_minute), ("shop", project, "videos:read".into(), Some(30)));
        let page = product.page(&cookie, "/keys").await;
        for shown in ["videos:read", "30 requests a minute", "Web shop", "1 Jan 3000", "Never"] {
            assert!(page.contains(shown), "{shown}");
        }
        let rotated = product.post_form(&cookie, "/api/rotate-key", &format!("id={}&overlap=1", key.id)).await;
        assert_eq!(rotated.header("location"), "/keys");
        product.post_form(&cookie, "/api/rotate-key", &format!("id={}&overlap=1", key.id)).await;
        let page = product.page(&cookie, "/keys").await;
        assert!(page.contains("Replaced by another") && page.contains("This key was rotated before"), "{page}");
        assert_eq!(product.services().list_keys(ada.user.actor()).await.unwrap().len(), keys.len() + 1);
        product.post_form(&cookie, "/api/archive-project", &format!("id={project}")).await;
        let page = product.page(&cookie, "/keys").await;
        assert!(page.contains("The project is archived") && page.matches("Revoked").count() == 2, "{page}");
        product.post_form(&cookie, "/api/archive-project", &format!("id={}", domain::ProjectId::default_of(ada.user.tenant))).await;
        assert!(product.page(&cookie, "/keys").await.contains("The default project cannot be archived"));
    }

    async fn the_limits_of_a_key_are_changed_after_it_was_made_and_shown_with_its_project_at_a_video(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        let services = product.services();
        let project = services.create_project(ada.user.actor(), "Web shop", "").await.unwrap();
        let request = service::KeyRequest { name: "shop".into(), project: Some(project), ..service::KeyRequest::default() };
        let made = services.create_key_for(ada.user.actor(), request, "").await.unwrap();
        let id = made.key.id;
        let saved = product.post_form(&cookie, "/api/limit-key", &format!("id={id}&requests=3&hard=60&soft=30.5")).await;
        assert_eq!(saved.header("location"), "/keys");
        let page = product.page(&cookie, "/keys").await;
        let page = page + &product.page(&cookie, &format!("/keys?limits={id}")).await;
        for shown in ["Saved. It holds from the next request on.", "Empty, or more than that: the 60,000 that all keys", "3 requests a minute", "name=\"hard\" inputmode=\"decimal\" value=\"60\"", "value=\"30.5\""] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        for (form, said) in [
            ("requests=0", "A key makes 1 to 6,000,000 requests a minute"),
            ("requests=99999999", "A key makes 1 to 6,000,000 requests a minute"),
            ("requests=many", "Give the requests a minute as a whole number."),
            ("requests=7&hard=1&soft=2", "The alert must be at or below the limit"),
            ("hard=-1", "Give video-seconds as a number"),
        ] {
            let refused = product.post_form(&cookie, "/api/limit-key", &format!("id={id}&{form}")).await;
            assert_eq!(refused.header("location"), format!("/keys?limits={id}"));
            let page = product.page(&cookie, refused.header("location")).await;
            assert!(page.contains(said), "{form}");
            for (name, typed) in form.split('&').filter_map(|field| field.split_once('=')) {
                assert!(page.contains(&format!("name=\"{name}\" inputmode=\"decimal\" value=\"{typed}\"")), "{form}: {page}");
            }
        }
        let keys = services.list_keys(ada.user.actor()).await.unwrap();
        assert_eq!(keys.iter().find(|key| key.id == id).unwrap().terms.requests_per_minute, Some(3));
        let spending = services.spending(ada.user.actor()).await.unwrap().spending;
        assert_eq!((spending.len(), spending[0].limits.hard.map(domain::VideoTime::ms)), (1, Some(60_000)));
        let acts = services.team(ada.user.actor()).await.unwrap().acts;
        assert!(acts.iter().any(|entry| entry.act == domain::Act::KeyChanged && entry.subject == "shop: 3 requests a minute"));
        let shop = crate::harness::Customer { user: ada.user.clone(), key: made.secret };
        let video = product.create(&shop, "sea").await;
        assert_eq!(product.get(&shop, &format!("/v1/videos/{video}")).await.json()["project_id"], project.to_string());
        assert_eq!(product.get(&shop, "/v1/videos").await.status, StatusCode::OK);
        assert_eq!(product.get(&shop, "/v1/videos").await.status, StatusCode::TOO_MANY_REQUESTS);
        let page = product.page(&cookie, &format!("/videos/{video}")).await;
        assert!(page.contains("<dt>Project</dt>") && page.contains("Web shop"), "{page}");
        product.post_form(&cookie, "/api/limit-key", &format!("id={id}")).await;
        assert!(services.spending(ada.user.actor()).await.unwrap().spending.is_empty());
    }

    async fn a_new_name_of_a_project_that_is_refused_stays_in_its_own_form(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for name in ["Web", "Shop"] {
            product.services().create_project(ada.user.actor(), name, "").await.unwrap();
        }
        let web = product.services().projects(ada.user.actor()).await.unwrap().into_iter().find(|project| project.name == "Web").unwrap();
        product.post_form(&cookie, "/api/rename-project", &format!("id={}&name=Shop", web.id)).await;
        let page = product.page(&cookie, "/keys").await;
        assert!(page.contains("There is a project of this name already") && page.matches("name=\"name\" value=\"Shop\"").count() == 2, "{page}");
        let open = |page: &str| page.split("<details").skip(1).filter(|rest| rest.split('>').next().unwrap().contains(" open")).count();
        assert_eq!((open(&page), open(&product.page(&cookie, "/keys").await)), (1, 0), "{page}");
    }

    async fn who_revokes_a_key_of_another_team_or_twice_is_told_that_there_is_none(database: TempDatabase) {
        let product = Product::new(database).await;
        let (ada, eve) = (product.customer("ada").await, product.customer("eve").await);
        let cookie = product.cookie(&ada).await;
        let said = async |id: domain::ApiKeyId| {
            product.post_form(&cookie, "/api/revoke-key", &format!("id={id}")).await;
            product.page(&cookie, "/keys").await.contains("There is no such key in this team, or it was revoked before.")
        };
        let key_of = async |who: &crate::harness::Customer| product.services().list_keys(who.user.actor()).await.unwrap().remove(0);
        let (own, others) = (key_of(&ada).await.id, key_of(&eve).await.id);
        assert!(said(others).await && key_of(&eve).await.revoked_at.is_none());
        assert_eq!([said(own).await, said(own).await], [false, true]);
    }

    async fn a_key_that_cannot_be_made_leaves_what_was_typed(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        for (form, field, said) in [
            ("name=shop&access=some", "access", "Choose at least one thing that the key may do."),
            ("name=shop&expires=2020-01-01", "expires", "A key cannot expire in the past."),
            ("name=shop&expires=soon", "expires", "Give the last day as 2026-12-31."),
            ("name=shop&requests=0", "requests", "A key makes 1 to 6,000,000 requests a minute."),
        ] {
            let answer = product.post_form(&cookie, "/api/create-key", form).await;
            let note = answer.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()).find(|value| value.starts_with("note-keys=")).unwrap();
            let page = product.page(&format!("{cookie}; {}", note.split(';').next().unwrap()), "/keys").await;
            let (_, below) = page.split_once(&format!("id=\"{field}-error\"")).expect(field);
            assert!(below.split("</p>").next().unwrap().contains(said), "{said}: {page}");
            assert!(page.contains("value=\"shop\"") && !page.contains("name-error"), "{said}: {page}");
        }
        assert_eq!(product.services().list_keys(ada.user.actor()).await.unwrap().len(), 1);
    }

    async fn limits_are_set_by_owners_admins_and_billing_members_and_seen_by_all(database: TempDatabase) {
        let product = Product::new(database).await;
        let ada = product.customer("ada").await;
        let cookie = product.cookie(&ada).await;
        assert!(product.page(&cookie, "/limits").await.contains("There is no limit but what your plan and credit give."));
        product.post_form(&cookie, "/api/set-spending-limits", "spender=team&hard=10&soft=4.5").await;
        product.create(&ada, "sea").await;
        let page = product.page(&cookie, "/limits").await;
        for shown in ["The whole team", "of 10 video-seconds", "get a mail at 4.5 video-seconds", "2 of it are set aside", "60,000 requests a minute"] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        let answer = product.post_form(&cookie, "/api/set-spending-limits", "spender=team&hard=1&soft=2").await;
        let note = answer.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()).find(|value| value.starts_with("note-limits=")).unwrap();
        let page = product.page(&format!("{cookie}; {}", note.split(';').next().unwrap()), "/limits").await;
        assert!(page.contains("The alert must be at or below the limit") && page.contains("of 10 video-seconds"), "{page}");
        let answer = product.post_form(&cookie, "/api/set-spending-limits", "spender=team&hard=&soft=&is_new=yes").await;
        let note = answer.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()).find(|value| value.starts_with("note-limits=")).unwrap();
        let page = product.page(&format!("{cookie}; {}", note.split(';').next().unwrap()), "/limits").await;
        assert!(page.contains("Give a limit, an alert, or both.") && page.contains("of 10 video-seconds"), "{page}");
        for (role, may) in [(Role::Admin, true), (Role::Billing, true), (Role::Member, false), (Role::Viewer, false)] {
            product.database().damage(&format!("UPDATE memberships SET role = '{}'", role.as_str())).await;
            let page = product.page(&cookie, "/limits").await;
            assert!(page.contains("The whole team") && page.contains("Add a limit") == may, "{role:?}");
            let answer = product.post_form_for("application/json", &cookie, "/api/set-spending-limits", "spender=team&hard=20&soft=").await;
            assert_eq!(answer.status == StatusCode::FORBIDDEN, !may, "{role:?}");
            let keys = if role == Role::Admin { StatusCode::OK } else { StatusCode::FORBIDDEN };
            assert_eq!(product.open(&cookie, "/keys").await.status, keys, "{role:?}");
            for (path, form) in [("/api/create-project", "project=mine"), ("/api/rotate-key", "id=key_0190aaaabbbb7ccc8dddeeeeffff0001&overlap=1")] {
                let answer = product.post_form_for("application/json", &cookie, path, form).await;
                assert_eq!(answer.status == StatusCode::FORBIDDEN, role != Role::Admin, "{role:?} {path}");
            }
        }
        assert_eq!(product.open("", "/limits").await.header("location"), "/signin?next=/limits");
    }
}
