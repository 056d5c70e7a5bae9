# SPDX-License-Identifier: Apache-2.0
# Usage: perl slowly.pl pipe|socket STDIN STDOUT STDERR COMMAND...
#
# Run the command with standard descriptors that are non-blocking on its side, give it the bytes of the
# file STDIN in pieces, write what it says to the files STDOUT and STDERR. Its exit status is ours.
use strict;
use warnings;
use Fcntl;
use Socket;

my ($kind, $input, $output, $errors, @command) = @ARGV;

sub pair {
	my ($read, $write);
	if ($kind eq 'pipe') { pipe($read, $write) or die $! }
	else { socketpair($write, $read, AF_UNIX, SOCK_STREAM, 0) or die $! }
	return ($read, $write);
}

sub make_nonblocking {
	my ($handle) = @_;
	fcntl($handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK) or die $!;
}

my ($in_read, $in_write) = pair();
my ($out_read, $out_write) = pair();
my ($err_read, $err_write) = pair();
make_nonblocking($_) for $in_read, $out_write, $err_write;
my $child = fork() // die $!;
if ($child == 0) {
	open(STDIN, '<&', $in_read) and open(STDOUT, '>&', $out_write) and open(STDERR, '>&', $err_write)
		or die $!;
	exec @command or die $!;
}
close($_) for $in_read, $out_write, $err_write;

open(my $file, '<', $input) or die $!;
while (sysread($file, my $piece, 1000)) {
	select(undef, undef, undef, 0.1);
	syswrite($in_write, $piece);
}
close($in_write);
select(undef, undef, undef, 0.2);
for ([$out_read, $output], [$err_read, $errors]) {
	open(my $target, '>', $_->[1]) or die $!;
	while (sysread($_->[0], my $piece, 100)) { syswrite($target, $piece) }
}
waitpid($child, 0);
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
