# SPDX-License-Identifier: Apache-2.0
# The configuration's keys (contract, section 3; requirements, sections 4 and 11).

load lib

# What each key can't be: KEY VALUE, a line each. A dot leads into an object.
impossible() {
	local key value
	for key in deviceID pciBusID runtimeConfig.deviceID runtimeConfig.CNIDeviceInfoFile logLevel logFile \
		dataDir rdmaDeviceName; do
		for value in 5 1.5 true false '[]' '{}' '["x"]'; do
			echo "$key $value"
		done
	done
	for key in runtimeConfig args args.cni; do
		for value in 5 true '"text"' '[]' '[1]'; do
			echo "$key $value"
		done
	done
	for value in 5 0 '"true"' '"yes"' '[]' '{}'; do
		echo "args.cni.debug $value"
	done
	for value in -1 61 1.5 1e3 -0.5 100000000000 '"3"' true '[]' '{}' '[3]'; do
		echo "waitSeconds $value"
	done
	for value in '"x"' '"warn"' '"DEBUG "' '"trace"' '"0"'; do
		echo "logLevel $value"
	done
	for value in '"state"' '"./state"' '"../state"' '"var/lib/cni/rdma"' '" /x"'; do
		echo "dataDir $value"
	done
	for value in '"a/b"' '"../x"' '"."' '".."' '"a b"' '"é"' '"{}"' '"{devic}"' '"{"' '"a}"' '"{DEVICE}"' \
		'"a\u0001"' "\"$(printf 'x%.0s' {1..64})\"" "\"{device}$(printf 'x%.0s' {1..63})\""; do
		echo "rdmaDeviceName $value"
	done
	for key in deviceID pciBusID runtimeConfig.deviceID; do
		for value in '"../../x"' '"/"' '"x"' '"mlx5_0"' '"0000:3b:02"' '"0000:3b:02.8"' '"000:3b:02.3"' \
			'"3b:02.3"' '"0000:3b:02.3/.."' '"0000:3b:02.3 "' '" 0000:3b:02.3"' '"0000:3g:02.3"' \
			'"mlx5_core.sf"' '"mlx5_core.sf."' '"mlx5_core.sf.-1"' '"mlx5_core.sf.4/x"' '".sf.4"' \
			'"mlx5_core..4"' '"../x.sf.4"' '"a.b.c.4"' '"0000:3b:02.3,0000:3b:02.4"' '"é"' \
			'"0000:3b:02.3\u0000"' "\"$(printf 'x%.0s' {1..64}).sf.4\"" \
			"\"$(printf '/%.0s' {1..4096})\""; do
			echo "$key $value"
		done
	done
}

# configure KEY VALUE [JSON]: a configuration with that and a bare minimum of others.
configure() {
	local key=$1 value=$2 more=${3-} others
	others="\"cniVersion\":\"1.1.0\",\"name\":\"net\",\"prevResult\":{\"interfaces\":[]}"
	[ "$key" = dataDir ] || others+=",\"dataDir\":\"$STATE\""
	# Where another key has to tell the device.
	[[ $key == *deviceID || $key == pciBusID ]] || others+=",\"deviceID\":\"$NO_DEVICE\""
	case $key in
	args.cni.*) value="{\"cni\":{\"${key##*.}\":$value}}" key=args ;;
	*.*) value="{\"${key#*.}\":$value}" key=${key%%.*} ;;
	esac
	CONF="{$others$more,\"$key\":$value}"
}

