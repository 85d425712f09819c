//! What arms do in more than one gesture: a hand that is led to the mouth.

use std::f32::consts::PI;

use crate::figures::Figure;
use crate::figures::skeleton::{Joint, Stance};
use Joint::*;

/// Puts the near hand `share` of the way from before the belly to the mouth, `off` design units away from it.
pub(super) fn carry(figure: &Figure, s: &mut Stance, share: f32, off: [f32; 2]) {
    let of = |joint: Joint| figure.parts.iter().find(|part| part.joint == joint).map(|part| part.pivot);
    let (Some(shoulder), Some(elbow)) = (of(ArmNear), of(ForearmNear)) else { return };
    let (hand, mouth) = (figure.anchors.hand.at, figure.anchors.mouth.at);
    let span = |a: [f32; 2], b: [f32; 2]| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
    let (upper, lower) = (span(shoulder, elbow).max(0.1), span(elbow, hand).max(0.1));
    let low = [shoulder[0] - 0.7 * upper, shoulder[1] + 0.9 * upper];
    let target: [f32; 2] = std::array::from_fn(|i| low[i] + (mouth[i] + off[i] - low[i]) * share);
    let away = [target[0] - shoulder[0], target[1] - shoulder[1]];
    let far = span(target, shoulder).clamp((upper - lower).abs() + 0.05, upper + lower - 0.02);
    let corner = |a: f32, b: f32, c: f32| ((a * a + b * b - c * c) / (2.0 * a * b)).clamp(-1.0, 1.0).acos();
    s[ArmNear] = (-away[0]).atan2(away[1]) - corner(upper, far, lower);
    s[ForearmNear] = PI - corner(upper, lower, far);
}
