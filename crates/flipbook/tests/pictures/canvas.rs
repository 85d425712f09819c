//! What the canvas promises to those who draw with it.

use flipbook::canvas::{Area, Canvas, Ink, Puff, Rgb, Tint, Vertex};
use flipbook::random::Random;
use flipbook::sprites::Picture;
use resvg::tiny_skia::{PathBuilder, Rect, Transform};

const WHITE: [u8; 4] = [255; 4];
const NOTHING: [u8; 4] = [0; 4];

fn at(canvas: &Canvas, x: usize, y: usize) -> [u8; 4] {
    canvas.pixels()[y * canvas.width() + x]
}

fn area(left: f32, top: f32, right: f32, bottom: f32) -> Area {
    Area { left, top, right, bottom }
}

fn plain(colour: Rgb) -> Ink {
    Ink::flat(colour, 1.0)
}

/// Premultiplied noise, some of it transparent.
fn noise(width: usize, height: usize, seed: u64) -> Picture {
    let mut random = Random::new(seed);
    let mut pixel = || {
        let alpha = [0, 90, 255][random.below(3)];
        [random.below(alpha + 1) as u8, random.below(alpha + 1) as u8, random.below(alpha + 1) as u8, alpha as u8]
    };
    Picture { width, height, pixels: (0..width * height).map(|_| pixel()).collect() }
}

fn solid(side: usize, pixel: [u8; 4]) -> Picture {
    Picture { width: side, height: side, pixels: vec![pixel; side * side] }
}

#[test]
fn a_mesh_covers_every_pixel_inside_exactly_once() {
    // Half transparent: a pixel that is drawn twice is more opaque, one that is missed is nothing.
    let picture = solid(40, WHITE);
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let cells = 6;
        let corners: Vec<Vertex> = (0..=cells)
            .flat_map(|row| (0..=cells).map(move |column| (column as f32, row as f32)))
            .map(|(column, row)| {
                // Borders lie on whole pixels and half ones: there the rule decides.
                let inner = |place: f32| place > 0.0 && place < cells as f32;
                let (mut x, mut y) = (8.0 + 8.0 * column, 8.5 + 8.0 * row);
                if inner(column) && inner(row) {
                    (x, y) = (x + random.within(-1.9, 1.9), y + random.within(-1.9, 1.9));
                }
                Vertex { at: [x, y], from: [20.0, 20.0] }
            })
            .collect();
        let mut canvas = Canvas::new(64, 64);
        canvas.mesh(&picture, &corners, cells, cells, Tint::NONE, 0.5);
        for y in 0..64 {
            for x in 0..64 {
                let inside = (8..56).contains(&x) && (8..56).contains(&y);
                assert_eq!(at(&canvas, x, y), if inside { [128; 4] } else { NOTHING }, "seed {seed}, {x}, {y}");
            }
        }
    }
}

#[test]
fn two_triangles_of_a_quad_share_no_pixel_and_miss_none() {
    let picture = solid(4, WHITE);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut corner = |x: f32, y: f32| Vertex { at: [x + random.within(-6.0, 6.0), y + random.within(-6.0, 6.0)], from: [2.0, 2.0] };
        let corners = [corner(8.0, 8.0), corner(24.0, 8.0), corner(8.0, 24.0), corner(24.0, 24.0)];
        let mut canvas = Canvas::new(32, 32);
        canvas.mesh(&picture, &corners, 1, 1, Tint { scale: Rgb([0.5; 3]), offset: Rgb::BLACK }, 0.25);
        let mut seen = 0;
        for pixel in canvas.pixels() {
            assert!(*pixel == NOTHING || pixel[3] == 64, "{pixel:?}");
            seen += usize::from(pixel[3] > 0);
        }
        assert!(seen > 20);
    }
}

#[test]
fn a_picture_at_its_own_size_on_whole_pixels_is_the_picture() {
    let picture = noise(17, 9, 4);
    let mut canvas = Canvas::new(32, 32);
    canvas.picture(&picture, area(5.0, 7.0, 22.0, 16.0), Tint::NONE, 1.0);
    for y in 0..9 {
        for x in 0..17 {
            assert_eq!(at(&canvas, x + 5, y + 7), picture.pixels[y * 17 + x]);
        }
    }
    assert_eq!(
        canvas.pixels().iter().filter(|pixel| **pixel != NOTHING).count(),
        picture.pixels.iter().filter(|pixel| **pixel != NOTHING).count()
    );
}

