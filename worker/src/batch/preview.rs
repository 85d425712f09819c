//! After which steps a preview is worth its decode: early once, then about six times over the clip.

const PREVIEWS: u32 = 6;

pub const fn is_due(step: u32, steps: u32) -> bool {
    let every = if steps < PREVIEWS { 1 } else { steps / PREVIEWS };
    step == 1 || step == steps || step.is_multiple_of(every)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_gets_an_early_preview_a_last_one_and_some_between() {
        let due = |steps| (1..=steps).filter(|step| is_due(*step, steps)).collect::<Vec<_>>();
        assert_eq!(due(24), [1, 4, 8, 12, 16, 20, 24]);
        assert_eq!(due(1), [1]);
        assert_eq!(due(3), [1, 2, 3]);
        assert!((1..=200).all(|steps| due(steps).len() <= 13 && due(steps).len() >= 5.min(steps as usize)));
    }
}
