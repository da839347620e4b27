/**
 * How calls travel between browser and server: as JSON in an envelope. JSON knows neither moments nor bigints, so
 * answers carry them as {"$date": "2026-11-21T09:00:00.000Z"} and {"$bigint": "125000000"}; no input holds either.
 */
export const wire = {
  input: { serialize: wrap, deserialize: unwrap },
  output: {
    serialize: (value: unknown) => wrap(tag(value)),
    deserialize: (envelope: unknown) => untag(unwrap(envelope)),
  },
};

function wrap(json: unknown) {
  return { json };
}

/** Anything but an envelope is no value at all, which validation refuses. */
function unwrap(envelope: unknown): unknown {
  return typeof envelope === "object" && envelope !== null && "json" in envelope ? envelope.json : undefined;
}

function tag(value: unknown): unknown {
  if (typeof value === "bigint") return { $bigint: value.toString() };
  if (value instanceof Date) return { $date: value.toISOString() };
  return mapParts(value, tag);
}

function untag(value: unknown): unknown {
  if (typeof value === "object" && value !== null) {
    if ("$bigint" in value && typeof value.$bigint === "string") return BigInt(value.$bigint);
    if ("$date" in value && typeof value.$date === "string") return new Date(value.$date);
  }
  return mapParts(value, untag);
}

function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, map(part)]));
}