#[test]
fn a_picture_is_mirrored_by_an_area_or_a_transform_that_is() {
    let picture = noise(8, 8, 9);
    let (mut by_area, mut by_transform) = (Canvas::new(8, 8), Canvas::new(8, 8));
    by_area.picture(&picture, area(8.0, 0.0, 0.0, 8.0), Tint::NONE, 1.0);
    by_transform
        .within(Transform::from_row(-1.0, 0.0, 0.0, 1.0, 8.0, 0.0), |c| c.picture(&picture, area(0.0, 0.0, 8.0, 8.0), Tint::NONE, 1.0));
    for y in 0..8 {
        for x in 0..8 {
            assert_eq!(at(&by_area, x, y), picture.pixels[y * 8 + 7 - x]);
        }
    }
    assert_eq!(by_area.pixels(), by_transform.pixels());
}

#[test]
fn a_turned_picture_is_the_same_picture_turned() {
    let picture = noise(12, 12, 2);
    let mut canvas = Canvas::new(12, 12);
    canvas.within(Transform::from_rotate_at(90.0, 6.0, 6.0), |c| c.picture(&picture, area(0.0, 0.0, 12.0, 12.0), Tint::NONE, 1.0));
    for y in 0..12 {
        for x in 0..12 {
            let (seen, expected) = (at(&canvas, 11 - y, x), picture.pixels[y * 12 + x]);
            assert!(seen.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 2), "{seen:?} {expected:?}");
        }
    }
}

#[test]
fn a_picture_shrunk_to_a_pixel_is_its_mean() {
    let mut picture = solid(16, NOTHING);
    for (place, pixel) in picture.pixels.iter_mut().enumerate() {
        *pixel = if (place + place / 16) % 2 == 0 { WHITE } else { [0, 0, 0, 255] };
    }
    let mut canvas = Canvas::new(3, 3);
    canvas.picture(&picture, area(1.0, 1.0, 2.0, 2.0), Tint::NONE, 1.0);
    assert!(at(&canvas, 1, 1)[0].abs_diff(128) <= 2, "{:?}", at(&canvas, 1, 1));
}

#[test]
fn a_tint_changes_straight_colours_and_leaves_alpha() {
    let picture = solid(4, [64, 32, 0, 128]); // straight: 128, 64, 0
    let mut canvas = Canvas::new(4, 4);
    canvas.picture(&picture, area(0.0, 0.0, 4.0, 4.0), Tint { scale: Rgb([0.5, 1.0, 1.0]), offset: Rgb([0.0, 0.25, 2.0]) }, 1.0);
    assert_eq!(at(&canvas, 1, 1), [32, 64, 128, 128]);
    let mut shape = Canvas::new(4, 4);
    shape.picture(&picture, area(0.0, 0.0, 4.0, 4.0), Tint::solid(Rgb([1.0, 0.0, 0.0])), 0.5);
    assert_eq!(at(&shape, 1, 1), [64, 0, 0, 64]);
}

