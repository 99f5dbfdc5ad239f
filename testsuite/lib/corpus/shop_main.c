/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs shop.rs. */
unsigned long run(void);

int main(void)
{
	return run() == 0;
}
