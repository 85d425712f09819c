//! The people of the cast, as data for [`super::person`].

mod family;
mod shows;
mod stage;
mod tales;
mod trades;
mod work;

use super::person::Person;

const GLASSES: &str = "l K .4 M-3.4 .2A1.1 1.1 0 1 0 -1.2 .2A1.1 1.1 0 1 0 -3.4 .2M-.4 .2A1.25 1.25 0 1 0 2.1 .2A1.25 1.25 0 1 0 -.4 .2M-1.2 0Q-.8 -.3 -.4 0M2.1 0L3.4 .1";
const CROWN: &str = "p #ffc83d M-3.5 -3.6L-4.2 -7.8L-1.9 -6L.4 -8.6L2.5 -6L4.9 -7.6L4.2 -3.4C2 -4.6 -1.2 -4.7 -3.5 -3.6z;p #f19a1f M-3.6 -4.4L-3.5 -3.6C-1.2 -4.7 2 -4.6 4.2 -3.4L4.4 -4.3C2 -5.5 -1.2 -5.5 -3.6 -4.4z;o -4.2 -7.9 .6 .6 #f8475f;o .4 -8.7 .7 .7 #3b9cf6;o 4.9 -7.7 .6 .6 #f8475f";

/// In the order of the cast.
pub const PEOPLE: &[Person] = &[
    family::WOMAN,
    family::MAN,
    family::GIRL,
    family::BOY,
    family::BABY,
    family::OLD_WOMAN,
    family::OLD_MAN,
    work::CHEF,
    work::ASTRONAUT,
    tales::KNIGHT,
    tales::WIZARD,
    tales::WITCH,
    tales::PIRATE,
    tales::KING,
    tales::QUEEN,
    tales::PRINCESS,
    work::DOCTOR,
    work::FARMER,
    work::FIREFIGHTER,
    work::POLICE_OFFICER,
    stage::BALLERINA,
    stage::BRIDE,
    stage::GROOM,
    stage::SURFER,
    stage::SKATER,
    stage::CYCLIST,
    stage::CLOWN,
    tales::NINJA,
    tales::SUPERHERO,
    tales::SANTA,
    tales::MERMAID,
    trades::SCIENTIST,
    trades::NURSE,
    trades::MECHANIC,
    trades::BUILDER,
    trades::TEACHER,
    trades::WAITER,
    trades::ARTIST,
    trades::STUDENT,
    trades::PILOT,
    trades::SAILOR,
    trades::JUDGE,
    shows::SINGER,
    shows::SOCCER_PLAYER,
    shows::BASKETBALL_PLAYER,
    shows::BOXER,
    shows::COWBOY,
    shows::FAIRY,
    shows::ELF,
];
