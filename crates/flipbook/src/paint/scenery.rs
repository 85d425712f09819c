//! What stands behind the cut-outs, drawn once per clip: layers from far to near that the camera passes at different
//! speeds. Each kind of place has a file of its own.

mod deep;
mod ground;
mod land;
mod places;
mod plants;
mod settings;
mod shore;
mod stirring;
mod town;
mod woods;

use resvg::tiny_skia::Transform;

use crate::canvas::{Canvas, Ink, Rgb};
use crate::codes::{Backdrop, Hour, Weather};
use crate::paint::film::{Film, Strip};
use crate::paint::shape::{BLEED, Pen, Wave};
use crate::random::Random;
use crate::sprites::atlas;
pub(super) use settings::is_bare;

impl Film {
    /// Paints everything that is painted once: the sky, the layers and the signs.
    pub(super) fn scenery(&mut self) {
        let sky = self.painted_sky();
        let mut layers = Layers { film: self, strips: Vec::new(), neons: Vec::new() };
        layers.place(self.brief.backdrop);
        let Layers { strips, neons, .. } = layers;
        (self.sky, self.strips, self.neons) = (sky, strips, neons);
    }

    /// The unit for the height of what stands at the horizon, in pixels: tall frames have taller hills.
    pub(super) fn rise(&self) -> f32 {
        self.short * (self.height / self.width).clamp(1.0, 2.4).powf(0.7)
    }

    /// Where the ground that things stand on begins, in pixels from above.
    pub(super) fn ground(&self) -> f32 {
        settings::near_line(self.program.setting, self.layout.frame.horizon) * self.height
    }

    /// -1 when the sun stands to the left, else 1.
    pub(super) fn sun_side(&self) -> f32 {
        if self.layout.frame.sun_x < 0.5 { -1.0 } else { 1.0 }
    }

    /// Whether a cut-out's name has this word in it: what plays a part is not painted on the backdrop as well.
    pub(super) fn casts(&self, word: &str) -> bool {
        self.brief.slots.iter().any(|slot| atlas().get(slot.sprite).name.contains(word))
    }

    /// Share of windows with a light in them.
    pub(super) fn lights_on(&self) -> f32 {
        match self.brief.hour {
            Hour::Night => 0.55,
            Hour::Sunset => 0.28,
            Hour::Overcast => 0.15,
            Hour::Dawn => 0.12,
            Hour::Day => 0.0,
        }
    }
}

/// The layers of a place while they are made.
struct Layers<'a> {
    film: &'a Film,
    strips: Vec<Strip>,
    neons: Vec<(f32, f32, Rgb)>,
}

impl Layers<'_> {
    fn place(&mut self, backdrop: Backdrop) {
        match backdrop {
            _ if self.set() => {}
            Backdrop::Meadow => self.meadow(),
            Backdrop::Hills => self.hills(),
            Backdrop::Mountains => self.mountains(),
            Backdrop::Desert => self.desert(),
            Backdrop::Snowfield => self.snowfield(),
            Backdrop::Volcano => self.volcano(),
            Backdrop::Road => self.road(),
            Backdrop::Forest => self.forest(),
            Backdrop::Jungle => self.jungle(),
            Backdrop::City => self.city(),
            Backdrop::Street => self.street(),
            Backdrop::Park => self.park(),
            Backdrop::Farm => self.farm(),
            Backdrop::Castle => self.castle(),
            Backdrop::Sea | Backdrop::Beach => self.coast(),
            Backdrop::Lake => self.lake(),
            Backdrop::River => self.river(),
            Backdrop::Underwater => self.underwater(),
            Backdrop::Moon => self.moon(),
            Backdrop::Space => self.space(),
            Backdrop::Plain | Backdrop::Sky | Backdrop::Room | Backdrop::Stage | Backdrop::Kitchen | Backdrop::Window => {}
        }
        self.cliff_on_land();
    }

    /// One more layer before the others, from `top` to `bottom` (pixels of the frame), wide enough for the camera's way.
    fn add(&mut self, parallax: f32, haze: f32, [top, bottom]: [f32; 2], draw: impl FnOnce(&mut Layer<'_>)) {
        let film = self.film;
        let (top, bottom) = (top.max(-BLEED).floor(), bottom.min(film.height + BLEED).ceil());
        if bottom - top < 1.0 {
            return;
        }
        let side = (film.layout.frame.pan.abs() * film.width * parallax / 2.0 + film.width * 0.12).floor() + 4.0;
        let mut canvas = Canvas::new((film.width + 2.0 * side) as usize, (bottom - top) as usize);
        let random = Random::of(film.seed, 700 + self.strips.len() as u64);
        canvas.within(Transform::from_translate(side, -top), |c| {
            draw(&mut Layer { film, c, a: -side, b: film.width + side, bottom, haze, ground: film.ground(), random });
        });
        self.strips.push(Strip { canvas, parallax, left: -side, top, near: false });
    }

    /// The ground that things walk on: from where it begins down.
    fn floor(&mut self, draw: impl FnOnce(&mut Layer<'_>)) {
        self.add(0.72, 0.0, [self.film.ground() - 0.03 * self.film.short, self.film.height + BLEED], draw);
    }

    /// What has been added last lies before the water.
    fn before_the_water(&mut self) {
        if let Some(strip) = self.strips.last_mut() {
            strip.near = true;
        }
    }
}

/// One layer while it is drawn.
pub(super) struct Layer<'a> {
    film: &'a Film,
    c: &'a mut Canvas,
    /// Its left end, in pixels of the frame.
    a: f32,
    /// Its right end.
    b: f32,
    bottom: f32,
    /// How much of every colour the air takes: 0 to 1.
    haze: f32,
    /// Where the ground begins: the horizon, but where water lies between.
    ground: f32,
    random: Random,
}

