//! A single-threaded matrix product on slices: the one place that calls `gemm`, and the only unsafe code.

use gemm::Parallelism;

/// A matrix that lies in a slice with any strides.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// A matrix whose rows lie one after the other.
    pub fn new(values: &'a [f32], rows: usize, columns: usize) -> Self {
        Self { values, rows, columns, row_stride: columns, column_stride: 1 }
    }

    pub fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows, row_stride: self.column_stride, column_stride: self.row_stride, ..self }
    }

    fn fits(&self) -> bool {
        self.rows > 0 && self.columns > 0 && (self.rows - 1) * self.row_stride + (self.columns - 1) * self.column_stride < self.values.len()
    }
}

/// Writes `a b` (or adds it, with `add`) to a matrix that starts at `out[0]` with `row_stride` between its rows.
///
/// # Panics
/// When the shapes do not fit each other or their slices: a mistake in a kernel, never in its input.
pub(super) fn matmul(out: &mut [f32], row_stride: usize, a: Matrix, b: Matrix, add: bool) {
    let (m, n, k) = (a.rows, b.columns, a.columns);
    assert!(k == b.rows && a.fits() && b.fits() && n <= row_stride && (m - 1) * row_stride + n <= out.len());
    // SAFETY: the assertion keeps every element that the strides reach inside its slice, and `out`
    // is borrowed mutably, so it overlaps neither `a` nor `b`.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            row_stride as isize,
            add,
            a.values.as_ptr(),
            a.column_stride as isize,
            a.row_stride as isize,
            b.values.as_ptr(),
            b.column_stride as isize,
            b.row_stride as isize,
            1.0,
            1.0,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_with_a_transpose_is_the_rows_dotted_pairwise() {
        let mut out = [10.0; 4];
        let (a, b) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]);
        matmul(&mut out, 2, Matrix::new(&a, 2, 2), Matrix::new(&b, 2, 2).transposed(), true);
        assert_eq!(out, [10.0 + 17.0, 10.0 + 23.0, 10.0 + 39.0, 10.0 + 53.0]);
    }
}
