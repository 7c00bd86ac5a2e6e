#!/usr/bin/perl
# An SMPP 3.4 gateway on loopback. Net::SMPP reads and writes every unit.
#
#     smpp_gateway.pl PORT SYSTEM_ID PASSWORD
#
# Prints each received unit as a line of JSON. On standard input, a line `report ID STATE` sends a
# receipt, `ask` sends an enquiry, and `drop` ends the connection.
use strict;
use warnings;
use IO::Select;
use JSON::PP;
use Net::SMPP;

my ($port, $system_id, $password) = @ARGV;
my %names = (
  0x04 => 'submit_sm', 0x06 => 'unbind', 0x09 => 'bind_transceiver', 0x15 => 'enquire_link',
  0x80000005 => 'deliver_sm_resp', 0x80000015 => 'enquire_link_resp',
);
my $json = JSON::PP->new->canonical->latin1;
my $messages = 0;
$| = 1;
$SIG{PIPE} = 'IGNORE';

sub print_unit {
  my ($unit) = @_;
  my %members = (unit => $names{$unit->{cmd}} // sprintf('%08x', $unit->{cmd}));
  for my $name (qw(status system_id password source_addr source_addr_ton destination_addr
      dest_addr_ton registered_delivery data_coding esm_class validity_period short_message
      message_payload)) {
    $members{$name} = $unit->{$name} if defined $unit->{$name};
  }
  print $json->encode(\%members), "\n";
}

sub answer {
  my ($peer, $unit) = @_;
  if ($unit->{cmd} == 0x09) {
    my $is_right = $unit->{system_id} eq $system_id && $unit->{password} eq $password;
    # ESME_RINVPASWD
    my $status = $is_right ? 0 : 0x0E;
    $peer->bind_transceiver_resp(
      system_id => 'netsmpp', seq => $unit->{seq}, status => $status);
  } elsif ($unit->{cmd} == 0x04) {
    $messages += 1;
    $peer->submit_sm_resp(message_id => sprintf('%08x', $messages), seq => $unit->{seq});
  } elsif ($unit->{cmd} == 0x15) {
    $peer->enquire_link_resp(seq => $unit->{seq});
  } elsif ($unit->{cmd} == 0x06) {
    $peer->unbind_resp(seq => $unit->{seq});
  }
}

sub report {
  my ($peer, $id, $state) = @_;
  my $delivered = $state eq 'DELIVRD' ? '001' : '000';
  $peer->deliver_sm(
    source_addr => '4790000001', source_addr_ton => 1, source_addr_npi => 1,
    destination_addr => 'Fieldpass', dest_addr_ton => 5, esm_class => 4,
    short_message => "id:$id sub:001 dlvrd:$delivered submit date:2611211200 "
      . "done date:2611211201 stat:$state err:000 text:");
}

my $server = Net::SMPP->new_listen(
  '127.0.0.1', port => $port, smpp_version => 0x34, interface_version => 0x34, async => 1)
  or die "cannot listen: $!";
print "{\"unit\":\"listening\"}\n";

while (1) {
  my $peer = $server->accept or next;
  my $watched = IO::Select->new($peer, \*STDIN);
  CONNECTION: while (1) {
    for my $ready ($watched->can_read) {
      if ($ready == \*STDIN) {
        exit 0 unless sysread(STDIN, my $line, 4096);
        for my $command (split /\n/, $line) {
          my ($verb, @words) = split ' ', $command;
          report($peer, @words) if $verb eq 'report';
          $peer->enquire_link if $verb eq 'ask';
          last CONNECTION if $verb eq 'drop';
        }
      } else {
        my $unit = $peer->read_pdu;
        last CONNECTION unless defined $unit;
        print_unit($unit);
        answer($peer, $unit);
      }
    }
  }
  print "{\"unit\":\"disconnected\"}\n";
  close $peer;
}
