//! Where values lie in a chart, and how they are written.

use domain::grouped;

/// Steps between the ticks of an axis.
const STEPS_MAX: f64 = 5.0;
/// Of a value that is less than one.
const DECIMALS_MAX: f64 = 6.0;
/// How long a dot is, in hundredths of the plot: what has no length is not drawn everywhere.
const DOT: f64 = 0.01;
/// Less than this is the inexactness of a division.
const INEXACT: f64 = 1e-9;

/// Round numbers from nothing to `max` or a little more, at equal steps: 1, 2 or 5 times a power of ten, and not less than
/// `step_min`.
pub fn ticks(max: f64, step_min: f64) -> Vec<f64> {
    let wanted = Some((max / STEPS_MAX).max(step_min)).filter(|step| *step > 0.0).unwrap_or(1.0);
    let power = 10_f64.powi(wanted.log10().floor() as i32);
    let round = [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|step| *step >= wanted * (1.0 - INEXACT));
    let step = round.unwrap_or(10.0 * power);
    let steps = (max / step - INEXACT).ceil().max(1.0) as u32;
    (0..=steps).map(|number| f64::from(number) * step).collect()
}

pub fn top(ticks: &[f64]) -> f64 {
    ticks.last().copied().unwrap_or(1.0)
}

/// Of those that are numbers; nothing is less than nothing.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// Where a value lies, from above.
pub fn height(value: f64, top: f64) -> f64 {
    100.0 - (value / top).clamp(0.0, 1.0) * 100.0
}

/// Where the middle of a place lies, from the left.
pub fn middle(at: usize, places: usize) -> f64 {
    (at as f64 + 0.5) * 100.0 / places as f64
}

/// What is drawn where a place has no value between others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Nothing is known of it.
    Gap,
    /// The line goes on: what has values are but some places of it.
    Line,
}

/// Paths of values at equal steps: a line through those that stand beside each other, and a dot for each that stands alone. `height`: where a value
/// lies, from above.
pub fn line_and_dots(values: &[Option<f64>], missing: Missing, height: impl Fn(f64) -> f64) -> (String, String) {
    let corners = values.iter().enumerate().map(|(at, value)| {
        let value = value.filter(|value| value.is_finite())?;
        Some((middle(at, values.len()), height(value)))
    });
    let corners: Vec<_> = corners.filter(|corner| missing == Missing::Gap || corner.is_some()).collect();
    let (mut line, mut dots) = (String::new(), String::new());
    for run in corners.split(Option::is_none) {
        if let [Some((x, y))] = run {
            dots += &format!("M{x:.2} {y:.2}H{:.2}", x + DOT);
        } else if !run.is_empty() {
            let run: Vec<_> = run.iter().flatten().map(|(x, y)| format!("{x:.2} {y:.2}")).collect();
            line += &format!("M{}", run.join("L"));
        }
    }
    (line, dots)
}

/// A tick, with the decimals that its step has.
pub fn number(tick: f64, step: f64) -> String {
    if step >= 1.0 {
        return grouped(tick.round() as u64);
    }
    let decimals = (-step.log10()).ceil() as usize;
    format!("{tick:.decimals$}")
}

/// A value as the table has it: with one decimal, unless that says nothing; what is less than one with two digits, or it would be told as nothing.
pub fn value(value: f64) -> String {
    if value > 0.0 && value < 1.0 {
        let decimals = (1.0 - value.log10().floor()).min(DECIMALS_MAX) as usize;
        return format!("{value:.decimals$}").trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let tenths = (value * 10.0).round() as u64;
    if tenths.is_multiple_of(10) { grouped(tenths / 10) } else { format!("{}.{}", grouped(tenths / 10), tenths % 10) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_the_largest_value_in_at_most_five_steps() {
        for (max, step_min, expected) in [
            (0.0, 1.0, &[0.0, 1.0][..]),
            (1.0, 1.0, &[0.0, 1.0]),
            (3.0, 1.0, &[0.0, 1.0, 2.0, 3.0]),
            (7.0, 1.0, &[0.0, 2.0, 4.0, 6.0, 8.0]),
            (5.0, 1.0, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
            (10.0, 1.0, &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0]),
            (11.0, 1.0, &[0.0, 5.0, 10.0, 15.0]),
            (1234.0, 1.0, &[0.0, 500.0, 1000.0, 1500.0]),
            (0.5, 1.0, &[0.0, 1.0]),
            (0.0, 0.0, &[0.0, 1.0]),
        ] {
            assert_eq!(ticks(max, step_min), expected, "{max}");
        }
        for max in (1..2000).map(|tenths| f64::from(tenths) / 10.0) {
            let ticks = ticks(max, 0.001);
            let step = ticks[1];
            assert!(ticks.len() <= 6 && top(&ticks) >= max - INEXACT && top(&ticks) < max + step, "{max}: {ticks:?}");
        }
    }

    #[test]
    fn numbers_have_the_decimals_that_their_step_has() {
        assert_eq!([number(1500.0, 500.0), number(0.5, 0.5), number(0.05, 0.05), number(1.0, 0.2)], ["1,500", "0.5", "0.05", "1.0"]);
        assert_eq!([value(0.0), value(12.0), value(1234.56), value(0.04)], ["0", "12", "1,234.6", "0.04"]);
        assert_eq!([0.5, 0.0123, 0.999, 1e-9].map(value), ["0.5", "0.012", "1", "0"]);
    }

    #[test]
    fn a_line_has_a_gap_where_no_value_is_and_a_lone_value_is_a_dot() {
        let paths = |values: &[Option<f64>]| line_and_dots(values, Missing::Gap, |value| height(value, 10.0));
        let of = |line: &str, dots: &str| (line.to_owned(), dots.to_owned());
        let values = [Some(0.0), None, Some(10.0), Some(5.0), None];
        assert_eq!(paths(&values), of("M50.00 0.00L70.00 50.00", "M10.00 100.00H10.01"));
        assert_eq!(paths(&[Some(0.0), Some(5.0), None, Some(5.0), Some(10.0)]).0, "M10.00 100.00L30.00 50.00M70.00 50.00L90.00 0.00");
        assert_eq!(paths(&[None, Some(f64::NAN)]), of("", ""));
        assert_eq!(paths(&[]), of("", ""));
    }

    #[test]
    fn a_line_of_which_some_places_are_known_goes_through_them() {
        let path = |values: &[Option<f64>]| line_and_dots(values, Missing::Line, |value| height(value, 10.0));
        let through = path(&[None, Some(0.0), None, Some(10.0), Some(f64::NAN)]);
        assert_eq!(through, ("M30.00 100.00L70.00 0.00".to_owned(), String::new()));
        assert_eq!(path(&[None, Some(5.0)]), (String::new(), "M75.00 50.00H75.01".to_owned()));
    }

    #[test]
    fn what_is_no_number_is_not_the_largest() {
        assert_eq!(largest(&[f64::NAN, -1.0, 3.0, f64::INFINITY]), 3.0);
    }
}
