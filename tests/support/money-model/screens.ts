import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { expect } from "vitest";
import type { RefundDue } from "#shared/payments/texts.ts";
import { permissionsOf } from "#shared/permissions.ts";
import { projectTexts } from "#shared/projects/texts.ts";
import { expectBooksHold } from "./command.ts";
import { answerOfCall, type Real } from "./real.ts";
import { at, backersOf, backs, fundingKobo, type Model, outcomeOf, type Payment, unsoldLots } from "./state.ts";

/**
 * At the end of a run: what people read on their screens is what the model says, every receipt is still whole, and the
 * books hold.
 */
export async function expectScreensAgree(model: Model, real: Real): Promise<void> {
  const visitor = await real.visitor();
  for (const project of model.projects.keys()) await expectProjectPage(model, real, { project, visitor });
  for (const [person, { isSignedIn }] of model.people.entries()) {
    if (!isSignedIn) continue;
    await expectOwnPages(model, real, person);
    await expectPaymentTable(model, real, person);
  }
  await expectReceipts(model, real);
  await expectBooksHold(model, real, "the money checks at the end");
}

type Visitor = Awaited<ReturnType<Real["visitor"]>>;

async function expectProjectPage(
  model: Model,
  real: Real,
  { project, visitor }: { project: number; visitor: Visitor },
) {
  const { isRemoved, title, goalKobo, isClosed } = at(model.projects, project);
  const page = await answerOfCall(visitor.caller.projects.byId({ projectId: real.projectId(project) }));
  if (isRemoved) {
    expect(page).toEqual({ refused: { reason: "not_found", message: projectTexts.notFound } });
    return;
  }
  const isUnderReview = model.payments.some((it) => it.project === project && it.status === "pending");
  expect(page).toMatchObject({
    done: {
      title,
      fundingGoalKobo: goalKobo,
      isClosed,
      isUnderReview,
      currentFundingKobo: fundingKobo(model, project),
      backersCount: backersOf(model, project).length,
    },
  });
}

/** A payment as its backer and administrators see it. */
function shownPayment(model: Model, payment: number) {
  const paid = at(model.payments, payment);
  const { status, amountKobo } = paid;
  const standing = model.refunds.filter((refund) => refund.payment === payment && !refund.isTakenBack);
  const surplus = standing.length > 0 ? "surplus" : null;
  const due = status === "pending" ? (dueOfPending(model, paid) ?? surplus) : surplus;
  const isWhole = standing.some(({ isSurplus }) => !isSurplus);
  return { payment, status, amountKobo, refundDue: isWhole ? "refund" : due };
}

type Shown = { id: number; status: string; amountKobo: bigint; refundDue: RefundDue | null; refundKobo: bigint | null };

/** The same of what the server shows. Why a refund was made is told by its own tests. */
function paymentOf(real: Real, { id, status, amountKobo, refundDue, refundKobo }: Shown) {
  const isRefund = refundKobo !== null && ["not_funded", "not_approved", "lots_gone"].includes(refundDue ?? "");
  return {
    payment: real.ids.payments.indexOf(id),
    status,
    amountKobo,
    refundDue: isRefund ? "refund" : refundDue,
  };
}

function dueOfPending(model: Model, payment: Payment) {
  const { project, round, lots } = payment;
  if (project === null) return "project_removed";
  if (outcomeOf(model, project, round) === "not_funded") return "not_funded";
  return lots > unsoldLots(model, project, round) ? "project_taken" : null;
}

async function expectOwnPages(model: Model, real: Real, person: number): Promise<void> {
  const caller = real.as(person);
  const placesOf = (ids: number[]) => ids.map((id) => real.ids.projects.indexOf(id)).sort((a, b) => a - b);
  const places = [...model.projects.keys()];
  const { pending } = await caller.payments.listMyPending();
  const shown = pending.map(({ payment }) => paymentOf(real, payment));
  const own = [...model.payments.keys()].filter((it) => at(model.payments, it).person === person);
  expect({
    favorites: placesOf(await caller.favorites.ids()),
    backed: placesOf((await caller.backings.mine({})).items.map(({ id }) => id)),
    pending: shown.sort((a, b) => a.payment - b.payment),
  }).toEqual({
    favorites: places.filter((project) => model.favorites.has(project, person)),
    backed: places.filter((project) => backs(model, project, person)),
    pending: own.map((it) => shownPayment(model, it)).filter(({ status }) => status === "pending"),
  });
}

async function expectPaymentTable(model: Model, real: Real, person: number): Promise<void> {
  const rights = permissionsOf(at(model.people, person));
  if (!rights.includes("payments:view")) return;
  const { items, canProcess } = await real.as(person).payments.list({});
  const shown = items.map((item) => paymentOf(real, item));
  expect(shown.sort((a, b) => a.payment - b.payment)).toEqual(
    [...model.payments.keys()].map((payment) => shownPayment(model, payment)),
  );
  expect(canProcess).toBe(rights.includes("payments:process"));
}

async function expectReceipts(model: Model, real: Real): Promise<void> {
  const stored: number[] = [];
  for await (const { key } of real.deps.storage.list("receipt/")) {
    const bytes = await buffer(await real.deps.storage.read(key));
    stored.push(real.receiptOf(createHash("sha256").update(bytes).digest("hex")));
  }
  expect(stored.sort((a, b) => a - b)).toEqual(model.submits.map(({ receipt }) => receipt).sort((a, b) => a - b));
}
