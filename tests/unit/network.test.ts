import { expect, test } from "vitest";
import { forwardedAddresses, networkOf } from "#server/platform/network.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002:ffff::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:0:0:9::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["198.51.100.1,203.0.113.7,  2001:db8::1", "198.51.100.1, 203.0.113.7, 2001:db8::1"],
  ["guess-17, 203.0.113.7", "203.0.113.7"],
  ["198.51.100.1, unknown, 203.0.113.7", "203.0.113.7"],
  ["203.0.113.7, unknown", undefined],
  ["203.0.113.7:4711", undefined],
  ["0x7f.1", undefined],
  ["", undefined],
])("of %j forwarded, %j is believed", (header, addresses) => {
  expect(forwardedAddresses(header)).toBe(addresses);
});