#[test]
fn a_clip_cuts_everything() {
    type Draw = Box<dyn Fn(&mut Canvas)>;
    let picture = solid(32, WHITE);
    let disc = PathBuilder::from_circle(16.0, 16.0, 30.0).unwrap();
    let line = {
        let mut path = PathBuilder::new();
        path.move_to(-5.0, -5.0);
        path.line_to(40.0, 40.0);
        path.finish().unwrap()
    };
    let mut other = Canvas::new(32, 32);
    other.clear(Rgb::WHITE, 1.0);
    let corners = [[0.0, 0.0], [32.0, 0.0], [0.0, 32.0], [32.0, 32.0]].map(|at| Vertex { at, from: at });
    let draws: [Draw; 9] = [
        Box::new(|c| c.rect(area(-4.0, -4.0, 40.0, 40.0), &plain(Rgb::WHITE))),
        Box::new(|c| {
            c.rect(area(-4.0, -4.0, 40.0, 40.0), &Ink::radial([16.0, 16.0], 50.0, &[(0.0, Rgb::WHITE, 1.0), (1.0, Rgb::WHITE, 1.0)]))
        }),
        Box::new(|c| c.circle(16.0, 16.0, 30.0, &plain(Rgb::WHITE))),
        Box::new(move |c| c.fill(&disc, &plain(Rgb::WHITE))),
        Box::new(move |c| c.stroke(&line, 30.0, &plain(Rgb::WHITE))),
        Box::new(|c| c.puff(16.0, 16.0, 60.0, 60.0, Rgb::WHITE, 1.0, Puff { firm: true, add: false })),
        Box::new(move |c| c.picture(&picture, area(0.0, 0.0, 32.0, 32.0), Tint::NONE, 1.0)),
        Box::new(move |c| c.mesh(&solid(32, WHITE), &corners, 1, 1, Tint::NONE, 1.0)),
        Box::new(move |c| c.canvas(&other, 0.0, 0.0)),
    ];
    let path = PathBuilder::from_rect(Rect::from_ltrb(8.0, 10.0, 24.0, 20.0).unwrap());
    for (place, draw) in draws.iter().enumerate() {
        let (mut by_box, mut by_path, mut by_both) = (Canvas::new(32, 32), Canvas::new(32, 32), Canvas::new(32, 32));
        by_box.clipped_to(area(8.0, 10.0, 24.0, 20.0), |c| draw(c));
        by_path.clipped(&path, |c| draw(c));
        by_both.clipped(&path, |c| c.clipped_to(area(0.0, 0.0, 16.0, 32.0), |c| draw(c)));
        for y in 0..32 {
            for x in 0..32 {
                let inside = (8..24).contains(&x) && (10..20).contains(&y);
                let expected = if inside { WHITE } else { NOTHING };
                assert_eq!(at(&by_box, x, y), expected, "by box, {place}: {x}, {y}");
                assert_eq!(at(&by_path, x, y), expected, "by path, {place}: {x}, {y}");
                assert_eq!(at(&by_both, x, y), if x < 16 { expected } else { NOTHING }, "by both, {place}: {x}, {y}");
            }
        }
        let mut beyond = Canvas::new(32, 32);
        for [x, y] in [[-40.0, 4.0], [40.0, 4.0], [4.0, -40.0], [4.0, 40.0]] {
            let place = area(x, y, x + 8.0, y + 8.0);
            beyond.clipped_to(place, |c| draw(c));
            beyond.clipped_to(area(8.0, 10.0, 24.0, 20.0), |c| c.clipped_to(place, |c| draw(c)));
            beyond.clipped(&PathBuilder::from_rect(Rect::from_xywh(x, y, 8.0, 8.0).unwrap()), |c| draw(c));
        }
        assert!(beyond.pixels().iter().all(|pixel| *pixel == NOTHING), "beyond the canvas, {place}");
        by_both.rect(area(31.0, 31.0, 32.0, 32.0), &plain(Rgb::WHITE));
        assert_eq!(at(&by_both, 31, 31), WHITE, "a clip ends with its drawing");
    }
}

#[test]
fn a_puff_is_symmetric_and_as_opaque_in_the_middle_as_asked() {
    for firm in [false, true] {
        let mut canvas = Canvas::new(41, 41);
        canvas.puff(20.5, 20.5, 18.0, 12.0, Rgb([1.0, 0.5, 0.0]), 0.8, Puff { add: false, firm });
        for y in 0..41 {
            for x in 0..41 {
                assert_eq!(at(&canvas, x, y), at(&canvas, 40 - x, y));
                assert_eq!(at(&canvas, x, y), at(&canvas, x, 40 - y));
            }
        }
        assert_eq!(at(&canvas, 20, 20), [204, 102, 0, 204]);
        assert_eq!(at(&canvas, 1, 20), NOTHING);
        assert_eq!(at(&canvas, 20, 7), NOTHING);
        assert_eq!(at(&canvas, 29, 20)[3] == 204, firm, "half of the way");
    }
}

#[test]
fn a_puff_of_light_adds_and_does_not_wrap() {
    let mut canvas = Canvas::new(9, 9);
    canvas.clear(Rgb([0.5, 0.9, 0.0]), 1.0);
    canvas.puff(4.5, 4.5, 4.0, 4.0, Rgb([0.2, 0.9, 1.0]), 1.0, Puff { add: true, firm: true });
    assert_eq!(at(&canvas, 4, 4), [128 + 51, 255, 255, 255]);
}

