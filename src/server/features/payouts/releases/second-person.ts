import { eq } from "drizzle-orm";
import type { z } from "zod";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { secondPersonKind } from "#server/accounts/owners/second-person-kind.ts";
import { listActiveOwners } from "#server/accounts/users.ts";
import { readRoundMoney } from "#server/books/rounds.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { farms } from "#server/db/schema/farms.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { listFarmPeople } from "#server/features/farms/queries.ts";
import { type PayeeAccount, useAccount } from "#server/features/payouts/payee-accounts/service.ts";
import { findPart, findReleaseRefusal, listPartFacts } from "#server/features/payouts/release-parts/queries.ts";
import { checkAlone, requireCheckedOrAlone } from "#server/features/payouts/release-parts/service.ts";
import { lockOpenPayouts } from "#server/features/payouts/service.ts";
import { findRound } from "#server/features/projects/rounds/service.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { findBank } from "#shared/bank/nigerian-banks.ts";
import { formatNaira } from "#shared/money.ts";
import { maskedAccount } from "#shared/payouts/payee-accounts-texts.ts";
import { releasePartTexts } from "#shared/payouts/release-parts-texts.ts";
import { releaseToFarmDetails } from "#shared/payouts/releases.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import { setFarmAccountDetails } from "#shared/second-person/inputs.ts";
import { farmAccountTexts as texts } from "#shared/second-person/texts.ts";
import { farmAccountMail } from "./emails.ts";
import { findFarm, findProjectTitle, listAlarmsOf, readOwed } from "./queries.ts";
import { lockReleasable, release } from "./service.ts";

/** A farm's account, which counts once another owner confirmed it; and the release of money that an alarm names. */

type Details = z.output<typeof setFarmAccountDetails>;

async function describe(db: DbOrTx, { farmId, bankCode, accountNumber, accountName }: Details) {
  const farm = await findFarm(db, farmId);
  if (!farm) return null;
  const { projectTitles, owedKobo } = await readOwed(db, farmId);
  return {
    title: texts.title(farm.name),
    consequences: [
      `It goes to ${findBank(bankCode)?.name ?? bankCode}, ${accountNumber}, ${accountName}.`,
      texts.usedFor(projectTitles),
      `${formatNaira(owedKobo)} is due to the farm now.`,
      "Everything that is due to the farm is paid there, two days from the confirmation on.",
    ],
    isPossible: farm.closedAt === null || owedKobo > 0n,
    projectId: null,
  };
}

/** Locks what is due to a farm, then the farm. Throws "not_found", or "conflict" if it is closed and nothing is due to it. */
async function lockPayee(tx: Tx, { farmId }: Details): Promise<typeof farms.$inferSelect> {
  const open = await lockOpenPayouts(tx, { farmId });
  const [farm] = await tx.select().from(farms).where(eq(farms.id, farmId)).for("no key update");
  if (!farm) throw new AppError("not_found", texts.gone);
  if (farm.closedAt !== null && open.length === 0) throw new AppError("conflict", texts.closed);
  return farm;
}

/** Every owner is told of a farm's new account. */
export const setFarmAccountKind = secondPersonKind({
  schema: setFarmAccountDetails,
  needsProof: true,
  subjectOf: ({ farmId }) => String(farmId),
  describe,
  require: async (tx, _ctx, details) => void (await lockPayee(tx, details)),
  act: async (tx, ctx, { details, requestId, reason }) => {
    const { farmId, ...given } = details;
    const farm = await lockPayee(tx, details);
    const at = ctx.clock.now();
    const { before, account } = await useAccount(tx, { farmId }, { ...given, addedBy: ctx.actor.id, requestId, at });
    await recordAudit(tx, ctx, "set_farm_account", {
      farmId,
      farm: farm.name,
      payeeAccountId: account.id,
      before: before && maskedAccount(before),
      after: maskedAccount(account),
      requestId,
      reason,
    });
    await mailOwnersOfAccount(tx, ctx, { farmId, farmName: farm.name, account, reason });
  },
});

type Told = { farmId: number; farmName: string; account: PayeeAccount; reason: string };

async function mailOwnersOfAccount(tx: Tx, ctx: ActorContext, told: Told): Promise<void> {
  const facts = { site: ctx.site.current(), ...told };
  await mailOwners(tx, ctx, {
    eventKey: `payee_account:${told.account.id}`,
    isUrgent: true,
    write: ({ fullName }) => farmAccountMail({ fullName, ...facts, confirmedBy: ctx.actor, at: ctx.clock.now() }),
  });
}

type ReleaseDetails = z.output<typeof releaseToFarmDetails>;

const askedBy = ({ seenKobo, amountKobo, ...round }: ReleaseDetails) => ({
  ...round,
  seenKobo: BigInt(seenKobo),
  amountKobo: BigInt(amountKobo),
});

/** Refuses a release by people who all asked for the part or checked it, while there is a third. */
async function requireThird(tx: Tx, about: ReleaseDetails & { farmId: number; releasers: string[] }): Promise<void> {
  const { ask } = await findPart(tx, about);
  const refusal = await findReleaseRefusal(tx, { ...about, ask });
  if (refusal !== null) throw new AppError("conflict", refusal);
}

/**
 * Money of a round goes on to its farm although the self-check found something about it, the farm is silent, or the owner who
 * asks for it also asked for the part or checked it.
 */
export const releaseToFarmKind = secondPersonKind({
  schema: releaseToFarmDetails,
  subjectOf: ({ projectId, round }) => `${projectId}/${round}`,
  describe: async (db, details) => {
    const { projectId, round } = details;
    const project = await findProjectTitle(db, projectId);
    if (project === null) return null;
    const { releasableKobo } = await readRoundMoney(db, details);
    return {
      title: farmReleaseTexts.title(formatNaira(BigInt(details.amountKobo)), round, project.title),
      consequences: [
        ...(await listAlarmsOf(db, details)).map((violation) => `The self-check found: ${violation}.`),
        "It is paid with the next payment run, and none of the round's approvals can be taken back then.",
        ...(await listPartFacts(db, details)),
        releasePartTexts.reasonMayBePublic,
      ],
      isPossible: releasableKobo === BigInt(details.seenKobo),
      projectId: project.isProjectThere ? projectId : null,
    };
  },
  /** Nobody lets money go to a farm that they work for, while there is another owner. */
  concerns: async (db, { projectId, round }) => listFarmPeople(db, (await findRound(db, { projectId, round })).farmId),
  concernedText: releasePartTexts.concernsFarm,
  require: async (tx, _ctx, details) => {
    const { farmId } = await lockReleasable(tx, askedBy(details));
    await requireCheckedOrAlone(tx, details);
    const owners = (await listActiveOwners(tx)).map(({ id }) => id);
    await requireThird(tx, { ...details, farmId, releasers: owners });
  },
  act: async (tx, ctx, { details, requestId, reason }) => {
    const releasable = await lockReleasable(tx, askedBy(details));
    const [request] = await tx
      .select({ requestedBy: secondPersonRequests.requestedBy })
      .from(secondPersonRequests)
      .where(eq(secondPersonRequests.id, requestId));
    const releasers = [ctx.actor.id, ...(request ? [request.requestedBy] : [])];
    await requireThird(tx, { ...details, farmId: releasable.farmId, releasers });
    await checkAlone(tx, ctx, { ...details, requestId });
    await release(tx, ctx, releasable, { requestId, reason });
  },
});
