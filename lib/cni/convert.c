/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results from one family of CNI versions to another.
 *
 * The rules are those of the reference library (containernetworking/cni pkg/types/{020,040,100},
 * the convertTo functions); every value that stays is taken verbatim from the source.
 */
#include "convert.h"

#include <arpa/inet.h>
#include <rdma-cni/base/json_build.h>
#include <string.h>

static bool is_one_of(const struct json_item *item, const char *const names[])
{
	for (size_t i = 0; names[i]; i++) {
		if (json_item_is(item, names[i]))
			return true;
	}
	return false;
}

/* All members of `source` but those named. */
static bool put_others(struct cJSON *object, struct json_span source, const char *const names[])
{
	struct json_item item = { 0 };
	bool ok = true;

	while (ok && json_next_item(source, &item))
		ok = is_one_of(&item, names) || json_put_item(object, &item);
	return ok;
}

/* The member `from` of `source`, if it has one, as member `to`. */
static bool put_if_present(struct cJSON *object, const char *to, struct json_span source,
			   const char *from)
{
	const struct json_span value = json_find(source, from);

	return !value.start || json_put_span(object, to, value);
}

/*
 * '4', '6', or 0 for what is no address. An IPv4-mapped IPv6 address is an IPv4 one, as
 * Go's net.IP.To4 sees it.
 */
static char address_family(struct json_span address)
{
	struct cJSON *cleanup_json document = NULL;
	char text[INET6_ADDRSTRLEN + 1] = "";
	struct in6_addr ipv6;
	struct in_addr ipv4;
	struct error ignored;
	const char *string;
	size_t length;

	/* Any character may be written as an escape. */
	if (!address.start || json_parse(address.start, address.length, &document, &ignored) < 0)
		return 0;
	string = json_string(document);
	length = string ? strcspn(string, "/") : 0;
	if (length >= sizeof(text))
		return 0;
	if (string)
		memcpy(text, string, length);
	if (inet_pton(AF_INET, text, &ipv4) == 1)
		return '4';
	if (inet_pton(AF_INET6, text, &ipv6) != 1)
		return 0;
	return IN6_IS_ADDR_V4MAPPED(&ipv6) ? '4' : '6';
}

static bool put_version(struct cJSON *object, char family)
{
	return json_put_string(object, "version", family == '4' ? "4" : "6");
}

/* `ip4` or `ip6` of the oldest results -> an element of `ips`. */
static bool push_ip_config(struct cJSON *ips, const struct conversion *conversion,
			   const char *member, char family)
{
	const struct json_span config = json_find(conversion->source, member);
	const struct json_span address = json_find(config, "ip");
	struct cJSON *object;
	bool ok;

	if (!address.start)
		return true;
	object = json_new_object();
	ok = conversion->to == CNI_FAMILY_1_0 || put_version(object, family);
	ok = json_put_span(object, "address", address) && ok;
	ok = put_if_present(object, "gateway", config, "gateway") && ok;
	return json_push(ips, object) && ok;
}

/* An element of `ips` with the `version` that its new family wants, or none. */
static bool push_ip(struct cJSON *ips, const struct conversion *conversion, struct json_span ip)
{
	static const char *const version[] = { "version", NULL };
	struct cJSON *object = json_new_object();
	bool ok = true;

	if (conversion->to == CNI_FAMILY_0_3)
		ok = put_version(object, address_family(json_find(ip, "address")));
	ok = put_others(object, ip, version) && ok;
	return json_push(ips, object) && ok;
}

/* An array is left out when it is empty. */
static bool put_array(struct cJSON *object, const char *name, struct cJSON *array)
{
	if (array && !json_first(array)) {
		json_free(array);
		return true;
	}
	return json_put(object, name, array);
}

static bool put_ips(struct cJSON *object, const struct conversion *conversion)
{
	struct json_item item = { 0 };
	struct cJSON *ips = json_new_array();
	bool ok = true;

	if (conversion->from == CNI_FAMILY_IP4_IP6) {
		ok = push_ip_config(ips, conversion, "ip4", '4') &&
		     push_ip_config(ips, conversion, "ip6", '6');
	} else {
		const struct json_span source = json_find(conversion->source, "ips");

		while (ok && json_next_item(source, &item))
			ok = push_ip(ips, conversion, item.value);
	}
	return put_array(object, "ips", ips) && ok;
}

static bool push_all(struct cJSON *array, struct json_span source)
{
	struct json_item item = { 0 };
	bool ok = true;

	while (ok && json_next_item(source, &item))
		ok = json_push_span(array, item.value);
	return ok;
}

static bool put_routes(struct cJSON *object, const struct conversion *conversion)
{
	const struct json_span source = conversion->source;
	struct cJSON *routes = json_new_array();
	bool ok;

	if (conversion->from == CNI_FAMILY_IP4_IP6)
		ok = push_all(routes, json_find(json_find(source, "ip4"), "routes")) &&
		     push_all(routes, json_find(json_find(source, "ip6"), "routes"));
	else
		ok = push_all(routes, json_find(source, "routes"));
	return put_array(object, "routes", routes) && ok;
}

static bool put_interfaces(struct cJSON *object, const struct conversion *conversion)
{
	/* Known since 1.1.0 only. */
	static const char *const newer[] = { "mtu", "socketPath", "pciID", NULL };
	static const char *const none[] = { NULL };
	const char *const *left_out = conversion->to == CNI_FAMILY_0_3 ? newer : none;
	const struct json_span source = json_find(conversion->source, "interfaces");
	struct cJSON *interfaces = json_new_array();
	struct json_item item = { 0 };
	bool ok = true;

	while (ok && json_next_item(source, &item)) {
		struct cJSON *interface = json_new_object();

		ok = put_others(interface, item.value, left_out);
		ok = json_push(interfaces, interface) && ok;
	}
	return put_array(object, "interfaces", interfaces) && ok;
}