#[test]
fn a_soft_spot_falls_off_as_it_should() {
    let mut canvas = Canvas::new(201, 1);
    canvas.puff(0.5, 0.5, 200.0, 200.0, Rgb::WHITE, 1.0, Puff::default());
    for x in 0..200 {
        let expected = 255.0 * (1.0 - x as f32 / 200.0).powf(1.6);
        assert!((f32::from(at(&canvas, x, 0)[3]) - expected).abs() < 2.0, "{x}");
    }
}

#[test]
fn a_circle_has_its_area() {
    for radius in [0.3, 0.6, 1.0, 2.5, 7.0, 14.0] {
        for shift in [0.0, 0.3, 0.5] {
            let mut canvas = Canvas::new(32, 32);
            canvas.circle(16.0 + shift, 16.0, radius, &plain(Rgb::WHITE));
            let seen = canvas.pixels().iter().map(|pixel| f32::from(pixel[3])).sum::<f32>() / 255.0;
            let expected = std::f32::consts::PI * radius * radius;
            assert!((seen - expected).abs() < 0.08 * expected + 0.12, "{radius}: {seen}, not {expected}");
        }
    }
}

#[test]
fn a_thin_slanted_oval_lies_where_its_path_lies() {
    let (mut ours, mut path) = (Canvas::new(64, 64), Canvas::new(64, 64));
    let place = Transform::from_rotate_at(33.0, 32.0, 32.0).pre_scale(1.2, 0.9);
    let oval = area(8.0, 28.0, 42.0, 38.0);
    ours.within(place, |c| c.oval(oval, &plain(Rgb::WHITE)));
    let outline = PathBuilder::from_oval(Rect::from_ltrb(8.0, 28.0, 42.0, 38.0).unwrap()).unwrap();
    path.within(place, |c| c.fill(&outline, &plain(Rgb::WHITE)));
    let furthest = ours.pixels().iter().zip(path.pixels()).map(|(a, b)| a[3].abs_diff(b[3])).max();
    assert!(furthest < Some(48), "{furthest:?}");
}

#[test]
fn a_canvas_between_two_pixels_is_their_mean() {
    let mut other = Canvas::new(16, 8);
    for x in 0..16 {
        other.rect(area(x as f32, 0.0, x as f32 + 1.0, 8.0), &plain(Rgb([x as f32 / 15.0, 1.0 - x as f32 / 15.0, 0.3])));
    }
    let mut canvas = Canvas::new(24, 12);
    canvas.canvas(&other, 2.5, 1.0);
    for x in 1..16 {
        let (left, right, seen) = (at(&other, x - 1, 3), at(&other, x, 3), at(&canvas, x + 2, 4));
        for channel in 0..4 {
            let sum = u16::from(left[channel]) + u16::from(right[channel]);
            assert_eq!(u16::from(seen[channel]), sum.div_ceil(2), "{x}");
        }
    }
    assert_eq!(at(&canvas, 2, 4)[3], 128, "its border is soft");
    assert_eq!(at(&canvas, 18, 4)[3], 128);
    assert_eq!(at(&canvas, 19, 4), NOTHING);
    assert_eq!(at(&canvas, 8, 0), NOTHING);
}

#[test]
fn a_canvas_on_whole_pixels_is_copied_and_drawing_on_it_later_counts() {
    let mut other = Canvas::new(8, 8);
    other.rect(area(2.0, 2.0, 4.0, 4.0), &plain(Rgb::WHITE));
    let mut canvas = Canvas::new(8, 8);
    canvas.canvas(&other, 0.0, 0.0);
    assert_eq!(canvas.pixels(), other.pixels());
    other.rect(area(5.0, 5.0, 8.0, 8.0), &plain(Rgb([0.2; 3])));
    canvas.canvas(&other, 0.0, 0.0);
    assert_eq!(canvas.pixels(), other.pixels());
}

