import { eq } from "drizzle-orm";
import type { z } from "zod";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { harvests } from "#server/db/schema/harvests.ts";
import { findProject, nameOfHarvest } from "#server/features/harvests/harvest-rows.ts";
import { AppError } from "#server/platform/errors.ts";
import { settleHarvestDetails } from "#shared/harvests/inputs.ts";
import { harvestTexts } from "#shared/harvests/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { tabulate } from "./divide.ts";
import { requireSettling, settle } from "./settle.ts";

type Settle = z.output<typeof settleHarvestDetails>;

const asInput = ({ amountKobo, ...details }: Settle) => ({ ...details, amount: BigInt(amountKobo) });

/** A settlement that whoever wrote down a cost or a sale of it asks for. */
export const settleHarvestKind = secondPersonKind({
  schema: settleHarvestDetails,
  subjectOf: ({ harvestId, pool }) => `${harvestId}/${pool}`,
  describe: async (db, details) => {
    const { harvestId, pool, amountKobo } = details;
    const [harvest] = await db.select().from(harvests).where(eq(harvests.id, harvestId));
    if (!harvest) return null;
    const found = await tabulate(db, { harvestId, pool }).catch((error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    });
    const now = found instanceof AppError ? null : found;
    return {
      title: `Settle ${formatNaira(BigInt(amountKobo))} of ${nameOfHarvest(harvest)}`,
      consequences:
        found instanceof AppError
          ? [found.message]
          : [
              `${formatNaira(found.costsKobo)} of it are costs${found.costs.length > 0 ? `: ${found.costs.map(({ label, amountKobo: kobo }) => `${label} ${formatNaira(kobo)}`).join(", ")}` : ""}. The farm's share is ${formatNaira(found.farmKobo)}.`,
              `${found.rows.length === 1 ? "One backer gets" : `${found.rows.length} backers get`} ${formatNaira(found.netKobo)} together; the fee is ${formatNaira(found.feeKobo)}, taxes are ${formatNaira(found.vatKobo + found.whtKobo)}.`,
              ...(found.unwrittenKobo > 0n ? [harvestTexts.unwritten(formatNaira(found.unwrittenKobo))] : []),
              "It is owed to them from then on, and they are emailed.",
            ],
      isPossible:
        now !== null &&
        now.proceedsKobo === BigInt(amountKobo) &&
        now.vatRate === details.vatRate &&
        now.whtRate === details.whtRate,
      projectId: await findProject(db, harvest),
    };
  },
  require: async (tx, _ctx, details) => void (await requireSettling(tx, asInput(details))),
  act: async (tx, ctx, { details, ...confirmed }) => settle(tx, ctx, asInput(details), confirmed),
});
