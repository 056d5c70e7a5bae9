/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/nl: one netlink conversation, whatever comes back.
 */
#include "unit.h"

#include "netlink.h"
#include <rdma-cni/base/limits.h>
#include <rdma-cni/kernel/nl.h>
#include <string.h>

#define REQUEST 0x100
#define ANSWER 0x101

/* Conversation, request and what the callback saw; closed by every test's teardown. */
struct talk {
	struct nl nl;
	struct nl_request request;
	unsigned int seen;
	unsigned int restarts;
	int result; /* of the callback, from the second answer on */
};

static int setup(void **state)
{
	static struct talk talk;
	struct error err = { 0 };

	memset(&talk, 0, sizeof(talk));
	kernel_reset();
	want_success("open", nl_open(NETLINK_ROUTE, &talk.nl, &err), &err);
	*state = &talk;
	return 0;
}

static int teardown(void **state)
{
	struct talk *talk = *state;

	nl_end(&talk->nl);
	nl_end(&talk->nl);
	return kernel_open_sockets() == 0 ? 0 : -1;
}

static int count(const struct nlmsghdr *message, void *data)
{
	struct talk *talk = data;

	assert_int_equal(message->nlmsg_type, ANSWER);
	return ++talk->seen > 1 ? talk->result : 0;
}

static void restart(void *data)
{
	struct talk *talk = data;

	talk->seen = 0;
	talk->restarts++;
}

static int ask(struct talk *talk, uint16_t flags, struct error *err)
{
	(void)nl_prepare(&talk->request, REQUEST, flags);
	return nl_exchange(&talk->nl, &talk->request, count, talk, err);
}

static int dump(struct talk *talk, struct error *err)
{
	(void)nl_prepare(&talk->request, REQUEST, NLM_F_DUMP);
	return nl_exchange_dump(&talk->nl, &talk->request, count, restart, talk, err);
}

static void a_request_has_its_type_flags_and_a_new_number(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };
	uint32_t sequence;

	kernel_answers();
	kernel_acks();
	want_success("first", ask(talk, NLM_F_ACK, &err), &err);
	assert_int_equal(kernel_request()->nlmsg_type, REQUEST);
	assert_int_equal(kernel_request()->nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK);
	sequence = kernel_request()->nlmsg_seq;
	kernel_answers();
	kernel_acks();
	want_success("second", ask(talk, NLM_F_ACK, &err), &err);
	assert_int_not_equal(kernel_request()->nlmsg_seq, sequence);
	assert_int_equal(kernel_sockets(), 1);
}

static void without_ack_or_dump_the_first_answer_is_the_end(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	kernel_answers();
	(void)kernel_message(ANSWER, 0);
	kernel_answers();
	want_success("answer", ask(talk, 0, &err), &err);
	assert_int_equal(talk->seen, 1);
	assert_int_equal(kernel_packets_left(), 1);
}

static void answers_to_something_else_are_skipped(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	kernel_answers();
	kernel_stray(kernel_message(ANSWER, NLM_F_DUMP_INTR));
	kernel_stray(kernel_message(NLMSG_DONE, 0));
	(void)kernel_message(NLMSG_NOOP, 0);
	kernel_answers();
	(void)kernel_message(ANSWER, 0);
	want_success("answer", ask(talk, 0, &err), &err);
	assert_int_equal(talk->seen, 1);
}

/* Whoever has CAP_NET_ADMIN in the namespace may send to any socket there. */
static void what_a_process_sends_is_no_answer(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	kernel_answers();
	kernel_is(4711);
	kernel_acks();
	kernel_answers();
	kernel_refuses(EPERM, NULL);
	want_int("refused", ask(talk, NLM_F_ACK, &err), -EPERM);
	assert_int_equal(kernel_packets_left(), 0);
}

static void a_refusal_is_its_errno_with_the_kernels_words(void **state)
{
	static const struct {
		int errnum;
		const char *words;
		const char *msg;
	} rows[] = {
		{ EPERM, NULL, "Operation not permitted" },
		{ EINVAL, "device is busy", "Invalid argument (device is busy)" },
		{ EEXIST, "", "File exists" },
	};
	struct talk *talk = *state;

	for (size_t i = 0; i < array_size(rows); i++) {
		struct error err = { 0 };

		kernel_answers();
		kernel_refuses(rows[i].errnum, rows[i].words);
		want_int(rows[i].msg, ask(talk, NLM_F_ACK, &err), -rows[i].errnum);
		want_int(rows[i].msg, err.kind, ERROR_INTERNAL);
		want_contains(rows[i].msg, err.msg, rows[i].msg);
	}
}

