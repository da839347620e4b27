import { writeHeads } from "#server/books/heads.ts";
import { closeMonth } from "#server/features/books/service.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { seen } from "#tests/support/money.ts";
import { isDone, openPairs, type Pair, playPairs, type Write } from "#tests/support/pairs.ts";
import { createProject } from "#tests/support/projects.ts";
import { addPending, type Member, type Scene, sellInLots } from "#tests/support/race-scene.ts";

/** As interleavings.test.ts, for what meets at the ledger: who posts, who closes a month, and the job that writes heads. */

const deps = await openPairs();
/** Right before the month ends, and as soon as it can be closed. */
const lastMoment = new Date("2026-11-30T22:59:59.900Z");
const closable = new Date("2026-11-30T23:10:00Z");

/** A payment is approved by somebody who began while it was November. */
async function approving(scene: Scene, by: Member, backer: Member): Promise<Write> {
  const approval = { ...(await seen(deps.db, await addPending(scene, backer))), status: "approved" as const };
  return { by, run: (ctx) => setPaymentStatus({ ...ctx, clock: { now: () => lastMoment } }, approval) };
}
const closing = (by: Member): Write => ({
  by,
  run: (ctx) => closeMonth({ ...ctx, clock: { now: () => closable } }, { month: "2026-11" }),
});
const writingHeads = (by: Member): Write => ({ by, run: (ctx) => writeHeads(ctx) });

/** November has an entry: a first backer's payment is approved. */
async function begun(scene: Scene): Promise<void> {
  await sellInLots(scene, 2, 1);
  await isDone(scene, await approving(scene, scene.amaka, scene.ada));
}

const pairs: Record<string, Pair> = {
  "a month is closed, and a payment of it approved": async (scene) => {
    await begun(scene);
    return [closing(scene.amaka), await approving(scene, scene.tunde, scene.bola)];
  },
  "a month is closed by two": async (scene) => {
    await begun(scene);
    return [closing(scene.amaka), closing(scene.tunde)];
  },
  "heads are written, and a payment approved": async (scene) => {
    await begun(scene);
    return [writingHeads(scene.amaka), await approving(scene, scene.tunde, scene.bola)];
  },
  "heads are written after a payment was approved, while one of another project is": async (scene) => {
    const project = await createProject(deps.db, { title: "Goats" });
    const first = await approving({ ...scene, project }, scene.amaka, scene.ada);
    const second = await approving(scene, scene.tunde, scene.bola);
    const both = async (ctx: ActorContext) => {
      await second.run(ctx);
      await writeHeads(ctx);
    };
    return [first, { by: scene.tunde, run: both }];
  },
  "heads are written, and a month closed": async (scene) => {
    await begun(scene);
    return [writingHeads(scene.amaka), closing(scene.tunde)];
  },
};

playPairs(deps, pairs);
