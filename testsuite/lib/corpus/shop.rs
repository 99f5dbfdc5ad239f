// SPDX-License-Identifier: GPL-2.0-or-later
// Enums with data in all encodings: a tag of its own, niches, a signed tag; called with values that the script knows.
#![no_std]
pub enum Shape { Empty, Dot(u32), Circle { x: i32, r: u64 }, Named(&'static str) }
pub enum Narrow { A(u8), B(i16) }
#[repr(i8)]
pub enum Signed { Low(u8) = -3, High(u8) = 7 }
#[inline(never)]
fn area(s: &Shape, o: Option<&u32>, m: Option<u32>, n: &Narrow, g: &Signed, t: &str, l: &[i16]) -> u64 {
    let a = match s { Shape::Empty => 0, Shape::Dot(n) => *n as u64, Shape::Circle { x, r } => (*x as u64).wrapping_mul(*r), Shape::Named(s) => s.len() as u64 };
    let b = match o { Some(v) => *v, None => 0 };
    let c = match m { Some(v) => v, None => 1 };
    let d = match n { Narrow::A(x) => *x as u64, Narrow::B(x) => *x as u64 };
    let e = match g { Signed::Low(x) => *x as u64, Signed::High(x) => *x as u64 };
    a ^ b as u64 ^ c as u64 ^ d ^ e ^ t.len() as u64 ^ l.len() as u64
}
static FIVE: u32 = 5;
#[no_mangle]
pub extern "C" fn run() -> u64 {
    area(&Shape::Empty, Some(&FIVE), None, &Narrow::A(4), &Signed::Low(1), "first", &[1, 2])
        ^ area(&Shape::Dot(42), None, Some(11), &Narrow::B(-500), &Signed::High(2), "second", &[3])
        ^ area(&Shape::Circle { x: -3, r: 9 }, Some(&FIVE), Some(12), &Narrow::A(6), &Signed::Low(3), "", &[])
        ^ area(&Shape::Named("carol"), None, None, &Narrow::B(7), &Signed::High(4), "last", &[-4, 5])
}