static void the_kernels_words_are_found_behind_the_echoed_request(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };
	struct nlmsgerr *error;
	struct nlmsghdr *message;

	kernel_answers();
	message = kernel_message(NLMSG_ERROR, NLM_F_ACK_TLVS);
	error = mnl_nlmsg_put_extra_header(message, sizeof(*error));
	error->error = -EBUSY;
	error->msg.nlmsg_len = sizeof(error->msg) + 8;
	memset(mnl_nlmsg_put_extra_header(message, 8), 0xff, 8);
	mnl_attr_put_u32(message, NLMSGERR_ATTR_OFFS, 4);
	mnl_attr_put_strz(message, NLMSGERR_ATTR_MSG, "in use");
	assert_int_equal(ask(talk, NLM_F_ACK, &err), -EBUSY);
	want_contains("words", err.msg, "(in use)");
}

static void a_short_error_is_malformed(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	kernel_answers();
	(void)mnl_nlmsg_put_extra_header(kernel_message(NLMSG_ERROR, 0), 4);
	assert_int_equal(ask(talk, NLM_F_ACK, &err), -EBADMSG);
	assert_int_equal(err.kind, ERROR_INTERNAL);
}

/* The kernel's are from -1 to -4095 (include/linux/err.h). */
static void an_error_that_is_no_errno_is_malformed(void **state)
{
	static const int32_t errors[] = { 1, 5, INT32_MAX, -4096, -INT32_MAX, INT32_MIN };
	struct talk *talk = *state;

	for (size_t i = 0; i < array_size(errors); i++) {
		struct error err = { 0 };
		struct nlmsgerr *error;

		kernel_answers();
		error = mnl_nlmsg_put_extra_header(kernel_message(NLMSG_ERROR, 0), sizeof(*error));
		error->error = errors[i];
		assert_int_equal(ask(talk, NLM_F_ACK, &err), -EBADMSG);
		assert_int_equal(err.kind, ERROR_INTERNAL);
	}
}

static void an_echoed_length_behind_the_message_is_no_harm(void **state)
{
	static const uint32_t lengths[] = { 0, 1, 16, 17, 4096, 0x7fffffff, 0xffffffff };
	struct talk *talk = *state;

	for (size_t i = 0; i < array_size(lengths); i++) {
		struct error err = { 0 };
		struct nlmsgerr *error;
		struct nlmsghdr *message;

		kernel_answers();
		message = kernel_message(NLMSG_ERROR, NLM_F_ACK_TLVS);
		error = mnl_nlmsg_put_extra_header(message, sizeof(*error));
		error->error = -EBUSY;
		error->msg.nlmsg_len = lengths[i];
		assert_int_equal(ask(talk, NLM_F_ACK, &err), -EBUSY);
	}
}

/* What does not fit its packet is not read, and the conversation goes on with the next one. */
static void a_message_longer_than_its_packet_is_skipped(void **state)
{
	static const uint32_t lengths[] = { 17, 4096, INT32_MAX, 0x80000000, 0xfffffff0 };
	struct talk *talk = *state;

	for (size_t i = 0; i < array_size(lengths); i++) {
		struct error err = { 0 };

		kernel_answers();
		(void)kernel_message(ANSWER, 0);
		kernel_lies(lengths[i]);
		assert_int_equal(ask(talk, 0, &err), -ETIME);
		assert_int_equal(talk->seen, 0);
	}
}

