# SPDX-License-Identifier: Apache-2.0
# The environment: which variables, in which order, with which words (requirements, sections 3 and 4).

load lib

declare -gA REQUIRED=(
	[ADD]='CNI_CONTAINERID CNI_NETNS CNI_IFNAME CNI_PATH'
	[CHECK]='CNI_CONTAINERID CNI_NETNS CNI_IFNAME CNI_PATH'
	[DEL]='CNI_CONTAINERID CNI_IFNAME CNI_PATH'
	[GC]='CNI_PATH'
	[STATUS]='CNI_PATH'
)
declare -gA GOOD=([CNI_CONTAINERID]=c1 [CNI_NETNS]=/gone [CNI_IFNAME]=net1 [CNI_PATH]=/opt/cni/bin)

# with COMMAND SUBSET: the required variables but those whose bit is in the subset, which are unset or,
# for the negative of the subset, empty. Sets $missing.
with() {
	local command=$1 subset=$2 name bit=1 empty=false
	local variables=(CNI_COMMAND="$command")
	[ "$subset" -ge 0 ] || { empty=true && subset=$((-subset)); }
	missing=
	for name in ${REQUIRED[$command]}; do
		if ((subset & bit)); then
			missing+=${missing:+,}$name
			! $empty || variables+=("$name=")
		else
			variables+=("$name=${GOOD[$name]}")
		fi
		bit=$((bit * 2))
	done
	plugin "${variables[@]}"
}

