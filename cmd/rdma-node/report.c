/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was found, as a table for people or as JSON for programs.
 */
#include "report.h"

#include <errno.h>
#include <rdma-cni/base/json_build.h>

#include "options.h"

/* More of them would hide the line; JSON has all. */
#define SUBJECTS_SHOWN 4U

static const char *colour_of(enum check_state state)
{
	static const char *const colours[] = {
		[CHECK_SKIP] = "\033[2m",
		[CHECK_OK] = "\033[32m",
		[CHECK_WARN] = "\033[33m",
		[CHECK_FAIL] = "\033[31m",
	};

	return colours[state];
}

static void add_subjects(struct text *text, const struct names *subjects)
{
	for (size_t i = 0; i < subjects->count && i < SUBJECTS_SHOWN; i++) {
		text_add_string(text, i == 0 ? ": " : ", ");
		add_printable(text, subjects->items[i]);
	}
	if (subjects->count > SUBJECTS_SHOWN)
		text_print(text, " and %zu more", subjects->count - SUBJECTS_SHOWN);
}

static void print_finding(const char *id, const struct finding *finding, bool colours,
			  struct text *text)
{
	const char *state = check_state_name(finding->state);

	if (colours)
		text_print(text, "%s%-4s\033[0m", colour_of(finding->state), state);
	else
		text_print(text, "%-4s", state);
	text_print(text, "  %-13s ", id);
	add_printable(text, finding->text);
	add_subjects(text, &finding->subjects);
	text_add_string(text, "\n");
	if (!finding->remedy)
		return;
	text_print(text, "%-20s> ", "");
	add_printable(text, finding->remedy);
	text_add_string(text, "\n");
}

void report_print(const struct report *reports, size_t count, bool colours, struct text *ret)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < reports[i].findings.count; j++)
			print_finding(reports[i].check->id, &reports[i].findings.items[j], colours,
				      ret);
	}
}

static struct cJSON *finding_json(const struct finding *finding)
{
	struct cJSON *object = json_new_object();
	struct cJSON *subjects = json_new_array();
	bool ok = json_put_string(object, "state", check_state_name(finding->state));

	ok = json_put_string(object, "text", finding->text) && ok;
	for (size_t i = 0; i < finding->subjects.count; i++)
		ok = json_push_string(subjects, finding->subjects.items[i]) && ok;
	ok = json_put(object, "subjects", subjects) && ok;
	if (finding->remedy)
		ok = json_put_string(object, "remedy", finding->remedy) && ok;
	if (ok)
		return object;
	json_free(object);
	return NULL;
}

static struct cJSON *check_json(const struct report *report)
{
	struct cJSON *object = json_new_object();
	struct cJSON *findings = json_new_array();
	bool ok = json_put_string(object, "id", report->check->id);

	ok = json_put_string(object, "title", report->check->title) && ok;
	ok = json_put_string(object, "state",
			     check_state_name(findings_state(&report->findings))) &&
	     ok;
	for (size_t i = 0; i < report->findings.count; i++)
		ok = json_push(findings, finding_json(&report->findings.items[i])) && ok;
	ok = json_put(object, "findings", findings) && ok;
	if (ok)
		return object;
	json_free(object);
	return NULL;
}

int report_print_json(const struct report *reports, size_t count, const char *version,
		      enum check_state state, struct text *ret)
{
	struct cJSON cleanup_json *object = json_new_object();
	struct cJSON *list = json_new_array();
	bool ok = json_put_string(object, "version", version);

	ok = json_put_string(object, "state", check_state_name(state)) && ok;
	for (size_t i = 0; i < count; i++)
		ok = json_push(list, check_json(&reports[i])) && ok;
	ok = json_put(object, "checks", list) && ok;
	if (!ok || json_print(object, true, ret) < 0)
		return -ENOMEM;
	text_add_string(ret, "\n");
	return ret->failed ? -ENOMEM : 0;
}
