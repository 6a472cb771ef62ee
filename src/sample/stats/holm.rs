//! Several measures at once.

/// Which of several findings stand when all of them together may be wrong with a chance of `alpha`: S. Holm, "A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979). `chances` are p-values.
pub fn holm(chances: &[f64], alpha: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|a, b| chances[*a].total_cmp(&chances[*b]));
    let mut stands = vec![false; chances.len()];
    for (rank, at) in order.into_iter().enumerate() {
        if chances[at] > alpha / (chances.len() - rank) as f64 {
            break;
        }
        stands[at] = true;
    }
    stands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_must_be_least_of_all() {
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005], 0.05), [true, false, false, true]);
        assert_eq!(holm(&[0.04], 0.05), [true]);
        assert_eq!(holm(&[0.03, 0.04], 0.05), [false, false]);
        assert_eq!(holm(&[0.02, 0.04], 0.05), [true, true]);
        assert!(holm(&[], 0.05).is_empty());
    }
}