@test "every set of missing variables is told in one message, in skel's order" {
	for command in "${!REQUIRED[@]}"; do
		read -ra names <<<"${REQUIRED[$command]}"
		for subset in $(seq 1 $(((1 << ${#names[@]}) - 1))); do
			for sign in '' -; do
				CASE="$command $sign$subset"
				with "$command" "$sign$subset"
				fails_with 4
				[ "$msg" = "required env variables [$missing] missing" ] || fail "message"
			done
		done
	done
}

@test "with its required variables alone every command is accepted" {
	for command in "${!REQUIRED[@]}"; do
		CASE=$command
		with "$command" 0
		reaches_the_machine
	done
}

@test "the environment is checked before stdin is read" {
	CONF='not JSON'
	for command in "${!REQUIRED[@]}"; do
		plugin CNI_COMMAND="$command"
		fails_with 4 CNI_PATH
		[ "$version" = 1.1.0 ]
	done
}

@test "GC and STATUS look at no variable of an attachment" {
	for command in GC STATUS; do
		for value in '' ../x $'a\nb'; do
			CASE="$command $value"
			plugin CNI_COMMAND=$command CNI_PATH=/x CNI_CONTAINERID="$value" \
				CNI_IFNAME="$value" CNI_NETNS="$value" CNI_ARGS="$value"
			reaches_the_machine
		done
	done
}

@test "DEL takes an unset and an empty CNI_NETNS" {
	plugin CNI_COMMAND=DEL CNI_CONTAINERID=c1 CNI_IFNAME=net1 CNI_PATH=/x
	succeeds
	plugin CNI_COMMAND=DEL CNI_CONTAINERID=c1 CNI_IFNAME=net1 CNI_PATH=/x CNI_NETNS=
	succeeds
}

@test "container IDs that the specification allows are accepted, however long" {
	for id in a 0 A-b_c.d a- a.. "$(printf 'f%.0s' {1..64})" "$(printf 'x%.0s' {1..4096})"; do
		CASE=$id
		cni DEL CNI_CONTAINERID="$id"
		succeeds
	done
}

@test "other container IDs are code 4 with the variable in the message and the value in details" {
	for command in ADD DEL CHECK; do
		for id in -a _a .a . .. ../x a/b /a 'a b' ' a' a: a, é aé "a'" 'a"b' 'a\b'; do
			CASE="$command $id"
			cni $command CNI_CONTAINERID="$id"
			fails_with 4 CNI_CONTAINERID
			[ "$details" = "$id" ] || fail "details must be the value"
		done
		for id in $'a\n' $'a\nb' $'\xff' $'a\x01'; do
			CASE="$command $id"
			cni $command CNI_CONTAINERID="$id"
			fails_with 4 CNI_CONTAINERID
		done
	done
}

@test "an interface name has up to 15 bytes, not characters" {
	for name in a net1 abcdefghijklmno ééééééé a.b ... -a a@b $'\xff\xfe' $'a\xe2\x80\x8b' \
		$'\xc2' $'\x01'; do
		CASE=$name
		cni DEL CNI_IFNAME="$name"
		succeeds
	done
	for name in abcdefghijklmnop éééééééé "$(printf 'x%.0s' {1..4096})"; do
		for command in ADD DEL CHECK; do
			CASE="$command $name"
			cni "$command" CNI_IFNAME="$name"
			fails_with 4 CNI_IFNAME
			[ "$details" = 'interface name should be less than 16 characters' ] || fail details
		done
	done
}

@test "an interface name has no slash, colon or white space of Unicode, and is no dot" {
	for name in a/b / ../x a:b : . ..; do
		for command in ADD DEL CHECK; do
			CASE="$command $name"
			cni "$command" CNI_IFNAME="$name"
			fails_with 4 CNI_IFNAME
		done
	done
	for space in 0009 000a 000b 000c 000d 0020 0085 00a0 1680 2000 2001 2002 2003 2004 2005 2006 \
		2007 2008 2009 200a 2028 2029 202f 205f 3000; do
		CASE=U+$space
		printf -v character "\\u$space"
		for name in "$character" "a$character" "${character}b" "a${character}b"; do
			cni DEL CNI_IFNAME="$name"
			fails_with 4 CNI_IFNAME
		done
	done
}

@test "an invalid variable is told before a missing one, the first invalid one first" {
	for command in ADD DEL CHECK; do
		plugin CNI_COMMAND=$command CNI_CONTAINERID=../x
		fails_with 4 'CNI_CONTAINERID' ../x
		[[ $msg != *missing* ]]
		plugin CNI_COMMAND=$command CNI_IFNAME=a/b
		fails_with 4 CNI_IFNAME
		[[ $msg != *missing* ]]
		plugin CNI_COMMAND=$command CNI_CONTAINERID=../x CNI_IFNAME=a/b
		fails_with 4 CNI_CONTAINERID
		[[ $msg != *CNI_IFNAME* ]]
	done
}

@test "a command is known in capitals only, and is looked at after the configuration's name" {
	for command in add Add DELETE 'ADD ' ADDX AD VERSION, $'ADD\n' é; do
		CASE=$command
		conf
		plugin CNI_COMMAND="$command"
		fails_with 4 "unknown CNI_COMMAND: ${command%$'\n'}"
		CONF='{'
		plugin CNI_COMMAND="$command"
		fails_with 6
		CONF='{"cniVersion":"1.1.0"}'
		plugin CNI_COMMAND="$command"
		fails_with 7 'missing network name'
		# Its version is nobody's business.
		CONF='{"cniVersion":"9.9.9","name":"n"}'
		plugin CNI_COMMAND="$command"
		fails_with 4 'unknown CNI_COMMAND'
		CONF='{"cniVersion":9,"name":"n"}'
		plugin CNI_COMMAND="$command"
		fails_with 4 'unknown CNI_COMMAND'
	done
}

@test "a command of many kilobytes is told as far as there is room" {
	plugin CNI_COMMAND="$(printf 'é%.0s' {1..20000})"
	fails_with 4 'unknown CNI_COMMAND: éé'
}

@test "ADD and CHECK name CNI_NETNS when it is no network namespace" {
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	for command in ADD CHECK; do
		for netns in /gone / /etc/passwd /proc/self/ns/mnt /dev/null "$BATS_TEST_TMPDIR/fifo" x \
			"$(printf '/x%.0s' {1..5000})"; do
			CASE="$command $netns"
			cni $command CNI_NETNS="$netns"
			fails_with 4
			[[ $msg == *CNI_NETNS* ]] || fail "the message must name it"
		done
	done
}

@test "ADD in the plugin's own namespace is code 8 before anything is looked for" {
	for netns in /proc/self/ns/net "/proc/$$/ns/net"; do
		cni ADD CNI_NETNS="$netns"
		fails_with 8 CNI_NETNS
		for override in '' 0 2 false yes 1x truely; do
			CASE=$override
			cni ADD CNI_NETNS="$netns" CNI_NETNS_OVERRIDE="$override"
			fails_with 8
		done
		for override in 1 true TRUE True tRuE; do
			CASE=$override
			cni ADD CNI_NETNS="$netns" CNI_NETNS_OVERRIDE="$override"
			reaches_the_machine
			[ "$code" -ge 100 ]
		done
	done
}

@test "CHECK, GC and STATUS do not mind the plugin's own namespace" {
	for command in CHECK GC STATUS; do
		CASE=$command
		cni $command CNI_NETNS=/proc/self/ns/net
		reaches_the_machine
	done
}

@test "DEL in the plugin's own namespace cleans up first and is code 8 then" {
	state_may_stay
	entry net-c1-net1
	cni DEL CNI_NETNS=/proc/self/ns/net
	fails_with 8 CNI_NETNS
	[ -z "$(state)" ]
	cni DEL CNI_NETNS=/proc/self/ns/net CNI_NETNS_OVERRIDE=true
	succeeds
}

@test "no CNI_ARGS make a command fail" {
	long=$(printf 'A=b;%.0s' {1..20000})
	for args in '' ';' ';;' = =b A A= 'A=b;' ';A=b' A=b=c 'A=b;A=c' 'K8S_POD_NAME=a;K8S_POD_NAME=b' \
		'IgnoreUnknown=maybe' 'IgnoreUnknown=0;FOO=1' 'Debug=true' $'K8S_POD_NAME=\xff\n' \
		'IgnoreUnknown=1;K8S_POD_NAMESPACE=n;K8S_POD_NAME=p;K8S_POD_INFRA_CONTAINER_ID=c;K8S_POD_UID=u;MAC=x;IP=y' \
		"K8S_POD_UID=$(printf 'x%.0s' {1..3000})" "$long"; do
		for command in ADD DEL CHECK GC STATUS; do
			CASE="$command $args"
			cni $command CNI_ARGS="$args"
			reaches_the_machine
		done
	done
}

@test "every line of the log tells the pod of CNI_ARGS, in one line" {
	for args in 'K8S_POD_NAMESPACE=ns1;K8S_POD_NAME=pod1;K8S_POD_UID=u-1' \
		'A=1;;K8S_POD_UID=u-1;K8S_POD_NAME=x;K8S_POD_NAME=pod1;K8S_POD_NAMESPACE=ns1;B'; do
		cni ADD CNI_ARGS="$args"
		fails_with 4
		[ -n "$log" ]
		while read -r line; do
			[[ $line == *ns1* && $line == *pod1* && $line == *u-1* && $line == *c1* ]] || fail log
		done <<<"$log"
	done
	cni ADD CNI_ARGS=$'K8S_POD_NAME=a\nforged line\x1b[31m;K8S_POD_NAMESPACE=n\r'
	[ "$(wc -l <"$LOG")" = 1 ]
	[[ $log != *$'\x1b'* && $log != *$'\r'* ]]
}

@test "other variables of the environment change nothing" {
	cni DEL LD_PRELOAD=/nowhere HOME=/nowhere TMPDIR=/nowhere LANG=xx_YY POSIXLY_CORRECT=1 \
		CNI_FOO=1 TZ=:/etc/passwd
	succeeds
}