static void a_dump_goes_over_packets_to_its_end(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	for (int i = 0; i < 3; i++) {
		kernel_answers();
		(void)kernel_message(ANSWER, NLM_F_MULTI);
		(void)kernel_message(ANSWER, NLM_F_MULTI);
	}
	kernel_answers();
	kernel_ends_dump(0);
	want_success("dump", dump(talk, &err), &err);
	assert_int_equal(talk->seen, 6);
	assert_int_equal(kernel_request()->nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
	assert_int_equal(kernel_packets_left(), 0);
}

static void the_error_that_ended_a_dump_is_told(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	kernel_answers();
	(void)kernel_message(ANSWER, NLM_F_MULTI);
	kernel_ends_dump(EMSGSIZE);
	assert_int_equal(dump(talk, &err), -EMSGSIZE);
	assert_int_equal(err.kind, ERROR_INTERNAL);
}

static void a_dump_left_early_does_not_disturb_the_next_request(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	talk->result = 1;
	kernel_answers();
	for (int i = 0; i < 4; i++)
		(void)kernel_message(ANSWER, NLM_F_MULTI);
	want_success("dump", dump(talk, &err), &err);
	assert_int_equal(talk->seen, 2);
	assert_int_equal(kernel_sockets(), 1);
	/* The rest would be read first: the next request has a socket of its own. */
	kernel_answers();
	kernel_acks();
	want_success("next", ask(talk, NLM_F_ACK, &err), &err);
	assert_int_equal(kernel_sockets(), 2);
	assert_int_equal(kernel_open_sockets(), 1);
}

static void an_answer_that_can_not_be_read_ends_the_talk(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	talk->result = -EBADMSG;
	kernel_answers();
	(void)kernel_message(ANSWER, NLM_F_MULTI);
	(void)kernel_message(ANSWER, NLM_F_MULTI);
	(void)kernel_message(ANSWER, NLM_F_MULTI);
	assert_int_equal(dump(talk, &err), -EBADMSG);
	assert_int_equal(err.kind, ERROR_INTERNAL);
	assert_int_equal(talk->seen, 2);
}

static void an_interrupted_dump_is_asked_for_anew(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	for (int i = 0; i < 3; i++) {
		kernel_answers();
		(void)kernel_message(ANSWER, NLM_F_MULTI | (i < 2 ? NLM_F_DUMP_INTR : 0));
		kernel_ends_dump(0);
	}
	want_success("dump", dump(talk, &err), &err);
	assert_int_equal(kernel_requests(), 3);
	assert_int_equal(talk->restarts, 2);
	assert_int_equal(talk->seen, 1);
}

static void a_dump_that_is_always_interrupted_gives_up(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	for (int i = 0; i < 40; i++) {
		kernel_answers();
		(void)kernel_message(NLMSG_DONE, NLM_F_DUMP_INTR);
	}
	assert_int_equal(dump(talk, &err), -EBUSY);
	assert_int_equal(err.kind, ERROR_BUSY);
	assert_int_equal(kernel_requests(), 1 + LIMIT_DUMP_RESTARTS);
}

static void a_packet_larger_than_the_buffer_is_asked_for_anew(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	for (int i = 0; i < 2; i++) {
		kernel_answers();
		(void)mnl_nlmsg_put_extra_header(kernel_message(ANSWER, NLM_F_MULTI), 30000);
		kernel_ends_dump(0);
	}
	want_success("dump", dump(talk, &err), &err);
	assert_int_equal(talk->seen, 1);
	assert_int_equal(kernel_requests(), 2);
	assert_int_equal(talk->restarts, 1);
}

static void a_packet_of_any_size_is_not_waited_for(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	for (int i = 0; i < 20; i++)
		kernel_fails_receive(ENOSPC);
	assert_int_equal(dump(talk, &err), -ENOSPC);
	assert_int_equal(err.kind, ERROR_INTERNAL);
	assert_true(talk->nl.buffer_size <= 4U << 20);
}

static void signals_do_not_end_a_talk_and_errors_do(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };

	kernel_fails_send(EINTR, 3);
	kernel_fails_receive(EINTR);
	kernel_fails_receive(EINTR);
	kernel_answers();
	kernel_acks();
	want_success("EINTR", ask(talk, NLM_F_ACK, &err), &err);
	kernel_fails_send(ENOBUFS, 1);
	assert_int_equal(ask(talk, NLM_F_ACK, &err), -ENOBUFS);
	kernel_fails_receive(ENOMEM);
	assert_int_equal(ask(talk, NLM_F_ACK, &err), -ENOMEM);
	assert_int_equal(err.kind, ERROR_INTERNAL);
	/* The answer that was not received may still come: the next request has a new socket. */
	err = (struct error){ 0 };
	kernel_answers();
	kernel_acks();
	want_success("after", ask(talk, NLM_F_ACK, &err), &err);
	assert_int_equal(kernel_sockets(), 2);
}

