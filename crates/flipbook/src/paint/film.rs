//! A clip that is set up once and then gives any of its frames, in any order and from any number of threads.

use resvg::tiny_skia::Transform;

use super::kept::{Apart, Cast, Roles, Sky, Stamps};
use super::lens::Grain;
use super::style::stylise;
use crate::canvas::{Canvas, Rgb};
use crate::codes::{Backdrop, Motion, Setting, Style, Weather};
pub use crate::layout::Medium;
use crate::layout::{Settled, Zone, place_of, unfold, zone};
use crate::pose::{Pose, pose};
use crate::scene::{Brief, Layout, Program};

/// Parallax of what stands on the ground, 0 to 1.
const DRIFT: f32 = 0.72;

/// The light of a scene: by hour, weather, backdrop and the frame's token. (paint/light.rs)
#[derive(Clone, Debug)]
pub struct Light {
    /// Top, middle, low.
    pub sky: [Rgb; 3],
    pub haze: Rgb,
    pub sun: Rgb,
    /// What falls on cut-outs: their colours are multiplied by it.
    pub ambient: Rgb,
    /// How bright ground and scenery are.
    pub level: f32,
    /// Night, space, a stage: lights are seen.
    pub dark: bool,
    /// Snow lies.
    pub white: bool,
    /// The sun is about to set.
    pub(super) dusk: bool,
    pub(super) warm: f32,
    pub(super) vivid: f32,
}

/// A layer that is drawn once, wider than the frame by what the camera travels.
pub struct Strip {
    pub canvas: Canvas,
    /// Of the camera's way: 0 stands with the sky, 1 with the things.
    pub parallax: f32,
    pub left: f32,
    pub top: f32,
    /// It lies before the water.
    pub near: bool,
}

pub struct Film {
    pub program: Program,
    pub brief: Brief,
    /// Settled.
    pub layout: Layout,
    /// Pixels of the frame.
    pub width: f32,
    pub height: f32,
    /// The shorter of both: the unit of most lengths.
    pub short: f32,
    pub fps: u32,
    pub seed: u64,
    /// How many there are.
    pub frames: usize,
    /// In pixels from above; below the frame where there is none.
    pub horizon: f32,
    pub medium: Medium,
    /// Where the camera looks, in frame widths.
    pub focus: f32,
    pub light: Light,
    /// What stands still behind all, and clouds. (paint/sky.rs)
    pub sky: Sky,
    /// From far to near.
    pub strips: Vec<Strip>,
    /// Signs that shine on the street: where, and in which colour.
    pub neons: Vec<(f32, f32, Rgb)>,
    pub cast: Cast,
    pub(super) roles: Roles,
    /// What sets each slot's thing apart from the scenery.
    pub apart: Vec<Apart>,
    pub stamps: Stamps,
    pub grain: Grain,
    pub style: Option<Style>,
}

/// What changes from frame to frame.
pub struct Moment {
    /// Index of the frame.
    pub frame: usize,
    /// Seconds.
    pub t: f32,
    /// Share of the clip.
    pub p: f32,
    /// How far the camera has travelled from the middle of its way, in pixels.
    pub camera: f32,
    /// Of each slot, drifted with the ground.
    pub poses: Vec<Pose>,
    /// Slots from far to near.
    pub(super) order: Vec<usize>,
    /// Where those stand who do something together, by slot.
    pub(super) spots: Vec<(usize, Spot)>,
}

/// Where those who take part stand, in pixels.
#[derive(Clone, Copy, Debug)]
pub(in crate::paint) struct Spot {
    pub x: f32,
    pub foot: f32,
    /// Mean height of who takes part.
    pub size: f32,
    /// -1 or 1: where ahead is.
    pub way: f32,
}

impl Spot {
    /// A point so far ahead and up, in heights.
    pub fn at(&self, ahead: f32, up: f32) -> [f32; 2] {
        [self.x + self.way * ahead * self.size, self.foot - up * self.size]
    }
}

impl Film {
    /// A film of one shot.
    pub fn new(program: Program, brief: Brief, settled: Settled, width: usize, height: usize, fps: u32, seed: u64) -> Self {
        let (width, height, fps) = (width.max(1), height.max(1), fps.max(1));
        let Settled { layout, focus } = settled;
        let (brief, layout) = unfold(&brief, &layout);
        let short = width.min(height) as f32;
        let mut film = Self {
            frames: ((brief.seconds * fps as f32).round() as usize).max(1),
            horizon: far_line(program.setting, layout.frame.horizon) * height as f32,
            medium: place_of(brief.backdrop).medium,
            light: Light::of(&brief, &layout.frame, program.aurora).in_setting(program.setting, brief.hour),
            cast: Cast::of(&program, &brief, &layout, short, seed),
            stamps: Stamps::default(),
            roles: Roles::default(),
            grain: Grain::of(width, height, seed),
            sky: Sky::default(),
            strips: Vec::new(),
            neons: Vec::new(),
            apart: Vec::new(),
            width: width as f32,
            height: height as f32,
            program,
            brief,
            layout,
            short,
            fps,
            seed,
            focus,
            style: None,
        };
        film.scenery();
        film.apart = film.measured_contrast();
        film
    }

    /// A film of a layout that is not settled yet.
    #[cfg(test)]
    pub fn of_layout(program: Program, brief: Brief, layout: Layout, width: usize, height: usize, fps: u32, seed: u64) -> Self {
        let settled = crate::layout::settle(&brief, layout);
        Self::new(program, brief, settled, width, height, fps, seed)
    }

    /// The same film in another style.
    pub fn in_style(self, style: Option<Style>) -> Self {
        Self { style, ..self }
    }

