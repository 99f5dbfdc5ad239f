// SPDX-License-Identifier: GPL-2.0-or-later
// Inlined functions in loops that rustc unrolls, and their counts: stored() has all its stores before what it computes, and chosen() is without
// jumps.
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static STORED: AtomicU64 = AtomicU64::new(0);
static CHOSEN: AtomicU64 = AtomicU64::new(0);

struct Held {
    x: i32,
}

impl Held {
    #[inline]
    fn before(&self, a: i32) -> i32 {
        let a = a ^ self.x;
        a.wrapping_mul(3)
    }

    #[inline(always)]
    fn stored(&self, a: i32) -> i32 {
        STORED.store(STORED.load(Relaxed) + 1, Relaxed);
        let a = a ^ self.x;
        if a % 2 == 0 {
            return a.wrapping_add(7);
        }
        a.wrapping_mul(3)
    }
}

fn cold(a: i32, v: &mut [i32; 4]) -> i32 {
    v[2] = v[2].wrapping_sub(1);
    if v[2] == 1 {
        println!("cold {} {}", a, v[1]);
        v[2] = a;
    }
    a.wrapping_mul(3)
}

fn rarely(a: i32, v: &mut [i32; 4]) -> i32 {
    if a % 5 == 1 {
        return a.wrapping_add(3);
    }
    v[(a & 3) as usize].wrapping_add(a)
}

#[inline(never)]
fn called(a: i32) -> i32 {
    a.wrapping_mul(3)
}

fn chosen(a: i32) -> i32 {
    CHOSEN.store(CHOSEN.load(Relaxed) + 1, Relaxed);
    if a % 3 == 1 {
        return a.wrapping_add(4);
    }
    a.wrapping_mul(3)
}

#[inline(never)]
fn tell() {
    println!("stored {}", STORED.load(Relaxed));
    println!("chosen {}", CHOSEN.load(Relaxed));
}

fn main() {
    let argc = std::env::args().count() as i32;
    let mut v = [argc, 2, 3, 4];
    let mut sum = 0i32;
    for i in 0..4 {
        sum = sum.wrapping_add(cold(i + argc, &mut v));
    }
    for i in 0..7 {
        sum = sum.wrapping_add(Held { x: 1 }.before(i + argc));
    }
    for i in 0..8 {
        sum = sum.wrapping_add(Held { x: 1 }.stored(i + argc));
    }
    black_box(sum);
    sum = 0;
    for i in 0..3 {
        sum = sum.wrapping_add(rarely(i + argc, &mut v));
    }
    for i in 0..7 {
        sum = sum.wrapping_add(called(i + argc));
    }
    for i in 0..3 {
        sum = sum.wrapping_add(chosen(i + argc));
    }
    black_box(sum);
    tell();
}