static void a_message_shorter_than_its_header_is_not_read(void **state)
{
	struct talk *talk = *state;
	struct error err = { 0 };
	struct nlmsghdr *last;

	kernel_answers();
	last = kernel_message(ANSWER, 0);
	last->nlmsg_len = 8;
	kernel_answers();
	(void)kernel_message(ANSWER, 0);
	want_success("short header", ask(talk, 0, &err), &err);
	assert_int_equal(talk->seen, 1);
}

static void a_socket_that_can_not_be_had_is_told(void **state)
{
	static const struct {
		int errnum;
		enum error_kind kind;
	} rows[] = {
		{ EPROTONOSUPPORT, ERROR_NO_RDMA },
		{ EMFILE, ERROR_INTERNAL },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct nl cleanup_nl nl = NL_CLOSED;
		struct error err = { 0 };

		kernel_reset();
		kernel_fails_open(rows[i].errnum);
		want_int("open", nl_open(NETLINK_RDMA, &nl, &err), -rows[i].errnum);
		want_int("kind", err.kind, rows[i].kind);
		assert_null(nl.buffer);
		assert_int_equal(kernel_open_sockets(), 0);
	}
}

static int collect_type(const struct nlattr *attribute, void *data)
{
	unsigned int *sum = data;
	const uint16_t type = mnl_attr_get_type(attribute);

	if (type == 9)
		return -EBADMSG;
	*sum = *sum * 10 + type;
	return 0;
}

static void attributes_are_walked_in_order_until_one_is_wrong(void **state)
{
	_Alignas(struct nlmsghdr) char bytes[256] = { 0 };
	struct nlmsghdr *message = mnl_nlmsg_put_header(bytes);
	struct nlattr *nest;
	unsigned int sum = 0;

	(void)state;
	(void)mnl_nlmsg_put_extra_header(message, 8);
	mnl_attr_put_u32(message, 1, 5);
	nest = mnl_attr_nest_start(message, 2);
	mnl_attr_put_u8(message, 3, 5);
	mnl_attr_put_strz(message, 4, "x");
	mnl_attr_nest_end(message, nest);
	assert_int_equal(nl_each_attribute(message, 8, collect_type, &sum), 0);
	assert_int_equal(sum, 12);
	sum = 0;
	assert_int_equal(nl_each_nested(nest, collect_type, &sum), 0);
	assert_int_equal(sum, 34);
	mnl_attr_put_u8(message, 9, 5);
	mnl_attr_put_u8(message, 5, 5);
	sum = 0;
	assert_int_equal(nl_each_attribute(message, 8, collect_type, &sum), -EBADMSG);
	assert_int_equal(sum, 12);
	assert_int_equal(nl_each_attribute(message, 250, collect_type, &sum), -EBADMSG);
}

#define talk_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		talk_test(a_request_has_its_type_flags_and_a_new_number),
		talk_test(without_ack_or_dump_the_first_answer_is_the_end),
		talk_test(answers_to_something_else_are_skipped),
		talk_test(what_a_process_sends_is_no_answer),
		talk_test(a_refusal_is_its_errno_with_the_kernels_words),
		talk_test(the_kernels_words_are_found_behind_the_echoed_request),
		talk_test(a_short_error_is_malformed),
		talk_test(an_error_that_is_no_errno_is_malformed),
		talk_test(an_echoed_length_behind_the_message_is_no_harm),
		talk_test(a_message_longer_than_its_packet_is_skipped),
		talk_test(a_dump_goes_over_packets_to_its_end),
		talk_test(the_error_that_ended_a_dump_is_told),
		talk_test(a_dump_left_early_does_not_disturb_the_next_request),
		talk_test(an_answer_that_can_not_be_read_ends_the_talk),
		talk_test(an_interrupted_dump_is_asked_for_anew),
		talk_test(a_dump_that_is_always_interrupted_gives_up),
		talk_test(a_packet_larger_than_the_buffer_is_asked_for_anew),
		talk_test(a_packet_of_any_size_is_not_waited_for),
		talk_test(signals_do_not_end_a_talk_and_errors_do),
		talk_test(a_message_shorter_than_its_header_is_not_read),
		cmocka_unit_test(a_socket_that_can_not_be_had_is_told),
		cmocka_unit_test(attributes_are_walked_in_order_until_one_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
