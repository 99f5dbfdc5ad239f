// SPDX-License-Identifier: GPL-2.0-or-later
// Calls that are inlined, of functions whose first statement is in the library's inlined functions alone. The functions count their calls.
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const ZERO: AtomicU64 = AtomicU64::new(0);
static COUNT: [AtomicU64; 5] = [ZERO; 5];

struct Held {
    x: i32,
}

impl Held {
    #[inline(always)]
    fn method(&self, a: i32, v: &mut [i32; 4]) -> i32 {
        COUNT[0].store(COUNT[0].load(Relaxed) + 1, Relaxed);
        if a % 3 == 1 {
            return a.wrapping_add(self.x);
        }
        for i in 0..(a & 3) {
            v[(i & 3) as usize] = v[(i & 3) as usize].wrapping_add(a.wrapping_mul(i));
        }
        a.wrapping_mul(3)
    }
}

#[inline]
fn generic<T: Into<i32> + Copy>(given: T, v: &mut [i32; 4]) -> i32 {
    COUNT[1].store(COUNT[1].load(Relaxed) + 1, Relaxed);
    let a: i32 = given.into();
    v[1] = v[1].wrapping_sub(1);
    if v[1] == 0 {
        println!("cold {} {}", a, v[1]);
        v[2] = a;
    }
    v[(a & 3) as usize].wrapping_add(a)
}

fn plain(a: i32, v: &mut [i32; 4]) -> i32 {
    COUNT[2].store(COUNT[2].load(Relaxed) + 1, Relaxed);
    match a & 7 {
        1 => v[1] = v[1].wrapping_add(1),
        2 => {
            black_box(a);
        }
        5 => v[3] = v[3].wrapping_sub(a),
        _ => v[2] ^= a,
    }
    if a & 1 != 0 {
        v[0] = v[0].wrapping_add(generic((a - 1) as i16, v));
    }
    a.wrapping_mul(3)
}

// Its own code begins in a loop.
fn looped<T: Into<i32> + Copy>(given: T, v: &mut [i32; 4]) -> i32 {
    COUNT[4].store(COUNT[4].load(Relaxed) + 1, Relaxed);
    let a: i32 = given.into();
    for i in 0..(a & 3) {
        v[(i & 3) as usize] = v[(i & 3) as usize].wrapping_add(a.wrapping_mul(i));
    }
    if a & 1 != 0 {
        v[0] = v[0].wrapping_add(Held { x: 1 }.method(a.wrapping_sub(1), v));
    }
    match a & 7 {
        1 => v[1] = v[1].wrapping_add(1),
        2 => {
            black_box(a);
        }
        5 => v[3] = v[3].wrapping_sub(a),
        _ => v[2] ^= a,
    }
    a.wrapping_mul(3)
}

fn main() {
    let argc = std::env::args().count() as i32;
    let mut v = [argc, 2, 3, 4];
    let mut sum = 0i32;
    let closure = |a: i32, v: &mut [i32; 4]| -> i32 {
        COUNT[3].store(COUNT[3].load(Relaxed) + 1, Relaxed);
        if a % 2 == 0 {
            return a.wrapping_add(1);
        }
        v[0] ^ a
    };

    for i in 0..5 {
        sum = sum.wrapping_add(Held { x: 1 }.method(i + argc, &mut v));
    }
    for i in 0..6 {
        sum = sum.wrapping_add(generic(i + argc, &mut v));
    }
    for i in 0..7 {
        sum = sum.wrapping_add(plain(i + argc, &mut v));
    }
    for i in 0..4 {
        sum = sum.wrapping_add(closure(i + argc, &mut v));
    }
    for i in 0..8 {
        sum = sum.wrapping_add(looped((i + argc) as i16, &mut v));
    }
    println!("looped {}", COUNT[4].load(Relaxed));
    println!("method {}", COUNT[0].load(Relaxed));
    println!("generic {}", COUNT[1].load(Relaxed));
    println!("plain {}", COUNT[2].load(Relaxed));
    println!("closure {}", COUNT[3].load(Relaxed));
    black_box(sum);
}
