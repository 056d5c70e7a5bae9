# SPDX-License-Identifier: Apache-2.0
# The previous result: what of it fails an ADD or a CHECK before any device is looked for (contract,
# section 2; requirements, sections 6 and 7). What ADD prints needs a device: see test/vm.

load lib

# The plugin's own namespace is refused after the result was built: code 8 is "accepted".
add() { cni ADD CNI_NETNS=/proc/self/ns/net; }

@test "ADD and CHECK without a previous result are code 7" {
	for v in 0.1.0 0.3.1 0.4.0 1.0.0 1.1.0; do
		for change in no=prevResult prevResult=null; do
			CASE="$v $change"
			conf version=$v $change
			add
			fails_with 7 prevResult
			[[ $v < 0.4.0 ]] && continue
			cni CHECK
			fails_with 7 prevResult
		done
	done
}

@test "a previous result that is no object is code 6" {
	for value in 5 true '"x"' '[]' '[{}]' '""'; do
		CASE=$value
		conf "prevResult=$value"
		add
		fails_with 6 prevResult
		cni CHECK
		fails_with 6 prevResult
	done
}

@test "it is looked at before the namespace and the machine" {
	conf no=prevResult
	for netns in /gone /proc/self/ns/net /etc/passwd; do
		cni ADD CNI_NETNS=$netns
		fails_with 7
		cni CHECK CNI_NETNS=$netns
		fails_with 7
	done
}

@test "a previous result without a version, or with an empty one, has the configuration's" {
	for v in "${VERSIONS[@]}"; do
		for result in '{}' '{"cniVersion":""}' '{"cniVersion":null}' "{\"cniVersion\":\"$v\"}"; do
			CASE="$v $result"
			conf version="$v" "prevResult=$result"
			add
			fails_with 8
		done
	done
}

@test "one of an unknown version is code 6 with the supported ones, one of another type code 6" {
	for from in 9.0.0 1.2.0 1.0 abc ' 1.1.0' 01.1.0; do
		for v in 0.1.0 0.4.0 1.1.0; do
			CASE="$from in $v"
			conf version=$v "prevResult={\"cniVersion\":\"$from\",\"ips\":[]}"
			add
			fails_with 6 prevResult "$from" "${VERSIONS[@]}"
		done
	done
	for value in 5 true '[]' '{}'; do
		CASE=$value
		conf "prevResult={\"cniVersion\":$value}"
		add
		fails_with 6 prevResult cniVersion
	done
}

# A result of each family, with all that can be converted.
result_of() {
	local ips='[{"version":"4","address":"10.1.2.3/24","gateway":"10.1.2.1","interface":0},{"version":"6","address":"fd00::5/64"}]'
	case $1 in
	0.[12].0) echo '{"cniVersion":"'"$1"'","ip4":{"ip":"10.1.2.3/24","gateway":"10.1.2.1","routes":[{"dst":"0.0.0.0/0"}]},"ip6":{"ip":"fd00::5/64"},"dns":{}}' ;;
	*) echo '{"cniVersion":"'"$1"'","interfaces":[{"name":"net1","mtu":1500}],"ips":'"$ips"',"routes":[{"dst":"::/0","mtu":9000}]}' ;;
	esac
}

@test "one of every version is accepted by every version" {
	for from in "${VERSIONS[@]}"; do
		for to in "${VERSIONS[@]}"; do
			CASE="$from in $to"
			conf version="$to" "prevResult=$(result_of "$from")"
			add
			fails_with 8
			[ "$version" = "$to" ]
		done
	done
}

@test "one without an address can't become one of 0.1.0 or 0.2.0: code 6" {
	while read -r from result; do
		for to in 0.1.0 0.2.0; do
			CASE="$from in $to: $result"
			conf version=$to "prevResult=$(jq -c ".cniVersion = \"$from\"" <<<"$result")"
			add
			fails_with 6 address "$to"
		done
	done <<-EOT
		0.3.0 {}
		0.3.1 {"ips":[]}
		0.4.0 {"ips":[{"address":"10.1.2.3/24"}]}
		0.4.0 {"ips":[{"version":"5","address":"10.1.2.3/24"}]}
		0.4.0 {"ips":[{"version":"4"}]}
		1.0.0 {}
		1.1.0 {"ips":[]}
		1.1.0 {"interfaces":[{"name":"net1"}],"routes":[{"dst":"0.0.0.0/0"}]}
	EOT
	# With one it can, and from the same family nothing is asked.
	conf version=0.2.0 'prevResult={"cniVersion":"0.4.0","ips":[{"version":"6","address":"fd00::1/64"}]}'
	add
	fails_with 8
	conf version=0.2.0 'prevResult={"cniVersion":"0.1.0"}'
	add
	fails_with 8
}

@test "what a result of the same family holds besides is nobody's business" {
	while read -r result; do
		CASE=$result
		conf "prevResult=$result"
		add
		fails_with 8
	done <<-'EOT'
		{}
		{"cniVersion":"1.0.0","ips":5,"routes":"x","dns":[],"interfaces":{}}
		{"ips":[null,{"address":"nonsense","interface":18446744073709551615}]}
		{"routes":[{"table":4294967295,"priority":0,"scope":0}],"x":{"y":[1e400,-0]}}
		{"interfaces":[{"name":5,"mac":"AA:bb"},null]}
		{"ip4":{"ip":"1.2.3.4/5"}}
		{"cniVersion":"1.1.0","cniVersion":"1.0.0"}
		{"cniVersi\u006fn":"1.0.0"}
	EOT
}

@test "one of another family whose parts are not what they must be is code 6" {
	while read -r member value; do
		CASE="$member $value"
		for pair in '0.2.0 1.0.0' '0.4.0 0.1.0' '1.1.0 0.3.1' '0.3.0 1.1.0'; do
			read -r from to <<<"$pair"
			conf version="$to" "prevResult={\"cniVersion\":\"$from\",\"$member\":$value}"
			add
			fails_with 6 prevResult "$member"
		done
	done <<-'EOT'
		ips 5
		ips {}
		ips "x"
		ips [5]
		ips [[5]]
		ips {"ip":"x","routes":[5]}
		interfaces {}
		interfaces [null]
		routes true
		routes ["0.0.0.0/0"]
		dns []
		dns "10.0.0.1"
		ip4 []
		ip6 5
		ip4 {"routes":5}
		ip4 {"routes":[5]}
	EOT
}

@test "malformed results of another family end in code 6 or 8, never otherwise" {
	for pair in '0.2.0 1.0.0' '0.4.0 0.1.0' '1.1.0 0.3.1'; do
		read -r from to <<<"$pair"
		for member in ips interfaces routes dns ip4 ip6; do
			for value in 5 null '"x"' '[]' '{}' '[null]' '[5]' '[[]]' '[{}]' '[{"address":5}]' \
				'[{"address":"","version":4}]' '{"ip":5,"routes":5}' '{"ip":"x","routes":[5]}'; do
				CONF="{\"cniVersion\":\"$to\",\"name\":\"n\",\"deviceID\":\"$NO_DEVICE\",\"dataDir\":\"$STATE\",\"prevResult\":{\"cniVersion\":\"$from\",\"$member\":$value}}"
				add
				[ "$status" = 1 ] || fail "exit status"
				read_error
				[ "$code" = 6 ] || [ "$code" = 8 ] || fail "code $code"
			done
		done
	done
}