    /// Frame `index`: red, green, blue, row by row.
    pub fn frame(&self, index: usize) -> Vec<u8> {
        let m = Moment::at(self, index);
        let mut canvas = Canvas::new(self.width as usize, self.height as usize);
        canvas.clear(self.light.sky[1], 1.0);
        canvas.within(self.camera(&m), |c| self.shot(c, &m));
        self.caption(&mut canvas, &m);
        let mut rgb = canvas.rgb();
        if let Some(style) = self.style {
            stylise(style, self.width as usize, self.height as usize, self.seed, index, &mut rgb);
        }
        self.grain.apply(index, &mut rgb);
        rgb
    }

    /// Everything before the lens, from far to near.
    fn shot(&self, c: &mut Canvas, m: &Moment) {
        let flash = self.heavens(c, m);
        self.lay_down(c, m, false);
        self.interior(c, m);
        let wet = self.medium == Medium::Water; // on water things are drawn between the waves
        if wet || self.brief.backdrop == Backdrop::Beach || self.is_waterside() {
            self.water(c, m);
        }
        self.lay_down(c, m, true);
        if !wet {
            self.cutouts(c, m, &m.order);
        }
        self.weather(c, m, flash);
        self.foreground(c, m);
    }

    /// The layers behind the water, or those before it.
    fn lay_down(&self, c: &mut Canvas, m: &Moment, near: bool) {
        for strip in self.strips.iter().filter(|strip| strip.near == near) {
            c.canvas(&strip.canvas, strip.left - m.camera * strip.parallax, strip.top);
        }
    }

    /// A slow zoom towards the things, held by a hand that is never quite still; a storm shakes it.
    pub(super) fn camera(&self, m: &Moment) -> Transform {
        let ([x, y], zoom) = view(&self.layout, self.focus, m.p);
        let (x, y) = (x * self.width, y * self.height);
        let rough = if self.brief.weather == Weather::Storm { 3.0 } else { 1.0 };
        let sway = [0.0015 * self.short * (1.3 * m.t).sin() * rough, 0.0012 * self.short * (1.7 * m.t + 1.0).sin() * rough];
        Transform::from_translate(x, y).pre_scale(zoom, zoom).pre_translate(sway[0] - x, sway[1] - y)
    }

    /// Who leaps alone leaps as high as the frame has room.
    fn keep_below_the_top(&self, m: &mut Moment) {
        for (place, (slot, object)) in self.brief.slots.iter().zip(&self.layout.objects).enumerate() {
            let carries = self.brief.slots.iter().any(|other| other.parent == Some(place) && other.relation.attached());
            if let Some(pose) = m.poses.get_mut(place).filter(|_| matches!(slot.motion, Motion::Jump | Motion::Bounce) && !carries) {
                let room = (pose.y - 1.2 * pose.h - 0.02).max(0.0);
                pose.lift *= (room / object.amp.max(1e-3)).min(1.0);
            }
        }
    }

    pub fn raining(&self) -> bool {
        matches!(self.brief.weather, Weather::Rain | Weather::Storm)
    }
}

impl Moment {
    /// Of frame `index`.
    pub fn at(film: &Film, index: usize) -> Self {
        let t = index as f32 / film.fps as f32;
        let p = t / film.brief.seconds.max(1e-3);
        let camera = film.layout.frame.pan * (p - 0.5) * film.width;
        let places = 0..film.brief.slots.len().min(film.layout.objects.len());
        let drifted = |place: usize| {
            let pose = pose(&film.brief, &film.layout, place, t);
            Pose { x: pose.x - drift(film, place) * camera / film.width, ..pose }
        };
        let mut moment = Self { frame: index, t, p, camera, poses: places.map(drifted).collect(), order: Vec::new(), spots: Vec::new() };
        film.follow_the_slope(&mut moment);
        film.posed_as_figures(&mut moment);
        film.keep_below_the_top(&mut moment);
        moment.order = film.ordered(&moment);
        moment
    }
}

/// Of the camera's way: what stands on ground or water moves with it, what travels is followed by the camera.
fn drift(film: &Film, place: usize) -> f32 {
    let Some(root) = film.brief.slots.get(film.root(place)) else { return 0.0 };
    let stands = matches!(zone(root, film.brief.backdrop), Zone::Ground | Zone::Surface);
    let outdoors = matches!(film.medium, Medium::Ground | Medium::Water);
    if stands && outdoors && !root.motion.travels() { DRIFT } else { 0.0 }
}

/// Where the far side of a place lies, given its layout's horizon; both in frame heights. Above it where water or a drop lies
/// between.
pub(in crate::paint) fn far_line(setting: Option<Setting>, horizon: f32) -> f32 {
    horizon
        - match setting {
            Some(Setting::Lakeside | Setting::Riverside) => 0.17,
            Some(Setting::PondSide) => 0.12,
            Some(Setting::CliffTop) => 0.22,
            Some(Setting::Iceberg) => 0.16,
            _ => 0.0,
        }
}

/// Zoom that is always there: the camera's sway must not show the border of what is painted.
const MARGIN: f32 = 0.012;

/// The point that the zoom leaves where it is, in frame widths and heights, and the zoom at `share` of the clip.
pub(super) fn view(layout: &Layout, focus: f32, share: f32) -> ([f32; 2], f32) {
    let centre = if layout.objects.is_empty() { [0.5, 0.55] } else { [focus.clamp(0.3, 0.7), 0.62] };
    (centre, 1.0 + layout.frame.zoom * eased(share) + MARGIN)
}

/// 0 to 1, under way from the first frame on and slower towards the end.
fn eased(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    share * (1.5 - 0.5 * share)
}
