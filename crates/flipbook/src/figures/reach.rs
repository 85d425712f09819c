//! Arms that are led to a point: where a hand has to be, both joints of its arm follow.

use std::f32::consts::PI;

use super::skeleton::{BOX, Figure, Joint, Stance};

impl Figure {
    /// Bends an arm so that its hand is at `target`, in box units, or as near to that as it reaches; the elbow points back.
    pub fn reach(&self, stance: &mut Stance, near: bool, target: [f32; 2]) {
        let (arm, forearm) = if near { (Joint::ArmNear, Joint::ForearmNear) } else { (Joint::ArmFar, Joint::ForearmFar) };
        let find = |joint: Joint| self.parts.iter().position(|part| part.joint == joint);
        let (Some(upper), Some(lower)) = (find(arm), find(forearm)) else { return };
        let (Some(shoulder), Some(elbow)) = (self.parts.get(upper), self.parts.get(lower)) else { return };
        let places = self.places(stance);
        let above = shoulder.parent.and_then(|parent| places.get(parent));
        let Some(above) = above else { return };
        let away = |from: [f32; 2], to: [f32; 2]| [to[0] - from[0], to[1] - from[1]];
        // Of what hangs straight down, clockwise.
        let angle = |[x, y]: [f32; 2]| (-x).atan2(y);
        let own_hand = self.anchors.hand.at;
        let near_elbow = find(Joint::ForearmNear).and_then(|part| self.parts.get(part)).map_or(elbow.pivot, |part| part.pivot);
        let (bone, hand) = (away(shoulder.pivot, elbow.pivot), away(near_elbow, own_hand));
        let scale = self.fit.0[0] / BOX;
        let (first, second) = (bone[0].hypot(bone[1]) * scale, hand[0].hypot(hand[1]) * scale);
        let from = above.of(shoulder.pivot).map(|value| value / BOX);
        let way = away(from, target);
        let far = way[0].hypot(way[1]).clamp((first - second).abs() + 1e-4, (first + second - 1e-4).max(2e-4));
        let corner = |a: f32, b: f32, c: f32| ((a * a + b * b - c * c) / (2.0 * a * b).max(1e-6)).clamp(-1.0, 1.0).acos();
        let lifted = angle(way) - corner(first, far, second);
        let bent = PI - corner(first, second, far);
        stance[arm] = lifted - angle(bone) - above.angle();
        stance[forearm] = bent + angle(bone) - angle(hand);
    }
}
