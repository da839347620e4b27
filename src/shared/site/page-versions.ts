/** A version of one of the operator's texts, and when it is in force. */
export type PageVersion = { version: number; inForceFrom: Date };

export type PageVersionState = "in_force" | "coming" | "past" | "replaced";

/**
 * Returns each version's state at a moment, newest first. Of those whose moment has come the one with the largest
 * number is in force. One that a later version overtook before its moment never was: it is "replaced". `until` is when
 * the next one takes over, as far as it is known.
 */
export function readVersions<Version extends PageVersion>(
  versions: readonly Version[],
  now: Date,
): (Version & { state: PageVersionState; until: Date | null })[] {
  const newestFirst = [...versions].sort((one, other) => other.version - one.version);
  let until: Date | null = null;
  return newestFirst.map((version) => {
    const end = until;
    const { inForceFrom } = version;
    if (end === null || inForceFrom < end) until = inForceFrom;
    return { ...version, state: stateOf({ from: inForceFrom, until: end }, now), until: end };
  });
}

function stateOf({ from, until }: { from: Date; until: Date | null }, now: Date): PageVersionState {
  if (until !== null && from >= until) return "replaced";
  if (from > now) return "coming";
  return until !== null && until <= now ? "past" : "in_force";
}
