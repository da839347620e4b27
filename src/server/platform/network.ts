import { isIP, isIPv6 } from "node:net";

/**
 * The key that identifies one caller: an IPv4 address, or the /64 network of an IPv6 subscriber.
 * An IPv4-mapped IPv6 address counts as the IPv4 address.
 */
export function networkOf(ipAddress: string): string {
  const [unzoned = ""] = ipAddress.split("%", 1);
  const address = unzoned.toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const groupsOf = (part: string) => part.split(":").filter((group) => group !== "");
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  // A trailing dotted quad stands for two groups.
  const written = first.length + last.length + (last.at(-1)?.includes(".") ? 1 : 0);
  const gap = tail === undefined ? [] : Array.from({ length: 8 - written }, () => "0");
  const groups = [...first, ...gap, ...last].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.join(":")}::/64`;
}

/**
 * The trustworthy end of an X-Forwarded-For header: the addresses after its last entry that is no address. Anybody may
 * have written the part before. Undefined if none is left.
 */
export function forwardedAddresses(header: string): string | undefined {
  const entries = header.split(",").map((entry) => entry.trim());
  const last = entries.findLastIndex((entry) => isIP(entry) === 0);
  return entries.slice(last + 1).join(", ") || undefined;
}
