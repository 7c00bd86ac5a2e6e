"""Writes places.mmdb, with the Python package mmdb_writer 0.2.7.

Usage: make_places.py places.mmdb
"""
import sys

from mmdb_writer import MMDBWriter
from netaddr import IPSet


def place(country, city=None):
    entry = {"country": {"iso_code": country, "names": {"en": "Not read"}}}
    if city is not None:
        entry["city"] = {"names": {"de": "Not read", "en": city}}
    return entry


PLACES = {
    "127.0.0.0/8": place("NO", "Oslo"),
    "198.51.100.0/25": place("NO"),
    "198.51.100.128/25": {"city": {"names": {"en": "A town without a country"}}},
    "203.0.113.0/26": place("norway", "Bergen"),
    "203.0.113.64/26": place("NO", "L" * 81),
    "203.0.113.128/26": place("NO", "L" * 80),
    "203.0.113.192/26": place("NO", "Ber\u202egen"),
    "192.0.2.0/24": {"country": {"iso_code": 47}},
    "2001:db8::/32": place("IN", "Thiruvananthapuram"),
}

writer = MMDBWriter(ip_version=6, database_type="Test-City", ipv4_compatible=True)
for network, entry in PLACES.items():
    writer.insert_network(IPSet([network]), entry)
writer.to_db_file(sys.argv[1])