# The value as the message can have it: without escapes, as far as there is room.
readable() {
	local value=$1
	value=${value#\"} value=${value%\"}
	value=${value%%\\u*}
	echo "${value:0:64}"
}

@test "an impossible value is code 7 with key and value on ADD, CHECK, GC and STATUS" {
	commands=(ADD CHECK GC STATUS)
	turn=0
	while read -r key value; do
		configure "$key" "$value"
		# Each key on every command, each value on one of them.
		turn=$(((turn + 1) % 4))
		[ "$value" = 5 ] && on=("${commands[@]}") || on=("${commands[turn]}")
		for command in "${on[@]}"; do
			CASE="$command $key $value"
			cni "$command"
			fails_with 7
			[[ $msg == *"$key"* ]] || fail "the message lacks the key"
			[[ $msg == *"$(readable "$value")"* ]] || fail "the message lacks the value"
		done
	done < <(impossible)
}

@test "DEL forgives every impossible value" {
	# Without a usable dataDir it works on the usual one, which must not be this machine's.
	mkdir "$BATS_TEST_TMPDIR/lib"
	in_own_mounts "mount --bind '$BATS_TEST_TMPDIR/lib' /var/lib"
	while read -r key value; do
		configure "$key" "$value"
		CASE="DEL $key $value"
		cni DEL
		succeeds
	done < <(impossible)
	rmdir "$BATS_TEST_TMPDIR/lib"
}

@test "DEL goes on with the rest of a configuration that has an impossible value" {
	state_may_stay
	for key in deviceID logLevel waitSeconds args rdmaDeviceName pciBusID runtimeConfig; do
		CASE=$key
		entry net-c1-net1
		configure $key 5
		cni DEL
		succeeds
		[ -z "$(state)" ] || fail "the entry is still there"
	done
}

@test "a number that no reader can hold is told as it was written" {
	for value in 1e400 123456789012345678901234567890; do
		configure waitSeconds $value
		cni STATUS
		fails_with 7 waitSeconds $value
	done
}

@test "every possible value is accepted" {
	while read -r key value; do
		configure "$key" "$value"
		for command in ADD DEL CHECK GC STATUS; do
			CASE="$command $key $value"
			cni $command
			reaches_the_machine
		done
	done <<-EOT
		deviceID "0000:3b:02.3"
		deviceID "ABCD:EF:1f.7"
		deviceID "10000:01:00.2"
		deviceID "mlx5_core.sf.4"
		deviceID "ice.roce.0"
		pciBusID "0000:3b:02.3"
		runtimeConfig.deviceID "0000:3b:02.3"
		logLevel "error"
		logLevel "warning"
		logLevel "info"
		logLevel "debug"
		logLevel null
		logFile "$BATS_TEST_TMPDIR/rdma.log"
		logFile "$BATS_TEST_TMPDIR/gone/and/away"
		logFile "/"
		logFile null
		args null
		args {}
		args {"cni":null}
		args {"cni":{"debug":null,"ips":[1],"x":{"debug":5}},"other":5}
		args.cni.debug true
		args.cni.debug false
		runtimeConfig null
		runtimeConfig {}
		runtimeConfig {"deviceID":null,"mac":5,"ips":"x","io.kubernetes.cri.pod-annotations":{}}
		runtimeConfig.CNIDeviceInfoFile "/var/run/k8s.cni.cncf.io/devinfo/cni/x"
		dataDir "$STATE"
		dataDir "$STATE/a/../b/"
		rdmaDeviceName "pod_{pci}"
		rdmaDeviceName "{device}-{ifname}.{index}"
		rdmaDeviceName "$(printf 'x%.0s' {1..63})"
		rdmaDeviceName null
		waitSeconds 0
		waitSeconds 60
		waitSeconds 3.0
		waitSeconds 6e1
		waitSeconds null
	EOT
}

@test "keys that are not this plugin's are ignored, whatever they hold" {
	for more in '"capabilities":5' '"ipam":[]' '"dns":"x"' '"cniVersions":1' '"type":{}' \
		'"runtimeconfig":5' '"datadir":5' '"loglevel":5' '"":5' '"pcibusid":5' '"waitseconds":-1' \
		'"cni.dev/foo":5' '"disableGC":"x"' '"ingressBandwidth":{"a":[[[]]]}' '"\u0000":1' \
		'"name ":5' '"Args ":5' '"prevresult":5'; do
		configure logLevel '"info"' ",$more"
		for command in ADD DEL CHECK GC STATUS; do
			CASE="$command $more"
			cni $command
			reaches_the_machine
		done
	done
}

# The device that is used is the one that is complained of.
complains_of() { fails_with 7 "'$1'"; }

@test "the Go plugin's keys are known in any letter case, and an exact one wins" {
	for key in deviceID deviceId DEVICEID deviceid DeviceID; do
		CONF="{\"cniVersion\":\"1.1.0\",\"name\":\"n\",\"$key\":\"bad\"}"
		CASE=$key
		cni STATUS
		complains_of bad
	done
	for pair in '"deviceID":"bad","deviceid":"worse"' '"DEVICEID":"worse","deviceID":"bad"' \
		'"DEVICEID":"worse","deviceid":"bad"' '"deviceID":"worse","deviceID":"bad"'; do
		CONF="{\"cniVersion\":\"1.1.0\",\"name\":\"n\",$pair}"
		CASE=$pair
		cni STATUS
		complains_of bad
	done
	for args in '"ARGS":{"cni":{"debug":5}}' '"args":{"CNI":{"debug":5}}' '"Args":{"Cni":{"Debug":5}}' \
		'"args":{"cni":{"DEBUG":5}}' '"ARGS":5' '"args":{"CNI":5}'; do
		CONF="{\"cniVersion\":\"1.1.0\",\"name\":\"n\",$args}"
		CASE=$args
		cni STATUS
		fails_with 7 args 5
	done
	CONF='{"cniVersion":"1.1.0","name":"n","ARGS":5,"args":{"CNI":5,"cni":{"DEBUG":5,"debug":true}}}'
	cni STATUS
	reaches_the_machine
}

@test "the device is deviceID, else runtimeConfig.deviceID, else pciBusID" {
	local device='"deviceID":"bad1"' runtime='"runtimeConfig":{"deviceID":"bad2"}' old='"pciBusID":"bad3"'
	while read -r wanted keys; do
		CONF="{\"cniVersion\":\"1.1.0\",\"name\":\"n\",\"prevResult\":{},$keys}"
		for command in ADD CHECK GC STATUS; do
			CASE="$command $keys"
			cni $command
			complains_of "$wanted"
		done
	done <<-EOT
		bad1 $old,$runtime,$device
		bad1 $runtime,$device
		bad1 $old,$device
		bad2 $old,$runtime
		bad2 "deviceID":"",$runtime,$old
		bad2 "deviceID":null,$runtime,$old
		bad3 $old
		bad3 "runtimeConfig":{},$old
		bad3 "runtimeConfig":{"deviceID":""},$old
		bad3 "deviceID":"","runtimeConfig":{"deviceID":null},$old
	EOT
}

@test "without a device the previous result's interfaces tell it" {
	prefix="{\"cniVersion\":\"1.1.0\",\"name\":\"n\",\"dataDir\":\"$STATE\",\"prevResult\":{\"interfaces\":"
	while read -r interfaces; do
		CASE=$interfaces
		CONF="$prefix$interfaces}}"
		cni ADD
		reaches_the_machine
	done <<-EOT
		[{"name":"net1","sandbox":"/x","pciID":"$NO_DEVICE"}]
		[{"name":"eth7","sandbox":"/x","pciID":"$NO_DEVICE"}]
		[{"name":"eth7","sandbox":"/x","pciID":"0000:00:00.0"},{"name":"net1","sandbox":"/x","pciID":"$NO_DEVICE"}]
		[{"name":"eth7","sandbox":"/x","pciID":"$NO_DEVICE"},{"name":"eth8","sandbox":"/x","pciID":"$NO_DEVICE"}]
		[{"name":"net1","pciID":"0000:00:00.0"},{"name":"eth7","sandbox":"/x","pciID":"$NO_DEVICE"}]
		[{"name":"net1","sandbox":"/x"},{"name":"eth7","sandbox":"/x","pciID":"$NO_DEVICE"}]
		[{"name":"net1","sandbox":"/x","pciID":"mlx5_core.sf.4"}]
	EOT
}

@test "when it is none or several, ADD is code 7 and says what it looked at" {
	prefix="{\"cniVersion\":\"1.1.0\",\"name\":\"n\",\"dataDir\":\"$STATE\",\"prevResult\":{\"interfaces\":"
	while read -r interfaces; do
		CASE=$interfaces
		CONF="$prefix$interfaces}}"
		cni ADD
		fails_with 7 deviceID
		# All of the pod's interfaces, and no other.
		for name in eth7 eth8; do
			if [[ $interfaces == *"$name"* ]]; then
				[[ $error == *"$name"* ]] || fail "it lacks $name"
			fi
		done
		[[ $error != *host0* ]] || fail "the host's interfaces are none of the pod's"
	done <<-EOT
		[]
		null
		5
		{}
		[5,null,"x",[]]
		[{}]
		[{"name":"host0","pciID":"$NO_DEVICE"}]
		[{"name":"host0","sandbox":"","pciID":"$NO_DEVICE"}]
		[{"name":"eth7","sandbox":"/x"}]
		[{"name":"eth7","sandbox":"/x","pciID":""}]
		[{"name":"eth7","sandbox":"/x","pciID":5,"mac":5}]
		[{"name":"eth7","sandbox":"/x","pciID":"0000:00:00.1"},{"name":"eth8","sandbox":"/x","pciID":"0000:00:00.2"}]
		[{"name":"eth7","sandbox":"/x","mac":"00:00:00:00:00:00"},{"name":"eth8","sandbox":"/x"}]
		[{"name":"eth7","sandbox":"/x","mac":"02:00:5E:AA:bb:CC"}]
		[{"name":"eth7","sandbox":"/x","mac":"nonsense"}]
	EOT
	CONF="{\"cniVersion\":\"1.1.0\",\"name\":\"n\",\"dataDir\":\"$STATE\",\"prevResult\":{}}"
	cni ADD
	fails_with 7 deviceID
}

@test "a pciID that is no address of a device is code 7 with its value" {
	for id in ../../x / 0000:00:00 "$(printf 'x%.0s' {1..4096})"; do
		CASE=$id
		conf no=deviceID "prevResult={\"interfaces\":[{\"name\":\"net1\",\"sandbox\":\"/x\",\"pciID\":\"$id\"}]}"
		cni ADD
		fails_with 7 "${id:0:64}"
	done
}

@test "logLevel says how much is logged, and args.cni.debug is the level debug" {
	# DEL tells at level debug that nothing says which device it is.
	while read -r level keys; do
		CASE=$keys
		CONF="{\"cniVersion\":\"1.1.0\",\"name\":\"n\",\"dataDir\":\"$STATE\"$keys}"
		cni DEL
		succeeds
		if [ "$level" = debug ]; then
			[[ $log == *debug* ]] || fail "no debug line"
		else
			[[ $log != *debug* ]] || fail "debug lines"
		fi
	done <<-EOT
		info
		info ,"logLevel":"info"
		error ,"logLevel":"error"
		debug ,"logLevel":"debug"
		debug ,"args":{"cni":{"debug":true}}
		debug ,"logLevel":"error","args":{"cni":{"debug":true}}
		info ,"args":{"cni":{"debug":false}}
		debug ,"logLevel":"debug","args":{"cni":{"debug":false}}
	EOT
	CONF="{\"cniVersion\":\"1.1.0\",\"name\":\"n\",\"dataDir\":5,\"logLevel\":\"error\"}"
	cni DEL CNI_CONTAINERID=none-that-exists
	[ -z "$log" ] || [[ $log != *info* && $log != *debug* ]] || fail "more than errors"
}

@test "logFile gets what stderr gets, appended, for root's eyes only" {
	file=$BATS_TEST_TMPDIR/rdma.log
	conf "logFile=\"$file\""
	(
		umask 0
		cni ADD
		fails_with 4
		[ -n "$log" ]
		[ "$(cat "$file")" = "$log" ]
		cni ADD
		[ "$(wc -l <"$file")" = 2 ]
	)
	[ "$(stat -c %a "$file")" = 600 ]
}

@test "a logFile that can't be used costs nothing but a warning" {
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	echo keep >"$BATS_TEST_TMPDIR/target"
	ln -s target "$BATS_TEST_TMPDIR/link"
	for file in / /gone/x "$BATS_TEST_TMPDIR/fifo" "$BATS_TEST_TMPDIR/link" /dev/full \
		"/$(printf 'x%.0s' {1..4096})" "$BATS_TEST_TMPDIR/target/x"; do
		CASE=$file
		conf "logFile=\"$file\""
		cni DEL
		succeeds
		cni STATUS
		reaches_the_machine
	done
	[ "$(cat "$BATS_TEST_TMPDIR/target")" = keep ]
}
