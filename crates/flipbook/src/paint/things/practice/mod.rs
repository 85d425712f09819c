//! What is done together or with an apparatus: who stands how to whom, with which posture, and what is painted around them. What
//! each of these acts is like is data ([`practices`]); this module finds who takes part.

mod apparatus;
mod form;
mod marks;
mod posture;

use crate::codes::{Act, Effect, Kind, Relation};
use crate::paint::film::Film;
use crate::paint::kept::of_each_slot;
use crate::paint::practices::{Bears, Company, Practice, Stand, practices};
use crate::scene::Slot;
use crate::sprites::atlas;

impl Film {
    /// With whom somebody does what the table has.
    pub(super) fn company(&self, place: usize) -> Option<&Company> {
        of_each_slot(&self.roles.companies, self.brief.slots.len(), |place| self.find_company(place)).get(place)?.as_ref()
    }

    fn find_company(&self, place: usize) -> Option<Company> {
        (0..self.brief.slots.len()).find_map(|first| {
            let practice = self.practice_of(first)?;
            if let Stand::Bears(_) = practice.stand {
                let members = vec![first, self.partner_of(first, practice)?];
                let rank = members.iter().position(|slot| *slot == place)?;
                return Some(Company { practice, members, rank });
            }
            let doers = || (0..self.brief.slots.len()).filter(|slot| self.practice_of(*slot).is_some_and(|own| own.act == practice.act));
            if doers().next() != Some(first) {
                return None;
            }
            let mut members = Vec::with_capacity(2);
            for doer in doers() {
                let partner = self.partner_of(doer, practice);
                for slot in [Some(doer), partner].into_iter().flatten() {
                    if !members.contains(&slot) {
                        members.push(slot);
                    }
                }
            }
            let rank = members.iter().position(|slot| *slot == place)?;
            if practice.act == Act::Hug && members.len() < 2 {
                return None;
            }
            let alone = practice.stand == Stand::Alone && practice.postures.len() < 2;
            Some(if alone { Company { practice, members: vec![place], rank: 0 } } else { Company { practice, members, rank } })
        })
    }

    fn practice_of(&self, place: usize) -> Option<&'static Practice> {
        let slot = self.brief.slots.get(place)?;
        let alive = matches!(slot.kind, Kind::Person | Kind::Animal | Kind::Flyer | Kind::Swimmer) || self.cast.figure(place).is_some();
        let act = self.act_of(place).filter(|_| alive)?;
        let act = match act {
            // A child or a pet is held otherwise than a thing.
            Act::Hold | Act::Lift if self.small_one_of(place).is_some() => {
                if act == Act::Hold {
                    Act::Cradle
                } else {
                    Act::HoldUp
                }
            }
            act => act,
        };
        practices().find(|practice| practice.act == act)
    }

    /// A living one that somebody can bear.
    fn small_one_of(&self, place: usize) -> Option<usize> {
        let own = self.brief.slots.get(place)?;
        self.related_to(place).filter(|other| self.brief.slots.get(*other).is_some_and(|slot| slot.metres < 0.9 * own.metres))
    }

    /// The living one that stands to this one, or to which this one stands.
    fn related_to(&self, place: usize) -> Option<usize> {
        let near = |slot: &Slot| matches!(slot.relation, Relation::Beside | Relation::Play | Relation::Front | Relation::Between);
        let own = self.brief.slots.get(place)?;
        if matches!(self.act_of(place), Some(Act::Dream | Act::Think)) {
            return None;
        }
        let alive = |other: &usize| {
            let slot = self.brief.slots.get(*other);
            *other != place && slot.is_some_and(|slot| matches!(slot.kind, Kind::Person | Kind::Animal | Kind::Flyer | Kind::Swimmer))
        };
        let child = self.brief.slots.iter().position(|slot| slot.parent == Some(place) && near(slot)).filter(alive);
        child.or_else(|| own.parent.filter(|_| near(own)).filter(alive))
    }

    fn partner_of(&self, doer: usize, practice: &Practice) -> Option<usize> {
        if practice.stand == Stand::Alone && practice.postures.len() < 2 {
            return None;
        }
        self.related_to(doer).filter(|other| self.practice_of(*other).is_none_or(|own| own.act == practice.act))
    }

    /// In whose arms, or above whose head, somebody is: drawn before them.
    pub(super) fn borne_by(&self, place: usize) -> Option<usize> {
        let company = self.company(place).filter(|company| company.rank == 1)?;
        let before = matches!(company.practice.stand, Stand::Bears(Bears::Arms | Bears::Overhead));
        company.members.first().copied().filter(|_| before)
    }

    /// What somebody thinks or dreams of, in the cloud above them.
    fn thought_of(&self, place: usize) -> Option<usize> {
        self.brief.slots.iter().position(|slot| slot.parent == Some(place) && !slot.relation.attached())
    }

    /// Whether an apparatus that is painted shows what the slot is.
    pub(super) fn is_apparatus(&self, place: usize) -> bool {
        let all = of_each_slot(&self.roles.apparatus, self.brief.slots.len(), |place| self.find_whether_apparatus(place));
        all.get(place).is_some_and(|apparatus| *apparatus)
    }

    fn find_whether_apparatus(&self, place: usize) -> bool {
        let Some(slot) = self.brief.slots.get(place) else { return false };
        let name = &atlas().get(slot.sprite).name;
        let thinks = |of: &usize| matches!(self.act_of(*of), Some(Act::Dream | Act::Think));
        if slot.parent.filter(thinks).is_some_and(|parent| self.thought_of(parent) == Some(place)) {
            return true;
        }
        let shows = |company: &&Company| company.practice.shows.iter().any(|shown| *shown == name);
        let companies = (0..self.brief.slots.len()).filter_map(|other| self.company(other));
        companies.filter(shows).any(|company| self.is_used_by(place, &company.members))
    }

    /// Whether nobody else has or uses it: what it belongs to, and what belongs to it, are among `users` or copies of them.
    pub(super) fn is_used_by(&self, place: usize, users: &[usize]) -> bool {
        let slots = &self.brief.slots;
        let thing = |at: usize| slots.get(at).map(|slot| slot.thing);
        let uses = |at: usize| users.iter().any(|user| thing(*user) == thing(at));
        let carrier = slots.get(place).and_then(|slot| slot.parent);
        carrier.is_none_or(uses) && slots.iter().enumerate().filter(|(_, slot)| slot.parent == Some(place)).all(|(at, _)| uses(at))
    }

    /// What somebody's face shows.
    pub(super) fn feeling_of(&self, place: usize) -> Option<Effect> {
        let slot = self.brief.slots.get(place)?;
        let said = self.program.things.get(slot.thing).and_then(|thing| thing.effect).filter(|effect| Self::is_feeling(*effect));
        said.or_else(|| self.company(place)?.posture()?.feeling)
    }

    pub(super) fn is_feeling(effect: Effect) -> bool {
        effect >= Effect::Anger
    }
}

#[cfg(test)]
mod tests;
