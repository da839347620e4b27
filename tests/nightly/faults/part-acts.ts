import { sql } from "drizzle-orm";
import { type Act, type Eyes, planOf } from "./river.ts";

/**
 * Administrators' acts on the parts of a farm's money: one asks for the farm, another checks. Releasing is in
 * bank-acts.ts.
 */

type Parted = { projectId: number };

/** The funded rounds of a farm, with their parts as a manager sees them. */
export async function readParts(eyes: Eyes) {
  const [farm] = await eyes.find<Parted>(
    sql`select r.project_id as "projectId" from project_rounds r where r.outcome = 'funded' order by random() limit 1`,
  );
  const rounds = farm && (await eyes.read(({ api }) => api.releaseParts.ofProject.query(farm)));
  return farm && rounds ? { ...farm, rounds } : undefined;
}

const onAsk = (
  kind: "check a part" | "refuse a part",
  weight: number,
  call: (askId: number) => ReturnType<typeof planOf>["call"],
): Act => ({
  kind,
  weight,
  async plan({ find, userId }) {
    const isIt = kind === "check a part" ? sql`verdict is null` : sql`verdict is distinct from 'refused'`;
    const [ask] = await find<{ id: number }>(
      sql`select id::int from release_asks where ${isIt} and asked_by <> ${userId} order by random() limit 1`,
    );
    return ask ? planOf(kind, ask.id, {}, call(ask.id)) : null;
  },
});

export const partActs: Act[] = [
  {
    kind: "ask for a part",
    weight: 6,
    async plan(eyes) {
      const farm = await readParts(eyes);
      const asked = farm?.rounds.flatMap(({ round, hasSteps, parts }) =>
        parts.flatMap(({ part, canBeAskedFor }) => (hasSteps && canBeAskedFor ? [{ round, part }] : [])),
      )[0];
      if (!farm || !asked) return null;
      const input = { projectId: farm.projectId, ...asked, note: "", fileIds: [] };
      return planOf("ask for a part", `${farm.projectId} ${asked.round} ${asked.part}`, {}, ({ api }) =>
        api.releaseParts.ask.mutate(input),
      );
    },
  },
  onAsk(
    "check a part",
    8,
    (askId) =>
      ({ api }) =>
        api.releaseParts.check.mutate({ askId }),
  ),
  onAsk(
    "refuse a part",
    2,
    (askId) =>
      ({ api }) =>
        api.releaseParts.refuse.mutate({ askId, refusal: "The receipt is of another farm." }),
  ),
];
