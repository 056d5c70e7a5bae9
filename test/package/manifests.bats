# SPDX-License-Identifier: Apache-2.0
# scripts/deploy: what kubectl makes of it is valid, asks for no more than it needs, and is what the
# README shows. The schemas are Kubernetes' own, from Debian's source of kubectl, with unknown fields
# refused; crds.json beside this file has those fields of the custom resources that are used here.

load lib

DEPLOY=$TOP/scripts/deploy
KUBECTL=$TOP/build/kubernetes/usr/bin/kubectl

setup_file() {
	jq --slurpfile custom "$BATS_TEST_DIRNAME/crds.json" '
		def strict: if type != "object" then . else map_values(strict) |
			if (.properties | type) == "object" and (has("additionalProperties") | not) and .type == "object"
			then .additionalProperties = false else . end end;
		.definitions + $custom[0] | map_values(strict) |
		.["io.k8s.apimachinery.pkg.util.intstr.IntOrString"] = {type: ["integer", "string"]} |
		.["io.k8s.apimachinery.pkg.api.resource.Quantity"] = {type: ["number", "string"],
			pattern: "^[0-9.]+(m|[kMGT]i?|Ki)?$"}' \
		"$BATS_TEST_DIRNAME/../../build/kubernetes/swagger.json" >"$BATS_FILE_TMPDIR/definitions"
}

# objects FILE...: one a line, in JSON.
objects() { yq -c 'select(. != null)' "$@"; }

