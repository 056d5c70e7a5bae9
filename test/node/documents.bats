# SPDX-License-Identifier: Apache-2.0
# rdma-node: --help, the manual page, the completion and the README tell the same.

load lib

TOP=$(realpath "$BATS_TEST_DIRNAME/../..")
PAGE=$TOP/cmd/rdma-node/rdma-node.8
COMPLETION=$TOP/cmd/rdma-node/rdma-node.bash-completion

# "  rdma-node NAME  what it does"
commands() { "$NODE" --help | sed -n 's/^  rdma-node \([a-z]*\) .*/\1/p'; }

# "  -d, --device DEVICE  what it does": "-d --device" of a command, or of none.
help_options() {
	# shellcheck disable=SC2086 # none is no argument
	"$NODE" $1 --help |
		sed -n 's/^  \(rdma-node \)\{0,1\}\(-[a-z]\), \(--[a-z-]*\)[][ =A-Z]* .*/\2 \3/p' | sort
}

# The same of ".It Fl d , -device Ar device" below ".Ss COMMAND", or above all of them.
page_options() {
	awk -v command="$1" '
		/^\.S[hs] / { section = $1 == ".Ss" ? $2 : "" }
		section == command && /^\.It Fl / { print "-" $3, "-" $5 }' "$PAGE" | sort
}

# completes LINE: what the completion answers at its end, a word a line, sorted. It runs in $WITHIN.
completes() {
	(
		cd "${WITHIN:-/}" || return
		# shellcheck source=/dev/null
		. "$COMPLETION"
		# shellcheck disable=SC2317 # only a completion that bash asked for may call the real one
		compopt() { :; }
		COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
		_rdma_node
		printf '%s\n' "${COMPREPLY[@]}" | sort
	)
}

# same WHAT ONE OTHER
same() {
	[ -z "$2" ] || [ "$2" != "$3" ] || return 0
	echo "$1:"
	diff <(echo "$2") <(echo "$3")
	return 1
}

@test "commands: help, page, completion" {
	same page "$(commands)" "$(sed -n '/^\.Sh COMMANDS/,/^\.Sh CHECKS/s/^\.Ss //p' "$PAGE")"
	same synopsis "$(commands)" \
		"$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESC/s/^\.Cm //p' "$PAGE" | uniq)"
	same completion "$(commands | sort)" "$(completes 'rdma-node ' | grep -v '^-')"
	same README "$(commands | sort)" \
		"$(sed -n 's|^build/bin/rdma-node \([a-z]*\) .*#.*|\1|p' "$TOP/README.md" | sort -u)"
}

@test "options of each command, and of none: help, page, completion" {
	local command
	for command in '' $(commands); do
		same "page, $command" "$(help_options "$command")" "$(page_options "$command")"
		same "completion, $command" "$(help_options "$command" | tr ' ' '\n' | sort)" \
			"$(completes "rdma-node $command${command:+ }-")"
	done
}

@test "options of each command: the synopsis of help and page" {
	local command
	for command in $(commands); do
		same "$command" \
			"$("$NODE" "$command" --help | sed '/^$/,$d' | grep -o -e '--[a-z-]*' | sort)" \
			"$(awk -v command="$command" '/^\.Sh / { inside = $2 == "SYNOPSIS" }
				inside && /^\.Cm / { current = $2 }
				inside && current == command' "$PAGE" | grep -o 'Fl -[a-z-]*' |
				sed 's/Fl /-/; /--help/d; /--version/d' | sort)"
	done
}

@test "options of each command: README" {
	local options
	options=$({ help_options check && help_options prepare; } | sort -u | grep -v -e --help)
	# shellcheck disable=SC2016 # those are quotes of Markdown
	same README "$options" "$(sed -n 's/^| `\(-[a-z]\)`, `\(--[a-z-]*\).*/\1 \2/p' \
		"$TOP/README.md" | sort)"
	same 'check and show' "$(help_options check)" "$(help_options show)"
}

@test "checks: help and page, in the same order" {
	same page "$("$NODE" check --help | sed '1,/^Checks:/d; s/^  \([a-z-]*\) .*/\1/')" \
		"$(sed -n '/^\.Sh CHECKS/,/^\.Sh JSON/s/^\.It Cm //p' "$PAGE")"
}

# keys DOCUMENT: every key in it.
keys() { jq -r '[paths | map(strings) | .[]] | unique | .[]' <<<"$1"; }

@test "keys of the JSON: what is printed is in the page and the README" {
	local key document
	connectx
	entry net-c1-net1 '{podUID: "1"}'
	rm "$ROOT/opt/cni/bin/multus"
	for command in check show; do
		node_command $command --json
		for key in $(keys "$output"); do
			grep -qE "^\.(Va|Pq Va) (.*[ ,])?$key( |$)" "$PAGE" || { echo "page: $key" && false; }
			grep -q "\`$key\`" "$TOP/README.md" || { echo "README: $key" && false; }
		done
	done
}

@test "completion: values of options, positions" {
	same mode $'exclusive\nshared' "$(completes 'rdma-node prepare --mode ')"
	same mode shared "$(completes 'rdma-node prepare -m s')"
	same option $'--rebind' "$(completes 'rdma-node prepare --vf-macs --re')"
	same command release "$(completes 'rdma-node r')"
	mkdir -p "$BATS_TEST_TMPDIR"/tree/{one,two}
	same root $'one\ntwo' "$(WITHIN=$BATS_TEST_TMPDIR/tree completes 'rdma-node show --root ')"
	same to $'one\ntwo' "$(WITHIN=$BATS_TEST_TMPDIR/tree completes 'rdma-node install --to ')"
	touch "$BATS_TEST_TMPDIR/tree/rdma"
	same from $'one\nrdma\ntwo' \
		"$(WITHIN=$BATS_TEST_TMPDIR/tree completes 'rdma-node install --from ')"
	[ -z "$(completes 'rdma-node nonsense ')" ]
	[[ $(completes 'rdma-node release --') != *$'\n'[0-9a-z]* ]]
}

@test "completion: an address is taken apart at its colons" {
	# shellcheck disable=SC2317 # the completion calls it
	_rdma_node_functions() { echo 0000:3b:00.2 0000:3b:00.3 0000:5e:00.1; }
	sed '/^_rdma_node_functions() {/,/^}/d' "$COMPLETION" >"$BATS_TEST_TMPDIR/completion"
	COMPLETION=$BATS_TEST_TMPDIR/completion
	COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
	same colons $'00.2\n00.3' "$(completes 'rdma-node check --device 0000:3b:0')"
	COMP_WORDBREAKS=$' \t\n'
	same whole $'0000:3b:00.2\n0000:3b:00.3' "$(completes 'rdma-node check -d 0000:3b:0')"
	[[ $(completes 'rdma-node release 0000:5') == *0000:5e:00.1* ]]
}

@test "completion: functions of this machine" {
	local path count=0
	for path in /sys/bus/pci/devices/*/{sriov_totalvfs,physfn}; do
		[ ! -e "$path" ] || { count=$((count + 1)) && path=${path%/*} && break; }
	done
	answer=$(completes 'rdma-node check -d ')
	[ "$count" = 0 ] || [[ $answer == *"${path##*/}"* ]]
	[ "$count" != 0 ] || [[ $answer != *:* ]]
}
