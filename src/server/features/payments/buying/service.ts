import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { keepConsent, requireTermsAgreed } from "#server/accounts/consents.ts";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { readMoney } from "#server/books/places.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { reduceHold } from "#server/features/projects/holds/arrivals.ts";
import { findHoldState } from "#server/features/projects/holds/queries.ts";
import { placeHold } from "#server/features/projects/holds/service.ts";
import { countAllowedLots, findShownTerms } from "#server/features/projects/rounds/queries.ts";
import {
  findRound,
  freeLots,
  lockProject,
  lockProjectIfThere,
  lockRound,
  type Project,
  type Round,
} from "#server/features/projects/rounds/service.ts";
import { findBankDetails, findHoldHours } from "#server/features/settings/queries.ts";
import { takesMoney } from "#server/features/site/setup/queries.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { agreedTextHash, readPageText } from "#server/platform/page-texts.ts";
import type { beginPurchaseInput, reduceToArrivedInput } from "#shared/payments/inputs.ts";
import { arrivalOf, arrivalTexts, paymentTexts } from "#shared/payments/texts.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { consentTexts } from "#shared/site/consent-texts.ts";
import { findOwnPayment, findReviewState, findUsableSurplus } from "./queries.ts";
import { agreeToTerms, findReference, hasAgreedTo } from "./references.ts";

/**
 * The data of /back-project. The bank details are only given to who agreed to the round's terms; with a reference a
 * receipt may be sent even after the hold has ended or the project has closed. Throws "not_found".
 */
export async function openPaymentPage(ctx: ActorContext, { projectId }: { projectId: number }) {
  return inTransaction(ctx.db, (tx) => readPaymentPage(tx, ctx, projectId));
}

/**
 * Keeps that the caller agreed to the terms that they read, gives them a reference for their purchase, and holds their
 * lots. Throws "not_found", or "conflict" if the project is closed, the site takes no money yet, the terms or the site's
 * changed since, they haven't agreed to a change of the site's, the lots are more than one person may buy, or can't be held.
 */
export async function beginPurchase(ctx: ActorContext, input: z.output<typeof beginPurchaseInput>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const place = await lockForPurchase(tx, ctx, input.projectId);
    await agreeAndHold(tx, ctx, { ...place, ...input });
  });
}

/**
 * Locks an open project, the caller and the round that is sold. Throws "not_found", or "conflict" if the project is
 * closed.
 */
export async function lockForPurchase(tx: Tx, ctx: ActorContext, projectId: number) {
  const project = await lockProject(tx, projectId);
  // Their holds elsewhere are counted, too.
  await requireOpenAccount(tx, ctx.actor, "no key update");
  if (project.isClosed) throw new AppError("conflict", paymentTexts.projectClosed);
  return { project, round: await lockRound(tx, { projectId, round: project.round }) };
}

type Wanted = { project: Project; round: Round; lots: number; termsVersion: number; siteTerms: string };

/** Keeps the agreement and the hold of {@link beginPurchase}, under its locks. Returns the reference. */
async function agreeAndHold(
  tx: Tx,
  ctx: ActorContext,
  { project, round, lots, termsVersion, siteTerms, isPaid = false }: Wanted & { isPaid?: boolean },
): Promise<string> {
  if (!(await takesMoney(tx, ctx))) throw new AppError("conflict", paymentTexts.noBankDetails);
  if (round.termsVersion !== termsVersion) throw new AppError("conflict", termsTexts.changed);
  await requireTermsAgreed(tx, ctx);
  const kept = await keepConsent(tx, ctx, { userId: ctx.actor.id, kind: "purchase", page: "terms" });
  // Only what they saw is agreed to: the words themselves, with the fee and the hours that stood in them.
  if (kept !== siteTerms) throw new AppError("conflict", consentTexts.changedMeanwhile);
  const reference = await agreeToTerms(tx, ctx, { project, round, lots, siteTerms, isAnew: isPaid });
  const most = await countAllowedLots(tx, round, ctx.actor.id, reference);
  if (lots > most) throw new AppError("conflict", paymentTexts.lotsLeft(most));
  await placeHold(tx, ctx, { project, round, lots, reference, isPaid });
  return reference;
}