# validate: each object of standard input by the schema of its kind.
validate() {
	local object name count=0
	while read -r object; do
		name=$(jq -r --argjson object "$object" '$object as {$apiVersion, $kind} | to_entries[] |
			select(.value["x-kubernetes-group-version-kind"][]? | .kind == $kind and
			([.group, .version] - [""] | join("/")) == $apiVersion) | .key' "$BATS_FILE_TMPDIR/definitions")
		[ -n "$name" ] || { echo "no schema for $object" && return 1; }
		jq --arg name "$name" '{"$ref": "#/definitions/\($name)", definitions: .}' \
			"$BATS_FILE_TMPDIR/definitions" >"$BATS_TEST_TMPDIR/schema"
		echo "$object" >"$BATS_TEST_TMPDIR/object"
		/usr/bin/jsonschema -i "$BATS_TEST_TMPDIR/object" "$BATS_TEST_TMPDIR/schema" 2>&1 || return 1
		count=$((count + 1))
	done
	[ $count -gt 0 ]
}

build() { "$KUBECTL" kustomize "$DEPLOY/$1"; }
daemon_set() { build "$1" | objects | jq -c 'select(.kind == "DaemonSet")'; }

# example FILE QUERY
example() { objects "$DEPLOY/examples/$1" | jq -re "$2"; }

# in_readme LANGUAGE FILE: is this block, whole, in the README?
in_readme() {
	awk -v language="$1" -v wanted="$(sed '/^# SPDX-/d' "$2")" '
		/^```/ { if (inside && text == wanted "\n") found = 1
			inside = !inside && $0 == "```" language; text = ""; next }
		inside { text = text $0 "\n" }
		END { exit !found }' "$TOP/README.md" || fail "README.md does not show $2"
}

@test "the base and each overlay are valid" {
	local overlay
	for overlay in base overlays/labelled overlays/cni-dir; do
		build $overlay | objects | validate
	done
	[ "$(find "$DEPLOY" -name kustomization.yaml | wc -l)" = 3 ]
}

@test "the examples are valid" {
	local file
	for file in "$DEPLOY"/examples/*.yaml; do
		objects "$file" | validate
	done
}

@test "what is not valid is refused" {
	! objects "$DEPLOY/examples/test-pod.yaml" | jq -c '.spec.containers[0].privileged = true' | validate || false
	! daemon_set base | jq -c '.spec.template.spec.tolerations = "all"' | validate || false
	! objects "$DEPLOY/examples/sriov-network.yaml" | jq -c '.spec.metaPlugin = ""' | validate || false
	! echo '{"apiVersion": "v2", "kind": "Pod"}' | validate || false
}

@test "nobody is privileged, and nothing of the host but the plugin directory is there" {
	local overlay
	for overlay in base overlays/labelled overlays/cni-dir; do
		daemon_set $overlay | jq -e '.spec.template.spec | .automountServiceAccountToken == false and
			([.hostNetwork, .hostPID, .hostIPC] | all(not)) and
			.securityContext.seccompProfile.type == "RuntimeDefault" and
			(.volumes | length == 1 and (.[0].hostPath.type == "Directory")) and
			([.initContainers[], .containers[]] | length == 2 and all(
				(.securityContext | .privileged == false and .allowPrivilegeEscalation == false and
				.readOnlyRootFilesystem and .capabilities == {drop: ["ALL"]}) and
				.resources.requests.memory and .resources.limits.memory and
				([.volumeMounts[]?.name] - ["cni-bin"] == [])))'
	done
}

@test "the installer writes where its volume is" {
	daemon_set base | jq -e '.spec.template.spec.initContainers[0] |
		.command == ["/rdma-node", "install", "--to", .volumeMounts[0].mountPath]'
	[ "$(daemon_set base | jq -r '.spec.template.spec.volumes[0].hostPath.path')" = /opt/cni/bin ]
	[ "$(daemon_set overlays/cni-dir | jq -r '.spec.template.spec.volumes[0].hostPath.path')" = /usr/lib/cni ]
}

@test "the container that stays asks the plugin there, and may write nothing" {
	daemon_set base | jq -e '.spec.template.spec.containers | length == 1 and (.[0] |
		.volumeMounts == [{name: "cni-bin", mountPath: "/host/cni-bin", readOnly: true}] and
		.securityContext.runAsNonRoot and
		.command - .readinessProbe.exec.command == ["--stay=60"] and
		.command[:4] == ["/rdma-node", "status", "--in", "/host/cni-bin"])'
}

@test "all it is made of is the release's image" {
	daemon_set base | jq -e '.spec.template.spec | [.initContainers[], .containers[]] |
		map(.image) | unique | length == 1'
}

@test "it runs on nodes with SR-IOV, whatever their taints" {
	daemon_set base | jq -e '.spec.template.spec | .tolerations == [{operator: "Exists"}] and
		.nodeSelector["feature.node.kubernetes.io/network-sriov.capable"] == "true"'
	daemon_set overlays/labelled | jq -e '.spec.template.spec.nodeSelector |
		.["rdma-cni"] == "enabled" and (keys | length == 3)'
}

@test "the version of the image is the release's" {
	[ "$(daemon_set base | jq -r '.spec.template.spec.initContainers[0].image')" = \
		"registry.example.com/rdma-cni:$(sed -n 's/^project(.* VERSION \([0-9.]*\) .*/\1/p' "$TOP/CMakeLists.txt")" ]
}

@test "the examples name one resource and one network" {
	local resource network pool
	resource=$(example network-attachment-definition.yaml '.metadata.annotations["k8s.v1.cni.cncf.io/resourceName"]')
	network=$(example network-attachment-definition.yaml .metadata.name)
	pool=$(example device-plugin-config.yaml '.data["config.json"] | fromjson | .resourceList[0]')
	[ "$(jq -r '.resourcePrefix + "/" + .resourceName' <<<"$pool")" = "$resource" ]
	# Among the selectors: elsewhere the device plugin does not see it.
	jq -e '.selectors.isRdma == true and (has("isRdma") | not)' <<<"$pool"
	[ "$(example sriov-network.yaml .metadata.name)" = "$network" ]
	[ "$(example sriov-network.yaml .spec.resourceName)" = "$(jq -r .resourceName <<<"$pool")" ]
	[ "$(example test-pod.yaml '.metadata.annotations["k8s.v1.cni.cncf.io/networks"]')" = "$network" ]
	objects "$DEPLOY/examples/test-pod.yaml" | jq -e --arg resource "$resource" '.spec.containers[0] |
		.resources.limits[$resource] == 1 and .resources.requests[$resource] == 1 and
		.securityContext.capabilities.add == ["IPC_LOCK"] and (.securityContext.privileged | not)'
}

@test "rdma stands behind the plugin that moves the network device, and accepts its configuration" {
	local chain
	for chain in "$(example network-attachment-definition.yaml .spec.config)" \
		"$(<"$DEPLOY/examples/rdma-net.conflist")" \
		"$(example sriov-network.yaml '"{\"cniVersion\":\"1.0.0\",\"name\":\"n\",\"plugins\":[{\"type\":\"sriov\",\"ipam\":\(.spec.ipam)},\(.spec.metaPlugins)]}"')"; do
		jq -e '.plugins | map(.type) == ["sriov", "rdma"] or map(.type) == ["host-device", "rdma"]' <<<"$chain"
		# Nothing is attached: DEL has nothing to do.
		jq '. as {$name, $cniVersion} | .plugins[1] + {$name, $cniVersion, dataDir: "/nowhere"}' <<<"$chain" |
			env -i CNI_COMMAND=DEL CNI_CONTAINERID=c CNI_IFNAME=net1 CNI_PATH=/ "$TOP/build/bin/rdma"
	done
}

@test "the README shows these files" {
	local file shown=0
	for file in "$DEPLOY"/examples/*.yaml; do
		in_readme yaml "$file"
		shown=$((shown + 1))
	done
	[ "$(grep -c '^```yaml$' "$TOP/README.md")" = $shown ]
	in_readme json "$DEPLOY/examples/rdma-net.conflist"
}
