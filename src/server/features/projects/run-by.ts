import type { Tx } from "#server/db/open.ts";
import { lockFarmForProject } from "#server/features/farms/queries.ts";
import { type Project, type Round, setFarmOfRounds } from "#server/features/projects/rounds/service.ts";
import { fieldRefusal } from "#server/platform/errors.ts";
import { farmTexts } from "#shared/farms/texts.ts";
import { administratorsName } from "#shared/projects/texts.ts";

/** The party that runs a project: a farm, or the operator. */

/**
 * Part of a transaction: the columns that say who runs a project. Of no farm it is the operator, whom the specification calls
 * "Admin" (section 3). Throws "invalid" if the farm is closed.
 */
export async function runBy(tx: Tx, farmId: number | null): Promise<Pick<Project, "farmId" | "creator">> {
  if (farmId === null) return { farmId, creator: administratorsName };
  const { name: creator } = await lockFarmForProject(tx, farmId);
  return { farmId, creator };
}

/**
 * Part of a transaction: has another farm run a project and its current round. Earlier rounds that nobody ran become the
 * farm's too. Throws "invalid" if the farm is closed, or if the round is sold or decided and another farm runs it.
 */
export async function changeFarm(
  tx: Tx,
  { project, round, farmId }: { project: Project; round: Round; farmId: number | null | undefined },
): Promise<Partial<Project>> {
  if (farmId === undefined || farmId === project.farmId) return {};
  const farm = await runBy(tx, farmId);
  const isOfAnother = round.farmId !== null && round.farmId !== farmId;
  if (isOfAnother && (round.approvedLots > 0 || round.outcome !== null)) {
    throw fieldRefusal("farmId", farmTexts.roundSold);
  }
  await setFarmOfRounds(tx, round, farmId);
  return farm;
}
