//! Rectified flow: data and noise joined by straight lines, followed from noise (time 1) to data (time 0).
//!
//! `x_t = (1 - t) data + t noise`, so the velocity is `noise - data`. The denoiser predicts it; each
//! sample follows it in Euler steps on its own time grid with its own guidance.
//!
//! Source: Liu et al. 2022 (arXiv:2209.03003); the shift of the grid: Esser et al. 2024
//! (arXiv:2403.03206), section 5.3.2.

use candle_core::Tensor;

use super::state::{Conditioning, State};
use crate::error::{Error, Result};
use crate::guidance::guide;
use crate::sample::State as _;

/// Moves a sample one Euler step along its velocity.
///
/// | argument   | shape             | unit                                       |
/// |------------|-------------------|--------------------------------------------|
/// | `latents`  | `[1, g, c, s, s]` | latent units                               |
/// | `velocity` | `[1, g, c, s, s]` | `noise - data`                             |
/// | `from`     |                   | the time of `latents`, 1 is pure noise     |
/// | `to`       |                   | the time after the step, `to < from`       |
fn euler_step(latents: &Tensor, velocity: &Tensor, from: f64, to: f64) -> candle_core::Result<Tensor> {
    latents + (velocity * (to - from))?
}

/// One evaluation of the denoiser that a step needs.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// `[1, g, c, s, s]`.
    pub latents: &'a Tensor,
    pub time: f64,
    pub prompt: &'a Conditioning,
}

/// Advances every sample by one of its own steps, asking for all velocities at once.
///
/// `velocities` answers the rows in their order, one `[1, g, c, s, s]` each: first a sample's conditional
/// row, then its null row if it has one.
///
/// # Errors
/// [`Error::Done`] when a sample has no step left; no sample has moved then, nor after any other error.
pub(super) fn advance(batch: &mut [&mut State], velocities: impl FnOnce(&[Row<'_>]) -> Result<Vec<Tensor>>) -> Result<()> {
    let mut rows = Vec::with_capacity(2 * batch.len());
    for sample in batch.iter() {
        let (time, _) = sample.interval().ok_or(Error::Done { steps: sample.steps() })?;
        let prompts = std::iter::once(&sample.prompt).chain(&sample.null);
        rows.extend(prompts.map(|prompt| Row { latents: &sample.latents, time, prompt }));
    }
    let mut velocities = velocities(&rows)?.into_iter();
    let moves: Vec<_> = batch.iter().map(|sample| next(sample, &mut velocities)).collect::<Result<_>>()?;
    for (sample, (latents, predicted)) in batch.iter_mut().zip(moves) {
        sample.advance(latents, predicted);
    }
    Ok(())
}

/// The latents after a sample's step, and the clean data that its velocity points at.
fn next(sample: &State, velocities: &mut impl Iterator<Item = Tensor>) -> Result<(Tensor, Tensor)> {
    let mut take = || velocities.next().ok_or_else(|| Error::Compute(candle_core::Error::msg("a velocity is missing")));
    let (from, to) = sample.interval().ok_or(Error::Done { steps: sample.steps() })?;
    let conditional = take()?;
    let velocity = match sample.null {
        Some(_) => guide(&conditional, &take()?, sample.guidance)?,
        None => conditional,
    };
    let latents = euler_step(&sample.latents, &velocity, from, to)?;
    Ok((latents, euler_step(&sample.latents, &velocity, from, 0.0)?))
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::super::time_grid::time_grid;
    use super::*;
    use crate::request::Request;
    use crate::spec::Size;

    fn tensor(values: [f32; 4]) -> Tensor {
        Tensor::from_slice(&values, (1, 1, 1, 2, 2), &Device::Cpu).unwrap()
    }

    fn values(tensor: &Tensor) -> Vec<f32> {
        tensor.flatten_all().unwrap().to_vec1().unwrap()
    }

    fn sample(steps: usize, guidance: f64, noise: &Tensor) -> State {
        let nothing = Conditioning { tokens: noise.clone(), pooled: noise.clone() };
        let size = Size { width: 2, height: 2 };
        let request =
            Request { prompt: String::new(), negative_prompt: None, size, frames: 1, seed: 0, steps, guidance, arrangement: Vec::new() };
        State::new(&request, 1.5, noise.clone(), nothing.clone(), (guidance != 1.0).then_some(nothing))
    }

    #[test]
    fn a_grid_falls_from_one_to_zero() {
        for (steps, shift) in [(1, 1.0), (24, 1.5), (7, 3.0)] {
            let grid = time_grid(steps, shift);
            assert_eq!((grid.len(), grid[0], grid[steps]), (steps + 1, 1.0, 0.0));
            assert!(grid.windows(2).all(|pair| pair[0] > pair[1]));
        }
    }

    #[test]
    fn shift_one_is_even_and_a_larger_one_stays_longer_near_the_noise() {
        assert_eq!(time_grid(4, 1.0), [1.0, 0.75, 0.5, 0.25, 0.0]);
        assert!(time_grid(4, 1.5)[2] > 0.5);
        assert_eq!(time_grid(2, 3.0)[1], 0.75);
    }

    #[test]
    fn following_the_true_velocity_lands_on_the_data_in_any_number_of_steps() {
        let (noise, data) = (tensor([1.0, -2.0, 0.5, 3.0]), tensor([0.25, 0.5, -1.0, 2.0]));
        let velocity = (&noise - &data).unwrap();
        for steps in [1, 5, 24] {
            let mut sample = sample(steps, 1.0, &noise);
            while sample.interval().is_some() {
                advance(&mut [&mut sample], |rows| Ok(vec![velocity.clone(); rows.len()])).unwrap();
                let predicted = values(sample.predicted.as_ref().unwrap());
                assert!(predicted.iter().zip(values(&data)).all(|(a, b)| (a - b).abs() < 1e-5));
            }
            assert!(values(&sample.latents).iter().zip(values(&data)).all(|(a, b)| (a - b).abs() < 1e-5));
        }
    }

    #[test]
    fn guidance_one_asks_for_one_row_and_any_other_for_two() {
        let noise = tensor([0.0; 4]);
        let (mut plain, mut guided) = (sample(3, 1.0, &noise), sample(5, 3.0, &noise));
        let mut asked = 0;
        advance(&mut [&mut plain, &mut guided], |rows| {
            asked = rows.len();
            Ok(vec![noise.clone(); rows.len()])
        })
        .unwrap();
        assert_eq!((asked, plain.step_index(), guided.step_index()), (3, 1, 1));
    }

    #[test]
    fn a_finished_sample_stops_the_batch_before_anyone_moves() {
        let noise = tensor([0.0; 4]);
        let (mut short, mut long) = (sample(1, 1.0, &noise), sample(2, 1.0, &noise));
        let still = |rows: &[Row]| Ok(vec![noise.clone(); rows.len()]);
        advance(&mut [&mut short, &mut long], still).unwrap();
        assert!(matches!(advance(&mut [&mut long, &mut short], still), Err(Error::Done { steps: 1 })));
        assert_eq!(long.step_index(), 1);
    }
}
