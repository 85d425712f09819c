//! How far, how strongly and how fast things move, and how far the camera follows them.

use crate::codes::Motion;

/// From, to.
pub(super) type Range = [f32; 2];

/// How far, how strongly and how fast a thing moves.
pub(super) struct Move {
    /// Frame widths over the clip, along the thing's direction.
    pub dx: Range,
    /// Frame heights over the clip.
    pub dy: Range,
    pub amp: Range,
    /// Per second.
    pub rate: Range,
}

pub(super) fn move_of(motion: Motion) -> Move {
    const NONE: Range = [0.0, 0.0];
    let (dx, dy, amp, rate) = match motion {
        Motion::Still => (NONE, NONE, NONE, [0.3, 0.5]),
        Motion::Idle => (NONE, NONE, [0.010, 0.018], [0.45, 0.65]),
        Motion::Walk => ([0.10, 0.22], NONE, [0.012, 0.02], [1.6, 2.1]),
        Motion::Run => ([0.10, 0.26], NONE, [0.03, 0.05], [2.2, 2.8]),
        Motion::Jump => ([0.18, 0.34], NONE, [0.18, 0.28], [0.7, 0.95]),
        Motion::Bounce => ([-0.04, 0.04], NONE, [0.30, 0.44], [0.85, 1.1]),
        Motion::Fly => ([0.22, 0.44], [-0.12, 0.02], [0.025, 0.05], [0.5, 0.8]),
        Motion::Hover => ([-0.05, 0.10], [-0.06, -0.01], [0.02, 0.035], [0.25, 0.4]),
        Motion::Swim => ([0.16, 0.36], [-0.05, 0.05], [0.02, 0.04], [0.5, 0.8]),
        Motion::Drive => ([0.06, 0.22], NONE, [0.006, 0.010], [3.0, 4.0]),
        Motion::Sail => ([0.10, 0.22], NONE, [0.010, 0.02], [0.3, 0.45]),
        Motion::Fall => ([-0.06, 0.06], [0.55, 0.85], [0.02, 0.04], [0.5, 0.8]),
        Motion::Rise => ([-0.06, 0.06], [-0.6, -0.35], [0.015, 0.03], [0.35, 0.5]),
        Motion::Spin => (NONE, NONE, [0.01, 0.02], [0.3, 0.5]),
        Motion::Roll => ([0.4, 0.6], NONE, NONE, [0.5, 0.8]),
        Motion::Grow | Motion::Shrink => (NONE, NONE, [0.5, 0.7], [0.3, 0.4]),
        Motion::Pulse => (NONE, NONE, [0.10, 0.16], [1.0, 1.3]),
        Motion::Orbit => (NONE, NONE, [0.14, 0.22], [0.22, 0.34]),
        Motion::Dance => ([-0.03, 0.03], NONE, [0.04, 0.06], [1.7, 2.1]),
        Motion::Swing => (NONE, NONE, [0.02, 0.035], [0.4, 0.6]),
        Motion::Launch => (NONE, [-1.15, -0.95], [0.004, 0.008], [6.0, 8.0]),
        Motion::Explode => (NONE, NONE, [0.4, 0.6], [0.5, 0.7]),
        Motion::Shake => (NONE, NONE, [0.01, 0.015], [6.0, 8.0]),
        Motion::Approach => (NONE, NONE, [0.7, 1.0], [0.4, 0.5]),
        Motion::Play => (NONE, NONE, [0.015, 0.025], [1.8, 2.2]),
    };
    Move { dx, dy, amp, rate }
}

/// How far the camera follows somebody over the clip, in frame widths; `None` where it stays.
pub(super) fn tracked(motion: Motion) -> Option<Range> {
    match motion {
        Motion::Walk => Some([0.25, 0.5]),
        Motion::Run => Some([0.9, 1.4]),
        Motion::Drive => Some([1.2, 2.0]),
        Motion::Fly => Some([0.3, 0.7]),
        Motion::Roll => Some([0.1, 0.3]),
        _ => None,
    }
}
