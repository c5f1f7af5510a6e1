//! Sorting, compiled once for all types. The standard library's sorts are made anew for
//! each type, some four kilobytes of program a time; the page has two dozen of them.

use litemap::LiteMap;
use std::cmp::Ordering;

/// Sorts, and keeps equal items in their order.
pub fn by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = places(items.len(), &|one, two| compare(&items[one], &items[two]));
    let mut taken: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|place| taken[place].take()));
}

/// Sorts by what a function makes of each, and keeps equal items in their order.
pub fn by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    by(items, |one, two| key(one).cmp(&key(two)));
}

/// A map of pairs, later ones in place of earlier. A map's own `collect` sorts.
pub fn map<K: Ord, V>(pairs: impl Iterator<Item = (K, V)>) -> LiteMap<K, V> {
    let mut map = LiteMap::new();
    pairs.for_each(|(key, value)| drop(map.insert(key, value)));
    map
}

fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, two| compare(*one, *two));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_sorted_and_equal_ones_keep_their_order() {
        let mut words = vec!["bb", "a", "cc", "b", "aaa", ""];
        by_key(&mut words, |word| word.len());
        assert_eq!(words, ["", "a", "b", "bb", "cc", "aaa"]);
        let mut numbers: Vec<u32> = (0..500).map(|number| number * 7_919 % 500).collect();
        by(&mut numbers, |one, two| two.cmp(one));
        assert!(numbers.is_sorted_by(|one, two| one > two));
    }
}
