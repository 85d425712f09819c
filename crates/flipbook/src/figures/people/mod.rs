//! The people of the cast, as data for [`super::person`].

mod beings;
mod family;
mod made;
mod outdoors;
mod services;
mod shows;
mod sport;
mod stage;
mod tales;
mod trades;
mod work;

use super::person::Person;

const GLASSES: &str = "l K .4 M-3.4 .2A1.1 1.1 0 1 0 -1.2 .2A1.1 1.1 0 1 0 -3.4 .2M-.4 .2A1.25 1.25 0 1 0 2.1 .2A1.25 1.25 0 1 0 -.4 .2M-1.2 0Q-.8 -.3 -.4 0M2.1 0L3.4 .1";
const CROWN: &str = "p #ffc83d M-3.5 -3.6L-4.2 -7.8L-1.9 -6L.4 -8.6L2.5 -6L4.9 -7.6L4.2 -3.4C2 -4.6 -1.2 -4.7 -3.5 -3.6z;p #f19a1f M-3.6 -4.4L-3.5 -3.6C-1.2 -4.7 2 -4.6 4.2 -3.4L4.4 -4.3C2 -5.5 -1.2 -5.5 -3.6 -4.4z;o -4.2 -7.9 .6 .6 #f8475f;o .4 -8.7 .7 .7 #3b9cf6;o 4.9 -7.7 .6 .6 #f8475f";

/// A cap with a peak in the accent's colour.
const CAP: &str = "p A M-4.5 -2.2C-4.7 -5.8 -2.2 -7.2 .8 -7.2C3.8 -7.2 5.5 -5.2 5.3 -2.2z;p a M-7.2 -1.2C-6.4 -2.6 -3.6 -3.2 -.6 -2.9L-.8 -1.9C-3 -2 -5.4 -1.6 -7.2 -1.2z";
/// A hat against the sun.
const WIDE_HAT: &str = "p A M-4.3 -2.6C-4.2 -6 -2 -7.2 .6 -7.2C3.4 -7.2 5 -5.6 5.1 -2.4z;p a M-4.4 -2.6C-4.4 -3.2 -4.3 -3.8 -4.2 -4.2C-1.6 -5 2.6 -5 5 -4C5.1 -3.4 5.1 -2.8 5.1 -2.4z;p A M-8 -1.4C-5.4 -3.8 5.8 -4 8.6 -1C5.6 -2 -5 -2.4 -8 -1.4z";
/// With its bib, over the trunk.
const APRON: &str =
    "p A M14.2 13.4H17.9L18.6 16.2H19.6L19.7 22H12.8V16.2H13.6z;l a .5 M14.3 13.6L14.6 12M17.8 13.6L17.6 12;r 14.8 18 2.8 2.2 .3 a";
/// A jacket over a shirt, with a tie.
const SUIT: &str = "p W M14 12L15.4 18.6H16.9L18.1 12z;p A M15.6 13H16.6L17 17L16.1 18.4L15.2 17z;p t M14 12L13.6 14.6L15.7 19L16.4 19L18.6 14.6L18.1 12L16.2 18L15.9 18z;o 16 20.4 .3 .3 W";

/// In the order of the cast.
pub const PEOPLE: &[Person] = &[
    family::WOMAN,
    family::MAN,
    family::GIRL,
    family::BOY,
    family::BABY,
    family::OLD_WOMAN,
    family::OLD_MAN,
    family::BEARDED_MAN,
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
    services::BARBER,
    services::BAKER,
    services::CASHIER,
    services::LIBRARIAN,
    services::POSTMAN,
    services::DENTIST,
    services::VET,
    services::BUTCHER,
    services::BUSINESSMAN,
    services::BUSINESSWOMAN,
    services::FLIGHT_ATTENDANT,
    services::TAILOR,
    services::REPORTER,
    outdoors::GARDENER,
    outdoors::LUMBERJACK,
    outdoors::FISHERMAN,
    outdoors::SHEPHERD,
    outdoors::TOURIST,
    outdoors::HIKER,
    outdoors::SOLDIER,
    outdoors::MINER,
    outdoors::PLUMBER,
    outdoors::ELECTRICIAN,
    sport::GOALKEEPER,
    sport::GYMNAST,
    sport::FIGURE_SKATER,
    sport::TENNIS_PLAYER,
    sport::BASEBALL_PLAYER,
    sport::GOLFER,
    sport::HOCKEY_PLAYER,
    sport::FOOTBALL_PLAYER,
    sport::KARATEKA,
    sport::CHEERLEADER,
    sport::SWIMMER,
    sport::CLIMBER,
    sport::VIOLINIST,
    sport::PIANIST,
    sport::GUITARIST,
    beings::VAMPIRE,
    beings::ZOMBIE,
    beings::MUMMY,
    beings::SKELETON,
    beings::PRINCE,
    beings::SAMURAI,
    beings::VIKING,
    beings::MAGICIAN,
    beings::GENIE,
    beings::TROLL,
    beings::OGRE,
    beings::GOBLIN,
    beings::ANGEL,
    beings::DEVIL,
    beings::GRIM_REAPER,
    beings::CAVEMAN,
    beings::YETI,
    beings::MONSTER,
    made::GINGERBREAD_MAN,
    made::TOY_SOLDIER,
    made::MONK,
    made::NUN,
    made::PRIEST,
    made::DANCER,
];
