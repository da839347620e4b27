/**
 * Loaded into a server process before its entry (`node --import`): exchanges texts of the product while they are
 * loaded, shifts the process's clock, and kills the process at a named point when the test says so. So the product
 * itself knows nothing of faults, and what runs is its own entry.
 */
import { registerHooks } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { applyPatches, type FaultPoints, type KillPoint, type Patch } from "./patches.ts";

/** What the test hands over in the variable GONA_FAULTS. */
export interface FaultSettings {
  patches: Patch[];
  clockOffsetMs: number;
}

/** What the test sends: die at this point, after as many others passed it; without a point it is called off. */
export interface KillOrder {
  point: KillPoint | null;
  skip: number;
}

const { patches, clockOffsetMs } = JSON.parse(process.env.GONA_FAULTS ?? "") as FaultSettings;
const root = fileURLToPath(new URL("../../../", import.meta.url));

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith("file:")) return loaded;
    const file = relative(root, fileURLToPath(url));
    if (loaded.source === undefined || !patches.some((patch) => patch.file === file)) return loaded;
    return { ...loaded, source: applyPatches(file, Buffer.from(loaded.source as Uint8Array).toString(), patches) };
  },
});

if (clockOffsetMs !== 0) {
  const now = Date.now.bind(Date);
  const shifted = () => now() + clockOffsetMs;
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [shifted()] : given, asked),
    get: (target, name) => (name === "now" ? shifted : Reflect.get(target, name)),
  });
}

let order: KillOrder = { point: null, skip: 0 };
process.on("message", (message: KillOrder) => {
  order = message;
});
// Without its test a server has no reason to live on.
process.on("disconnect", () => process.exit(1));
process.channel?.unref();

const faultPoints: FaultPoints = {
  async isEvent(tx) {
    if (order.point !== "before commit" && order.point !== "after commit") return false;
    const answer = (await tx.execute(
      "select exists (select from outgoing_mails where xmin = pg_current_xact_id_if_assigned()::xid) as found",
    )) as { found: boolean }[];
    return answer[0]?.found === true;
  },
  async reach(point, isEvent) {
    if (order.point !== point || !isEvent) return;
    if (order.skip === 0) process.kill(process.pid, "SIGKILL");
    else order.skip -= 1;
  },
};
Object.assign(globalThis, { faultPoints });
