# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of --remote after sh.sh: machines that are network namespaces with an sshd each.
# shellcheck shell=sh

# own_namespaces ARGUMENT...: runs the test again with these arguments, in namespaces that end with it and with all that it started.
own_namespaces()
{
	exec unshare -m -n -p -f --mount-proc --kill-child sh "$0" "$@"
}

# Skips the test where it cannot make machines.
need_sshd()
{
	sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd) || { echo "sshd is not installed"; exit 77; }
	[ "$(id -u)" = 0 ] || { echo "only root can make network namespaces"; exit 77; }
}

# machines N: starts h1 to hN, and sets KTAP_SSH so that ktap reaches them. In own namespaces.
machines()
{
	mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd || fail "cannot mount /run"
	mkdir ssh.d && ssh-keygen -q -t ed25519 -N '' -f ssh.d/key || fail "cannot make a key"
	cat >ssh.d/sshd <<-END
		HostKey $PWD/ssh.d/key
		AuthorizedKeysFile $PWD/ssh.d/key.pub
		StrictModes no
		UsePAM no
		PidFile none
		# bash reads no .bashrc then.
		SetEnv SHLVL=2
	END
	{ ip link add machines type bridge && ip address add 10.97.0.1/24 dev machines && ip link set machines up; } || fail "no bridge"
	for i in $(seq "$1"); do
		address=10.97.0.$((i + 1))
		{ ip netns add "h$i" && ip link add "v$i" type veth peer name eth0 netns "h$i" && ip link set "v$i" master machines up &&
			ip -n "h$i" address add $address/24 dev eth0 && ip -n "h$i" link set eth0 up &&
			ip netns exec "h$i" "$sshd" -f "$PWD/ssh.d/sshd"; } || fail "cannot start h$i"
		printf 'Host h%s\n\tHostName %s\n' "$i" $address
	done >ssh.d/config
	cat >>ssh.d/config <<-END
		Host *
		User root
		IdentityFile $PWD/ssh.d/key
		UserKnownHostsFile /dev/null
		StrictHostKeyChecking no
		LogLevel ERROR
		# The default takes seconds where the processor is emulated.
		KexAlgorithms curve25519-sha256
	END
	export KTAP_SSH="ssh -F $PWD/ssh.d/config"
}

# The machine can no longer be reached, and does not say so.
unplug() { ip link set "v${1#h}" down; }
# The machine's processes die.
crash() { ip netns pids "$1" | xargs kill -KILL; }

# counts DIGITS: a number was printed for each machine with one of these digits, and the merged one is their sum.
counts()
{
	test "$(grep -c "^h[$1]: [0-9]*\$" out)" = ${#1} || fail "expected a count of ${#1} machines"
	total=$(sed -n 's/^h[0-9]: \([0-9]*\)$/\1/p' out | awk '{ sum += $1 } END { print sum }')
	test "$total" -gt ${#1} || fail "nothing is counted"
	printed "^sum=$total\$"
}

# run_machines ARGUMENT...: runs ktap with --merge on eight machines; the script prints "armed", and at the end a count that it also puts into
# the global sum. When all are armed h5 is unplugged and h6 crashes. That is said, the others go on until they are told to end, and the sum
# is that of their counts.
run_machines()
{
	: >out
	# shellcheck disable=SC2046
	"$KTAP" --merge $(seq -f '--remote=h%.0f' 8) "$@" >out 2>err </dev/null &
	pid=$!
	until test "$(grep -c '^h[1-8]: armed$' out)" = 8; do
		kill -0 $pid || fail "ended before all of eight machines were armed"
		sleep 0.1
	done
	unplug h5
	crash h6
	until grep -q 'error: h6: the connection was lost (exit status 255) \[run\]' err; do
		kill -0 $pid || fail "ended with h6"
		sleep 0.1
	done
	sleep 2
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	test "$status" = 1 || fail "exit status $status"
	said 'error: h5: the connection was lost (exit status 255) \[run\]'
	said 'error: 2 of 8 machines failed: h5, h6 \[run\]'
	counts 123478
}
