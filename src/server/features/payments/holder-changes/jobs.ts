import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { carryOut, listToCarryOut } from "./service.ts";

/** Carries out the changes of holder whose 14 days are over: each for itself. */
export async function carryOutHolderChanges(deps: Deps): Promise<void> {
  await forEachOnItsOwn(deps.log, await listToCarryOut(deps), (id) => carryOut(deps, id));
}