/* The family that an element of `ips` counts as on the way to the oldest results. */
static char ip_family(const struct conversion *conversion, struct json_span ip)
{
	const struct json_span version = json_find(ip, "version");
	const struct json_span address = json_find(ip, "address");

	if (!address.start || address.start[0] != '"')
		return 0;
	if (conversion->from == CNI_FAMILY_1_0)
		return address_family(address) == '4' ? '4' : '6';
	return version.length == 3 ? version.start[1] : 0;
}

/* Only the routes of this family, and of each only what the old form has. */
static bool put_old_routes(struct cJSON *object, const struct conversion *conversion, char family)
{
	const struct json_span source = json_find(conversion->source, "routes");
	struct cJSON *routes = json_new_array();
	struct json_item item = { 0 };
	bool ok = true;

	while (ok && json_next_item(source, &item)) {
		const struct json_span destination = json_find(item.value, "dst");
		struct cJSON *route;

		if (address_family(destination) != family)
			continue;
		route = json_new_object();
		ok = json_put_span(route, "dst", destination);
		ok = put_if_present(route, "gw", item.value, "gw") && ok;
		ok = json_push(routes, route) && ok;
	}
	return put_array(object, "routes", routes) && ok;
}

/* `ip4` or `ip6` from the first address of that family; *found when there is one. */
static bool put_ip_config(struct cJSON *object, const char *name,
			  const struct conversion *conversion, char family, bool *found)
{
	const struct json_span source = json_find(conversion->source, "ips");
	struct json_item item = { 0 };

	while (json_next_item(source, &item)) {
		const struct json_span address = json_find(item.value, "address");
		struct cJSON *config;
		bool ok;

		if (ip_family(conversion, item.value) != family)
			continue;
		config = json_new_object();
		ok = json_put_span(config, "ip", address);
		ok = put_if_present(config, "gateway", item.value, "gateway") && ok;
		ok = put_old_routes(config, conversion, family) && ok;
		*found = true;
		return json_put(object, name, config) && ok;
	}
	return true;
}

static bool is_empty(struct json_span container)
{
	struct json_item item = { 0 };

	return !json_next_item(container, &item);
}

/* The newest family leaves an empty `dns` out, the older ones always have one. */
static bool put_dns(struct cJSON *object, const struct conversion *conversion)
{
	const struct json_span dns = json_find(conversion->source, "dns");

	if (!is_empty(dns))
		return json_put_span(object, "dns", dns);
	return conversion->to == CNI_FAMILY_1_0 || json_put(object, "dns", json_new_object());
}

static bool is_null(struct json_span value)
{
	return !value.start || value.start[0] == 'n';
}

static bool is_object(struct json_span value)
{
	return value.start && value.start[0] == '{';
}

static bool is_list_of_objects(struct json_span value)
{
	struct json_item item = { 0 };

	if (is_null(value))
		return true;
	if (value.start[0] != '[')
		return false;
	while (json_next_item(value, &item)) {
		if (!is_object(item.value))
			return false;
	}
	return true;
}

/* What is taken apart below has to have parts; the rest is passed on as it is. */
static int check_shape(struct json_span source, struct error *err)
{
	static const char *const lists[] = { "interfaces", "ips", "routes" };
	static const char *const objects[] = { "dns", "ip4", "ip6" };

	for (size_t i = 0; i < array_size(lists); i++) {
		if (!is_list_of_objects(json_find(source, lists[i])))
			return error_set(err, ERROR_DECODE, 0,
					 "'%s' of 'prevResult' is no array of objects", lists[i]);
	}
	for (size_t i = 0; i < array_size(objects); i++) {
		const struct json_span value = json_find(source, objects[i]);

		if (!is_null(value) && !is_object(value))
			return error_set(err, ERROR_DECODE, 0, "'%s' of 'prevResult' is no object",
					 objects[i]);
		if (!is_list_of_objects(json_find(value, "routes")))
			return error_set(err, ERROR_DECODE, 0,
					 "'%s.routes' of 'prevResult' is no array of objects",
					 objects[i]);
	}
	return 0;
}

static bool put_addresses(struct cJSON *object, const struct conversion *conversion, bool *found)
{
	if (conversion->to == CNI_FAMILY_IP4_IP6)
		return put_ip_config(object, "ip4", conversion, '4', found) &&
		       put_ip_config(object, "ip6", conversion, '6', found);
	*found = true;
	return (conversion->from == CNI_FAMILY_IP4_IP6 || put_interfaces(object, conversion)) &&
	       put_ips(object, conversion) && put_routes(object, conversion);
}

int cni_convert(const struct conversion *conversion, struct text *ret, struct error *err)
{
	static const char *const known[] = { "cniVersion", "interfaces", "ips", "routes",
					     "dns",	   "ip4",	 "ip6", NULL };
	struct cJSON *cleanup_json object = json_new_object();
	bool found = false;
	const int r = check_shape(conversion->source, err);
	bool ok;

	if (r < 0)
		return r;
	ok = json_put_string(object, "cniVersion", conversion->version) &&
	     put_addresses(object, conversion, &found) && put_dns(object, conversion) &&
	     put_others(object, conversion->source, known);
	if (ok && !found)
		return error_set(err, ERROR_DECODE, 0,
				 "the previous result has no address, which a result of version %s "
				 "must have",
				 conversion->version);
	if (!ok || json_print(object, false, ret) < 0)
		return error_no_memory(err);
	return 0;
}