/**
 * Begins a purchase that money which is here already pays for, under the locks of {@link lockForPurchase}. Gives its
 * reference. Throws "conflict" as {@link beginPurchase} does, or if too few lots are free.
 */
export async function beginPaidPurchase(tx: Tx, ctx: ActorContext, wanted: Wanted): Promise<string> {
  const { round, lots } = wanted;
  const isHeld = (await findHoldHours(tx)) > 0;
  if (!isHeld && lots > freeLots(round)) throw new AppError("conflict", paymentTexts.lotsLeft(freeLots(round)));
  return agreeAndHold(tx, ctx, { ...wanted, isPaid: true });
}

/** It doesn't lock the project, because share locks of continuous visits would block an approval for ever. */
async function readPaymentPage(tx: Tx, ctx: ActorContext, projectId: number) {
  const [project] = await tx.select().from(projects).where(eq(projects.id, projectId));
  if (!project) throw new AppError("not_found", paymentTexts.projectNotFound);
  const found = await findReference(tx, ctx, project);
  const bankDetails = await findBankDetails(tx);
  // Whoever has a reference may have paid already.
  const isOpenForMoney = found ? bankDetails !== null : await takesMoney(tx, ctx);
  const ownPayment = await findOwnPayment(tx, { projectId, userId: ctx.actor.id, now: ctx.clock.now() });
  const round = await findRound(tx, { projectId, round: project.round });
  const { isOtherUnderReview, isSoldToOther } = await findReviewState(tx, project, ctx.actor.id);
  const hold = await findHoldState(tx, round, ctx.actor.id, ctx.clock.now());
  const holdHours = await findHoldHours(tx);
  const siteTerms = await readPageText({ db: tx, clock: ctx.clock }, "terms");
  const { lots, lotPriceKobo, approvedLots, minimumLots } = round;
  const { id, title, imageUrl, imageAlt, isClosed } = project;
  const free = freeLots({ ...round, heldLots: hold.heldByOthers });
  const allowedLots = await countAllowedLots(tx, round, ctx.actor.id);
  const canUseSurplus = !isClosed && round.outcome === null && ownPayment?.status !== "pending";
  const exactLots = hold.own && !hold.own.isOffer ? hold.own.lots : null;
  const surplusUse = { userId: ctx.actor.id, mostLots: Math.max(0, Math.min(free, allowedLots)), exactLots };
  // Where lots are held, the account is for who holds some, or has a receipt with us.
  const holdsLots = holdHours === 0 || (hold.own !== null && !hold.own.isOffer);
  const maySeeAccount = hasAgreedTo(found, round) && holdsLots;
  return {
    project: { id, title, imageUrl, imageAlt, isClosed },
    round: { lots, lotPriceKobo, approvedLots, minimumLots },
    terms: await findShownTerms(tx, round, round.termsVersion),
    /** The site's terms that the tick agrees to, too. */
    siteTerms: { version: siteTerms.version, sha256: agreedTextHash(siteTerms) },
    /**
     * How many lots the caller can buy now, or wait for when nothing is free; at least one, because who has paid may still
     * send a receipt.
     */
    mostLots: Math.max(1, Math.min(free > 0 || holdHours === 0 ? free : lots - approvedLots, allowedLots)),
    /** Null where holding is switched off. The browser counts down by the server's clock. */
    hold: holdHours === 0 && !hold.own ? null : { ...hold, hours: holdHours, now: ctx.clock.now() },
    /** The purchase that the caller agreed to under the reference, whether or not they still hold its lots. */
    purchase: found && { lots: found.lots, amountKobo: found.lotPriceKobo * BigInt(found.lots) },
    /** The surplus of an earlier payment of theirs with the lots it pays for; null if it pays for none. */
    surplus: canUseSurplus ? await findUsableSurplus(tx, round, surplusUse) : null,
    reference: found?.reference ?? null,
    bankDetails: maySeeAccount ? bankDetails : null,
    ownPayment,
    isOtherUnderReview,
    /** Nothing is left, and others have it. */
    isTakenByOther: isSoldToOther && round.lots === round.approvedLots,
    blockedBy: sendingBlockedBy({
      isClosed,
      hasReference: found !== null,
      isOpenForMoney,
      maySeeAccount,
    }),
  };
}

