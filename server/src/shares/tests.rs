//! How much one may have, and what all have together.

use super::*;
use futures::FutureExt;

#[test]
fn one_holder_at_its_limit_takes_nothing_from_another_and_shares_come_back() {
    let shares = PerHolder::of(2);
    let (first, second) = (shares.try_take("ada"), shares.try_take("ada"));
    assert!(first.is_some() && second.is_some() && shares.try_take("ada").is_none());
    assert!(shares.try_take("eve").is_some());
    drop(first);
    assert!(shares.try_take("ada").is_some());
}

#[test]
fn holders_that_hold_nothing_are_forgotten() {
    let shares = PerHolder::of(1);
    for holder in 0..10_000 {
        assert!(shares.try_take(holder).is_some());
    }
    assert!(shares.holders.lock().unwrap().len() < 100);
}

#[test]
fn an_ipv6_visitor_is_its_network() {
    let network = |text: &str, bits| network(text.parse().unwrap(), bits).to_string();
    assert_eq!(network("2001:db8:1:2:3:4:5:6", VISITOR_BITS), "2001:db8:1:2::");
    assert_eq!(network("2001:db8:1:2:3:4:5:6", SITE_BITS), "2001:db8:1::");
    assert_eq!(network("::ffff:192.0.2.1", SITE_BITS), "192.0.2.1");
}

/// How many connections `visitors` get one after the other, all together.
fn connections(limits: &Limits, visitors: impl Iterator<Item = IpAddr>) -> usize {
    let shares = Shares::new(limits);
    let held: Vec<_> = visitors.filter_map(|visitor| Some((shares.visitor(visitor)?, shares.connection()?))).collect();
    held.len()
}

#[test]
fn no_visitor_gets_more_than_a_quarter_of_the_connections() {
    let few = Limits { connections_max: 40, ..Limits::default() };
    let address: IpAddr = "192.0.2.1".parse().unwrap();
    assert_eq!(connections(&few, std::iter::repeat_n(address, 100)), 10);
    let one = Limits { connections_max: 1, ..Limits::default() };
    assert_eq!(connections(&one, std::iter::repeat_n(address, 100)), 1);
}

#[test]
fn the_visitors_of_one_ipv6_site_get_a_quarter_together() {
    let site: Ipv6Addr = "2001:db8:1::".parse().unwrap();
    let visitors = (0..4096_u128).map(|number| IpAddr::V6(Ipv6Addr::from_bits(site.to_bits() | ((number % 4) << 64))));
    assert_eq!(connections(&Limits::default(), visitors), 1024);
}

fn keeps_at_once(room: &AnswerRoom, bytes: usize) -> bool {
    room.keep(bytes).now_or_never() == Some(true)
}

#[tokio::test]
async fn a_site_that_reads_nothing_is_not_answered_until_it_does_and_others_are() {
    let shares = Shares::new(&Limits::default());
    let room = |number: u8| shares.answer(IpAddr::from([192, 0, 2, number]));
    let unread = room(1).take(UNREAD_BYTES_PER_SITE + 1);
    assert!(!keeps_at_once(&room(1), 0) && keeps_at_once(&room(2), 0));
    drop(unread);
    assert!(keeps_at_once(&room(1), 0));
}

#[tokio::test]
async fn what_is_kept_for_an_answer_counts_at_once_and_then_as_much_as_it_takes() {
    let shares = Shares::new(&Limits::default());
    let room = || shares.answer(IpAddr::from([192, 0, 2, 1]));
    let kept = room();
    assert!(keeps_at_once(&kept, UNREAD_BYTES_PER_SITE) && !keeps_at_once(&room(), 0));
    let unread = kept.take(1000);
    assert!(!keeps_at_once(&room(), UNREAD_BYTES_PER_SITE - 999));
    assert!(keeps_at_once(&room(), UNREAD_BYTES_PER_SITE - 1000));
    drop((kept, unread));
    assert!(keeps_at_once(&room(), UNREAD_BYTES_PER_SITE));
}

#[tokio::test]
async fn who_waits_for_much_room_keeps_nobody_from_a_little_and_comes_in_when_there_is_enough() {
    let shares = Arc::new(Shares::new(&Limits::default()));
    let address = IpAddr::from([192, 0, 2, 1]);
    let unread = shares.answer(address).take(UNREAD_BYTES_PER_SITE / 2);
    let much = shares.answer(address);
    let waiting = tokio::spawn(async move { much.keep(UNREAD_BYTES_PER_SITE).await });
    tokio::task::yield_now().await;
    assert!(keeps_at_once(&shares.answer(address), 1000) && !waiting.is_finished());
    drop(unread);
    assert!(waiting.await.unwrap());
}

#[test]
fn bodies_have_a_part_for_each_sender_and_a_bound_for_all() {
    let shares = Shares::new(&Limits::default());
    let sender = |number: u8| Some(IpAddr::from([192, 0, 2, number]));
    let bytes = BODY_BYTES_PER_SITE - PIECE_BYTES;
    let mut rooms: Vec<_> = (0..9).map(|number| shares.body(sender(number))).collect();
    assert!(rooms[0].take(bytes) && !shares.body(sender(0)).take(1), "one has its part");
    assert!(rooms[1..8].iter_mut().all(|room| room.take(bytes)) && !rooms[8].take(1), "all have all of it");
    rooms.clear();
    assert!(shares.body(sender(0)).take(bytes), "it comes back");
}