impl Layer<'_> {
    /// A colour under the scene's light, as far away as this layer is.
    fn tone(&self, hex: u32) -> Rgb {
        self.far(self.film.light.lit(Rgb::hex(hex)))
    }

    fn far(&self, colour: Rgb) -> Rgb {
        colour.mix(self.film.light.haze, self.haze)
    }

    /// The green of leaves and grass, as the season has it.
    fn leaf(&self, hex: u32) -> Rgb {
        let green = Rgb::hex(hex);
        let colour = match self.film.brief.weather {
            Weather::Leaves => green.mix(Rgb::hex(0xd9a441), 0.45),
            _ if self.film.light.white => green.mix(Rgb::hex(0xbfd4e2), 0.25),
            _ => green,
        };
        self.far(self.film.light.lit(colour))
    }

    /// Ground on which snow may lie.
    fn soil(&self, hex: u32) -> Rgb {
        if self.film.light.white { self.far(self.film.light.lit(Rgb::hex(0xeaf3fb))) } else { self.leaf(hex) }
    }

    /// Places along the layer, `density` of them for each short side, none far from where an even row would have it.
    fn along(&mut self, density: f32) -> Vec<f32> {
        let count = ((self.b - self.a) / self.film.short * density).ceil().max(1.0);
        let step = (self.b - self.a) / count;
        (0..count as usize).map(|j| self.a + (j as f32 + self.random.within(0.08, 0.92)) * step).collect()
    }

    /// Hills under a line: lit from the sun's side, in shade on the other.
    fn ridge(&mut self, wave: &Wave, colour: Rgb) {
        let low = colour.mix(self.film.light.haze, 0.22 * (1.0 - self.haze)).mix(Rgb::BLACK, 0.05);
        let reach = 0.22 * self.film.short;
        let ink = Ink::linear([0.0, wave.base - wave.height], [0.0, wave.base + reach], &[(colour, 1.0), (low, 1.0)]);
        let mut outline = Pen::at(self.a - 2.0, self.bottom + 2.0);
        for x in self.steps() {
            outline = outline.line(x, wave.y(x));
        }
        outline.line(self.b + 2.0, self.bottom + 2.0).close().fill(self.c, &ink);
        let strength = self.film.light.level.min(1.0).powi(2);
        let warm = colour.mix(self.film.light.sun, 0.32 * (1.0 - 0.6 * self.haze) * strength);
        let cool = colour.mix(Rgb([0.05, 0.16, 0.30]), 0.26 * (1.0 - 0.7 * self.haze));
        for (tint, side, depth, alpha) in
            [(warm, 1.0, 0.85, 0.30), (warm, 1.0, 0.50, 0.30), (warm, 1.0, 0.22, 0.35), (cool, -1.0, 1.0, 0.24), (cool, -1.0, 0.55, 0.24)]
        {
            self.flank(wave, side, depth, &Ink::flat(tint, alpha));
        }
    }

    /// A band under the line where it faces the sun (`side` 1) or turns away from it (-1).
    fn flank(&mut self, wave: &Wave, side: f32, depth: f32, ink: &Ink) {
        let facing = side * self.film.sun_side();
        let xs = self.steps();
        let thickness = |x: f32| {
            let steep = (wave.slope(x) * facing * 1.6).clamp(0.0, 1.0);
            wave.height * depth * steep * steep * (3.0 - 2.0 * steep)
        };
        let mut outline = Pen::at(self.a, wave.y(self.a));
        for &x in &xs {
            outline = outline.line(x, wave.y(x));
        }
        for &x in xs.iter().rev() {
            outline = outline.line(x, wave.y(x) + thickness(x));
        }
        outline.close().fill(self.c, ink);
    }

    fn steps(&self) -> Vec<f32> {
        let step = (self.film.short / 110.0).max(2.0);
        let count = ((self.b - self.a) / step).ceil() as usize + 1;
        (0..=count).map(|j| self.a + j as f32 * step).collect()
    }

    /// A soft light in the air or on a wall.
    fn glow(&mut self, x: f32, y: f32, radius: f32, colour: Rgb, alpha: f32) {
        self.c.puff(x, y, radius, radius, colour, alpha, crate::canvas::Puff { add: true, firm: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;
    use crate::scene::Program;

    fn film(backdrop: Backdrop, [width, height]: [usize; 2], pan: f32, seed: u64) -> Film {
        let program =
            Program { things: Vec::new(), backdrop, weather: Weather::Clear, hour: Hour::Day, setting: None, aurora: false, caption: None };
        let brief = layout::brief(&program, width as f32 / height as f32, 2.0);
        let mut arranged = layout::write(&brief, &mut Random::new(seed));
        arranged.frame.pan = pan;
        Film::of_layout(program, brief, arranged, width, height, 24, seed)
    }

    #[test]
    fn layers_reach_over_the_frame_wherever_the_camera_is() {
        for backdrop in Backdrop::ALL {
            for pan in [-2.0, 0.0, 2.0] {
                let film = film(*backdrop, [160, 90], pan, 3);
                let way = film.layout.frame.pan.abs() * film.width / 2.0;
                for strip in &film.strips {
                    let right = strip.left + strip.canvas.width() as f32;
                    assert!(strip.left + way * strip.parallax <= -4.0, "{backdrop:?} on the left");
                    assert!(right - way * strip.parallax >= film.width + 3.0, "{backdrop:?} on the right");
                }
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_scenery() {
        for backdrop in Backdrop::ALL {
            let [one, other] = [0, 1].map(|_| film(*backdrop, [96, 96], 0.1, 8));
            assert!(one.strips.iter().zip(&other.strips).all(|(a, b)| a.canvas.rgb() == b.canvas.rgb()), "{backdrop:?}");
        }
    }

    #[test]
    fn every_place_can_be_painted_in_every_format_light_and_weather() {
        for (index, backdrop) in Backdrop::ALL.iter().enumerate() {
            let sides = [[192, 336], [192, 192], [448, 192]][index % 3];
            for (hour, weather) in Hour::ALL.iter().zip(Weather::ALL.iter().cycle().skip(index)) {
                let mut film = film(*backdrop, sides, 0.0, index as u64);
                (film.brief.hour, film.brief.weather) = (*hour, *weather);
                film.light = crate::paint::film::Light::of(&film.brief, &film.layout.frame, false);
                film.scenery();
                assert_eq!(film.frame(7).len(), sides[0] * sides[1] * 3);
            }
        }
    }

    #[test]
    fn tall_frames_have_taller_hills() {
        let [square, tall] = [[192, 192], [192, 336]].map(|sides| film(Backdrop::Hills, sides, 0.0, 1));
        assert!(tall.rise() > 1.3 * square.rise());
    }

    #[test]
    fn a_waterfall_comes_down_a_cliff_wherever_it_is_painted_and_only_one_is() {
        let falling = crate::scene::Thing {
            sprite: atlas().named("waterfall").expect("a drawing"),
            motion: crate::codes::Motion::Still,
            colour: None,
            size: 0,
            count: 3,
            relation: crate::codes::Relation::None,
            parent: None,
            effect: None,
            act: None,
            course: None,
            added: false,
        };
        for backdrop in [Backdrop::Lake, Backdrop::River, Backdrop::Meadow, Backdrop::Forest] {
            let program = Program { things: vec![falling.clone()], ..film(backdrop, [8, 8], 0.0, 1).program };
            let brief = layout::brief(&program, 1.0, 2.0);
            let arranged = layout::write(&brief, &mut Random::new(1));
            let film = Film::of_layout(program, brief, arranged, 96, 96, 24, 1);
            let falls = film.falls().expect("a waterfall");
            let on_the_cliff = |strip: &Strip| strip.parallax == shore::FALLS_PARALLAX && strip.top <= falls.top;
            assert!(film.strips.iter().any(on_the_cliff), "{backdrop:?}");
            let painted: Vec<bool> = (0..3).map(|place| crate::paint::kept::in_the_scenery(&film.brief, place)).collect();
            assert_eq!(painted, [true, false, false], "the others are cut out");
        }
    }

    #[test]
    fn only_volcanoes_smoke_and_only_rivers_fall() {
        let [volcano, river] = [Backdrop::Volcano, Backdrop::River].map(|backdrop| film(backdrop, [96, 96], 0.0, 1));
        assert!(volcano.crater().is_some() && volcano.falls().is_none());
        assert!(river.falls().is_some() && river.crater().is_none());
    }
}