/** Counts the lots of the round that the caller may still buy: the free ones, within the most for one person. */
export async function findMostLots(tx: Tx, ctx: ActorContext, round: Round): Promise<number> {
  return Math.min(freeLots(round), await countAllowedLots(tx, round, ctx.actor.id));
}

/**
 * Reduces the caller's pending payment to the whole lots that what has arrived pays for. The other lots of its hold are
 * offered to those who wait. Throws "not_found", or "conflict" if it was decided, or other money has arrived than they saw.
 */
export async function reduceToArrived(
  ctx: ActorContext,
  { paymentId, lots }: z.output<typeof reduceToArrivedInput>,
): Promise<void> {
  const isOwn = and(eq(projectPayments.id, paymentId), eq(projectPayments.userId, ctx.actor.id));
  await inTransaction(ctx.db, async (tx) => {
    const [found] = await tx.select().from(projectPayments).where(isOwn);
    if (!found) throw new AppError("not_found", paymentTexts.gone);
    const project =
      found.projectId === null ? undefined : await lockProjectIfThere(tx, found.projectId, "no key update");
    if (!project) throw new AppError("conflict", arrivalTexts.notReducible);
    const round = await lockRound(tx, { projectId: project.id, round: found.round });
    await requireOpenAccount(tx, ctx.actor);
    const ofReference = eq(paymentReferences.reference, found.reference);
    await tx.select({ id: paymentReferences.id }).from(paymentReferences).where(ofReference).for("update");
    const [payment] = await tx.select().from(projectPayments).where(isOwn).for("update");
    if (payment?.status !== "pending") throw new AppError("conflict", arrivalTexts.notReducible);
    const { arrivedKobo } = await readMoney(tx, payment);
    const arrival = arrivalOf({ ...payment, arrivedKobo });
    if (arrival.kind !== "part" || arrival.wholeLots !== lots || lots >= payment.lots) {
      throw new AppError("conflict", arrivalTexts.notReducible);
    }
    const amountKobo = (payment.amountKobo / BigInt(payment.lots)) * BigInt(lots);
    await tx.update(projectPayments).set({ lots, amountKobo, updatedAt: ctx.clock.now() }).where(isOwn);
    await tx.update(paymentReferences).set({ lots }).where(ofReference);
    await recordAudit(tx, ctx, "reduce_payment", {
      paymentId,
      projectId: project.id,
      projectTitle: project.title,
      before: { lots: payment.lots, amountKobo: payment.amountKobo.toString() },
      after: { lots, amountKobo: amountKobo.toString() },
      arrivedKobo: arrivedKobo.toString(),
    });
    await reduceHold(tx, ctx, { project, round, reference: payment.reference, lots });
  });
}

/**
 * Returns the reason why the caller can't send a receipt now, or null. A person with a reference may already have paid,
 * so they may send one even after the project has closed (product decision).
 */
export function sendingBlockedBy(page: {
  isClosed: boolean;
  hasReference: boolean;
  isOpenForMoney: boolean;
  maySeeAccount: boolean;
}): "closed" | "no_bank_details" | "terms" | null {
  if (page.isClosed && !page.hasReference) return "closed";
  if (!page.isOpenForMoney) return "no_bank_details";
  return page.maySeeAccount || page.isClosed ? null : "terms";
}
