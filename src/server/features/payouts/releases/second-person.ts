import type { z } from "zod";
import { listActiveOwners } from "#server/accounts/users.ts";
import { readRoundMoney } from "#server/books/rounds.ts";
import type { DbOrTx, Tx } from "#server/db/open.ts";
import { type PayeeAccount, useAccount } from "#server/features/payouts/payee-accounts/service.ts";
import { lockOpenPayouts } from "#server/features/payouts/service.ts";
import { queueMails } from "#server/mail/outbox.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { findBank } from "#shared/bank/nigerian-banks.ts";
import { formatNaira } from "#shared/money.ts";
import { maskedAccount } from "#shared/payouts/payee-accounts-texts.ts";
import type { releaseToFarmDetails } from "#shared/payouts/releases.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import type { setFarmAccountDetails } from "#shared/second-person/inputs.ts";
import { farmAccountTexts as texts } from "#shared/second-person/texts.ts";
import { farmAccountMail } from "./emails.ts";
import { findFarmTitle, listAlarmsOf } from "./queries.ts";
import { lockFarm, lockReleasable, release } from "./service.ts";

/** A farm's account, which counts once another owner confirmed it; and the release of money that an alarm names. */

type Details = z.output<typeof setFarmAccountDetails>;

async function describe(db: DbOrTx, { projectId, bankCode, accountNumber, accountName }: Details) {
  const farm = await findFarmTitle(db, projectId);
  if (farm === null) return null;
  return {
    title: texts.title(farm.title),
    consequences: [
      `It goes to ${findBank(bankCode)?.name ?? bankCode}, ${accountNumber}, ${accountName}.`,
      "Everything that is due to the farm is paid there, two days from the confirmation on.",
    ],
    isPossible: true,
    projectId: farm.isProjectThere ? projectId : null,
  };
}

/** The farm alone, so that none of its payouts fails meanwhile. */
async function lockPayee(tx: Tx, { projectId }: Details): Promise<string> {
  const title = await lockFarm(tx, projectId);
  await lockOpenPayouts(tx, { projectId });
  return title;
}

/** Every owner is told of a farm's new account. */
export const setFarmAccountKind = {
  subjectOf: ({ projectId }: Details): string => String(projectId),
  describe,
  require: async (tx: Tx, _ctx: ActorContext, details: Details) => void (await lockPayee(tx, details)),
  act: async (
    tx: Tx,
    ctx: ActorContext,
    { details, requestId, reason }: { details: Details; requestId: number; reason: string },
  ): Promise<void> => {
    const { projectId, ...given } = details;
    const title = await lockPayee(tx, details);
    const at = ctx.clock.now();
    const { before, account } = await useAccount(tx, { projectId }, { ...given, addedBy: ctx.actor.id, requestId, at });
    await recordAudit(tx, ctx, "set_farm_account", {
      projectId,
      title,
      payeeAccountId: account.id,
      before: before && maskedAccount(before),
      after: maskedAccount(account),
      requestId,
      reason,
    });
    await mailOwners(tx, ctx, { title, account, reason });
  },
};

type Told = { title: string; account: PayeeAccount; reason: string };

async function mailOwners(tx: Tx, ctx: ActorContext, { title, account, reason }: Told): Promise<void> {
  const site = ctx.site.current();
  const facts = { site, projectId: account.projectId ?? 0, projectTitle: title, account, reason };
  const mails = (await listActiveOwners(tx)).map(({ email, fullName }) => ({
    eventKey: `payee_account:${account.id}`,
    to: email,
    ...farmAccountMail({ fullName, ...facts, confirmedBy: ctx.actor, at: ctx.clock.now() }),
  }));
  await queueMails(tx, ctx, mails, { isUrgent: true });
}

type ReleaseDetails = z.output<typeof releaseToFarmDetails>;

const askedBy = ({ seenKobo, amountKobo, ...round }: ReleaseDetails) => ({
  ...round,
  seenKobo: BigInt(seenKobo),
  amountKobo: BigInt(amountKobo),
});

/** Money of a round goes on to its farm although the self-check found something about it. */
export const releaseToFarmKind = {
  subjectOf: ({ projectId, round }: ReleaseDetails): string => `${projectId}/${round}`,
  describe: async (db: DbOrTx, details: ReleaseDetails) => {
    const { projectId, round } = details;
    const farm = await findFarmTitle(db, projectId);
    if (farm === null) return null;
    const { releasableKobo } = await readRoundMoney(db, details);
    return {
      title: farmReleaseTexts.title(formatNaira(BigInt(details.amountKobo)), round, farm.title),
      consequences: [
        ...(await listAlarmsOf(db, details)).map((violation) => `The self-check found: ${violation}.`),
        "It is paid with the next payment run, and none of the round's approvals can be taken back then.",
      ],
      isPossible: releasableKobo === BigInt(details.seenKobo),
      projectId: farm.isProjectThere ? projectId : null,
    };
  },
  require: async (tx: Tx, _ctx: ActorContext, details: ReleaseDetails) =>
    void (await lockReleasable(tx, askedBy(details))),
  act: async (
    tx: Tx,
    ctx: ActorContext,
    { details, requestId, reason }: { details: ReleaseDetails; requestId: number; reason: string },
  ): Promise<void> => release(tx, ctx, await lockReleasable(tx, askedBy(details)), { requestId, reason }),
};