#[test]
fn an_enlarged_opaque_canvas_leaves_nothing_through() {
    let mut other = Canvas::new(40, 40);
    other.clear(Rgb([0.2, 0.4, 0.6]), 1.0);
    let mut canvas = Canvas::new(32, 32);
    for degrees in [0.0, 0.25] {
        canvas.clear(Rgb::WHITE, 1.0);
        let camera = Transform::from_rotate_at(degrees, 16.0, 16.0).pre_scale(1.013, 1.013);
        canvas.within(camera, |c| c.canvas(&other, -3.3, -4.7));
        assert!(canvas.pixels().iter().all(|pixel| *pixel == at(&other, 0, 0)), "{degrees}");
    }
}

#[test]
fn a_box_between_pixels_has_soft_edges() {
    let mut canvas = Canvas::new(8, 8);
    canvas.rect(area(1.5, 2.25, 4.0, 5.0), &plain(Rgb::WHITE));
    assert_eq!(at(&canvas, 1, 3)[3], 128);
    assert_eq!(at(&canvas, 2, 2)[3], 191);
    assert_eq!(at(&canvas, 1, 2)[3], 96);
    assert_eq!(at(&canvas, 3, 4), WHITE);
    assert_eq!((at(&canvas, 4, 3), at(&canvas, 3, 5)), (NOTHING, NOTHING));
    let mut thin = Canvas::new(4, 4);
    thin.rect(area(1.25, 1.25, 1.5, 3.0), &plain(Rgb::WHITE));
    assert_eq!(at(&thin, 1, 2)[3], 64);
}

#[test]
fn gradients_run_from_their_first_colour_to_their_last_whichever_way_they_are_drawn() {
    let stops = [(Rgb::BLACK, 1.0), (Rgb::WHITE, 1.0)];
    let (mut down, mut across, mut turned) = (Canvas::new(64, 64), Canvas::new(64, 64), Canvas::new(64, 64));
    let whole = area(-30.0, -30.0, 94.0, 94.0);
    down.rect(whole, &Ink::linear([0.0, 0.0], [0.0, 64.0], &stops));
    across.rect(whole, &Ink::linear([0.0, 0.0], [64.0, 0.0], &stops));
    turned.within(Transform::from_rotate_at(90.0, 32.0, 32.0), |c| c.rect(whole, &Ink::linear([0.0, 0.0], [0.0, 64.0], &stops)));
    let shape = PathBuilder::from_rect(Rect::from_ltrb(-1.0, -1.0, 65.0, 65.0).unwrap());
    let mut filled = Canvas::new(64, 64);
    filled.fill(&shape, &Ink::linear([0.0, 0.0], [0.0, 64.0], &stops));
    for place in 0..64 {
        let expected = ((place as f32 + 0.5) / 64.0 * 255.0) as u8;
        for seen in [at(&down, 5, place), at(&across, place, 5), at(&turned, 63 - place, 5), at(&filled, 5, place)] {
            assert!(seen[0].abs_diff(expected) <= 2 && seen[3] == 255, "{place}: {seen:?}");
        }
    }
}

#[test]
fn numbers_that_are_none_draw_nothing_and_harm_nobody() {
    let mut canvas = Canvas::new(8, 8);
    for odd in [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e30] {
        canvas.circle(odd, 2.0, 3.0, &plain(Rgb::WHITE));
        canvas.circle(2.0, 2.0, f32::NAN, &plain(Rgb::WHITE));
        canvas.puff(2.0, odd, 3.0, 0.0, Rgb::WHITE, 1.0, Puff::default());
        canvas.picture(&solid(4, WHITE), area(odd, 0.0, odd, 4.0), Tint::NONE, 1.0);
        let corners = [Vertex { at: [odd, odd], from: [0.0, 0.0] }; 4];
        canvas.mesh(&solid(4, WHITE), &corners, 1, 1, Tint::NONE, 1.0);
        canvas.mesh(&solid(4, WHITE), &corners[..3], 1, 1, Tint::NONE, 1.0);
        canvas.rect(area(odd, odd, odd, odd), &plain(Rgb::WHITE));
        canvas.clipped_to(area(6.0, 6.0, 2.0, 2.0), |c| c.rect(area(0.0, 0.0, 8.0, 8.0), &plain(Rgb::WHITE)));
    }
    assert!(canvas.pixels().iter().all(|pixel| *pixel == NOTHING));
}
