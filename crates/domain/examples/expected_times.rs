//! How well device times are predicted from those before them: rows of `stage_timings` on the standard input, the oldest first, as
//! `model,device,stage,width,height,duration_ms,steps,device_ms,words`; Markdown on the standard output. What `cargo xtask bench times` runs.
//!
//! A stage of a model is judged from its eleventh measurement on. Ends with 1 where a bar is missed.

use domain::scheduling::{CostModel, Measurement, Workload};
use domain::{Shape, Size, Stage, VideoTime};
use std::{collections::BTreeMap, error::Error, io, process::ExitCode};

/// As many measurements of a stage are learned before predictions are judged.
const FIRST: u64 = 10;
/// `|predicted - measured| / measured`.
const MEDIAN_MAX: f64 = 0.1;
const P95_MAX: f64 = 0.3;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut costs = CostModel::default();
    let mut errors: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in io::stdin().lines() {
        let line = line?;
        let &[model, device, stage, width, height, duration_ms, steps, device_ms, words] = line.split(',').collect::<Vec<_>>().as_slice()
        else {
            return Err(format!("nine fields, not: {line}").into());
        };
        let stage = [Stage::Sampling, Stage::Decoding].into_iter().find(|known| known.as_str() == stage).ok_or("an unknown stage")?;
        let size = Size { width: width.parse()?, height: height.parse()? };
        let workload = Workload {
            shape: Shape { size, duration: VideoTime::from_ms(duration_ms.parse()?) },
            steps: steps.parse()?,
            words: words.trim_matches('"').parse()?,
        };
        let measured = Measurement { model, device, stage, workload, device_ms: device_ms.parse()? };
        let predicted = costs.predict(model, Some(device), stage, workload);
        if let Some(predicted) = predicted.filter(|predicted| predicted.measurements >= FIRST) {
            let ms = measured.device_ms as f64 + 0.5;
            errors.entry(format!("{model}, {}", stage.as_str())).or_default().push((predicted.p50_ms - ms).abs() / ms);
        }
        costs.observe(&measured);
    }
    println!("| expected device time | predictions | error: median | P95 |\n| --- | --- | --- | --- |");
    errors.insert("all".to_owned(), errors.values().flatten().copied().collect());
    let mut reached = true;
    for (of, mut errors) in errors {
        errors.sort_by(f64::total_cmp);
        let at = |percent: usize| errors.get((errors.len() * percent).div_ceil(100).saturating_sub(1)).copied().ok_or("nothing was judged");
        let (median, p95) = (at(50)?, at(95)?);
        println!("| {of} | {} | {:.1} % | {:.1} % |", errors.len(), 100.0 * median, 100.0 * p95);
        reached &= of != "all" || (median < MEDIAN_MAX && p95 < P95_MAX);
    }
    println!("\nThe bars are {:.0} % and {:.0} % over all of them.", 100.0 * MEDIAN_MAX, 100.0 * P95_MAX);
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
