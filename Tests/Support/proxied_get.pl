# perl proxied_get.pl URL COOKIE: one GET through the proxy of the environment; prints the status and then the body.
use strict;
use warnings;
use LWP::UserAgent;

my ($url, $cookie) = @ARGV;
my $answer = LWP::UserAgent->new(timeout => 20)->get($url, Cookie => $cookie);
print $answer->code, "\n", $answer->decoded_content, "\n";
