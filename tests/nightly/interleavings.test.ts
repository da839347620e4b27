import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { holds } from "#server/db/schema/holds.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { refunds } from "#server/db/schema/refunds.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { settings } from "#server/db/schema/settings.ts";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { beginPurchase } from "#server/features/payments/buying/service.ts";
import { decideOnRound } from "#server/features/payments/review/round-decision.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { giveUnallocatedBack, takeRefundBack } from "#server/features/payments/unallocated/service.ts";
import { blockUser, closeAccount } from "#server/features/people/users/service.ts";
import { grantBacking, revokeGrant } from "#server/features/projects/backings/service.ts";
import { addFavorite } from "#server/features/projects/favorites/service.ts";
import { endHoldByHand, extendHold } from "#server/features/projects/holds/by-hand.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { joinWaitingList, leaveWaitingList, releaseHold } from "#server/features/projects/holds/own-hold.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";
import {
  cloneProject,
  closeByHand,
  deleteProject,
  reopenProject,
  updateProject,
} from "#server/features/projects/service.ts";
import { updateTerms } from "#server/features/projects/update-terms.ts";
import {
  askSecondPerson,
  confirmRequest,
  type declineRequest,
  withdrawRequest,
} from "#server/features/second-person/service.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import { updateProjectInput } from "#shared/projects/inputs.ts";
import { updateTermsInput } from "#shared/projects/terms.ts";
import { holdHoursKey } from "#shared/settings/texts.ts";
import { decide, findPayment, findProject, rejectArrived, seen } from "#tests/support/money.ts";
import { isDone, openPairs, type Pair, playPairs, type Write } from "#tests/support/pairs.ts";
import { testPassword } from "#tests/support/people.ts";
import { projectFormOf } from "#tests/support/project-form.ts";
import { createProject } from "#tests/support/projects.ts";
import { addPending, type Member, receiptNamed, type Scene, sellInLots } from "#tests/support/race-scene.ts";
import { siteTermsOf } from "#tests/support/site-terms.ts";

/**
 * Two people do something to one project at the same moment: in every interleaving that can matter (interleavings.ts
 * says which those are) it comes to what one after the other would have come to, the money checks hold, nobody reads of
 * a fault, and nothing waits in a circle.
 */
const deps = await openPairs();

const setStatus = async (by: Member, paymentId: number, status: PaymentStatus): Promise<Write> => {
  const look = await seen(deps.db, paymentId);
  return { by, run: (ctx) => setPaymentStatus(ctx, { ...look, status }) };
};
const approve = (by: Member, paymentId: number) => setStatus(by, paymentId, "approved");
const submit = async (
  scene: Scene,
  by: Member,
  { name = "another", key = randomUUID() as string } = {},
): Promise<Write> => {
  const file = await receiptNamed(scene, name);
  const idempotencyKey = key;
  return { by, run: (ctx) => submitReceipt(ctx, { projectId: scene.project.id, lots: 1, idempotencyKey, file }) };
};
const giveBack = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) => decideOnRound(ctx, { projectId: project.id, outcome: "not_funded", seenApprovedLots: 1 }),
});
/** Ada's one of four lots is approved, two are the minimum, and the project is closed. */
const missMinimum = async (scene: Scene): Promise<number> => {
  await sellInLots(scene, 4, 2);
  const payment = await addPending(scene, scene.ada);
  await decide(deps, scene.amaka, { paymentId: payment, status: "approved" });
  await isDone(scene, close(scene, scene.amaka));
  return payment;
};
/** Ada's payment is rejected after its approval, and all of it is held for her. */
const holdMoney = async (scene: Scene) => {
  const paymentId = await addPending(scene, scene.ada);
  await decide(deps, scene.amaka, { paymentId, status: "approved" });
  const payment = await findPayment(deps.db, paymentId);
  await rejectArrived(deps, scene.amaka, payment);
  return { paymentId, seenUnallocatedKobo: payment.amountKobo };
};
type Held = Awaited<ReturnType<typeof holdMoney>>;
const giveHeld = (by: Member, held: Held): Write => ({ by, run: (ctx) => giveUnallocatedBack(ctx, held) });
/** A refund of all that was held is due. */
const oweMoney = async (scene: Scene) => {
  const held = await holdMoney(scene);
  await isDone(scene, giveHeld(scene.amaka, held));
  const [refund] = await deps.db.select().from(refunds).where(eq(refunds.paymentId, held.paymentId));
  return { ...held, refundId: refund?.id ?? 0 };
};
const takeBack = (by: Member, { refundId }: { refundId: number }): Write => ({
  by,
  run: (ctx) => takeRefundBack(ctx, { refundId, reason: "It fits now." }),
});
const begin = ({ project }: Scene, by: Member, lots = 1): Write => ({
  by,
  run: async (ctx) =>
    beginPurchase(ctx, {
      projectId: project.id,
      lots,
      termsVersion: 1,
      siteTerms: await siteTermsOf(ctx),
      hasReadTerms: true,
    }),
});
/** From now on whoever begins a purchase holds the lots. */
const holdLots = async ({ deps }: Scene): Promise<void> => {
  await deps.db.update(settings).set({ value: "24" }).where(eq(settings.key, holdHoursKey));
};
/** Lots are held, and these people hold some, one lot each. */
const heldBy = async (scene: Scene, ...people: Member[]): Promise<void> => {
  await holdLots(scene);
  for (const person of people) await isDone(scene, begin(scene, person));
};
/** The holds that stand end at this moment, or so many hours later. */
const endHolds = async (hours = 0): Promise<void> => {
  const until = new Date(deps.clock.now().getTime() + hours * 3_600_000);
  await deps.db.update(holds).set({ until }).where(eq(holds.state, "live"));
};
const sweep = (by: Member): Write => ({ by, run: (ctx) => sweepHolds(ctx) });
const join = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) => joinWaitingList(ctx, { projectId: project.id, lots: 1 }),
});
const leave = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) => leaveWaitingList(ctx, { projectId: project.id }),
});
const holdIdOf = async ({ id }: Member): Promise<number> => {
  const [found] = await deps.db.select({ id: holds.id }).from(holds).where(eq(holds.userId, id));
  return found?.id ?? 0;
};
const endByHand = async (by: Member, holder: Member): Promise<Write> => {
  const holdId = await holdIdOf(holder);
  return { by, run: (ctx) => endHoldByHand(ctx, { holdId, reason: "The farm needs them." }) };
};
const extend = async (by: Member, holder: Member): Promise<Write> => {
  const holdId = await holdIdOf(holder);
  return { by, run: (ctx) => extendHold(ctx, { holdId, hours: 48 }) };
};
const editTerms = ({ project }: Scene, by: Member): Write => {
  const form = {
    projectId: project.id,
    seenVersion: 1,
    unit: "kg",
    plannedQuantity: "",
    plannedPrice: "",
    plannedHarvests: null,
    firstHarvestOn: null,
    farmPart: "10",
    deductibleCosts: [],
    fee: "5",
    options: ["sale"],
    collectionPlace: "",
    choiceDays: 10,
    collectionDays: 5,
    insurance: null,
    releaseParts: [],
  };
  return { by, run: (ctx) => updateTerms(ctx, updateTermsInput.parse(form)) };
};
const close = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) => closeByHand(ctx, { projectId: project.id }),
});
const reopen = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) => reopenProject(ctx, { projectId: project.id }),
});
const remove = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) => deleteProject(ctx, { projectId: project.id }),
});
const edit = async ({ project }: Scene, by: Member, fundingGoal: string): Promise<Write> => {
  const { updatedAt } = await findProject(deps.db, project.id);
  const form = { ...projectFormOf({ title: "Edited", fundingGoal }), projectId: project.id, seenUpdatedAt: updatedAt };
  return { by, run: (ctx) => updateProject(ctx, updateProjectInput.parse(form)) };
};
const clone = ({ project }: Scene, by: Member): Write => {
  const idempotencyKey = randomUUID();
  return { by, run: (ctx) => cloneProject(ctx, { projectId: project.id, idempotencyKey }) };
};
const grant = ({ project }: Scene, by: Member, { id: userId }: Member): Write => ({
  by,
  run: (ctx) => grantBacking(ctx, { projectId: project.id, userId }),
});
const revoke = ({ project }: Scene, by: Member, { id: userId }: Member): Write => ({
  by,
  run: (ctx) => revokeGrant(ctx, { projectId: project.id, userId }),
});
const release = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) => releaseHold(ctx, { projectId: project.id }),
});
const block = (by: Member, { id: userId }: Member): Write => ({ by, run: (ctx) => blockUser(ctx, { userId }) });
const closeOwn = (by: Member): Write => ({ by, run: (ctx) => closeAccount(ctx, { currentPassword: testPassword }) });
const favorite = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) => addFavorite(ctx, { projectId: project.id }),
});

/** A round that is sold out, and the request to write it off. */
const askToWriteOff = async (scene: Scene): Promise<number> => {
  const payment = await addPending(scene, scene.ada);
  await decide(deps, scene.amaka, { paymentId: payment, status: "approved" });
  await isDone(scene, askFor(scene, scene.amaka));
  return payment;
};
const askFor = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) =>
    askSecondPerson(ctx, {
      kind: "write_off",
      details: { projectId: project.id, round: 1 },
      reason: "The ponds were flooded, and nothing is left.",
    }),
});
const decideRequest = (by: Member, act: typeof declineRequest): Write => ({
  by,
  run: async (ctx) => {
    const [request] = await ctx.db.select({ id: secondPersonRequests.id }).from(secondPersonRequests);
    await act(ctx, { requestId: request?.id ?? 0 });
  },
});

const pairs: Record<string, Pair> = {
  "two payments of one project are approved": async (scene) => [
    await approve(scene.amaka, await addPending(scene, scene.ada)),
    await approve(scene.tunde, await addPending(scene, scene.bola)),
  ],
  "two payments for the last two lots are approved": async (scene) => {
    await sellInLots(scene, 2, 2);
    return [
      await approve(scene.amaka, await addPending(scene, scene.ada)),
      await approve(scene.tunde, await addPending(scene, scene.bola)),
    ];
  },
  "a round is given back twice": async (scene) => {
    await missMinimum(scene);
    return [giveBack(scene, scene.amaka), giveBack(scene, scene.tunde)];
  },
  "a round is given back, and its approval taken back": async (scene) => {
    const payment = await missMinimum(scene);
    return [giveBack(scene, scene.amaka), await setStatus(scene.tunde, payment, "pending")];
  },
  "a round is given back, and its project reopened": async (scene) => {
    await missMinimum(scene);
    return [giveBack(scene, scene.amaka), reopen(scene, scene.tunde)];
  },
  "a round is given back, and its backer closes the account": async (scene) => {
    await missMinimum(scene);
    return [giveBack(scene, scene.amaka), closeOwn(scene.ada)];
  },
  "held money is given back twice": async (scene) => {
    const held = await holdMoney(scene);
    return [giveHeld(scene.amaka, held), giveHeld(scene.tunde, held)];
  },
  "held money is given back, and its payment approved": async (scene) => {
    const held = await holdMoney(scene);
    return [giveHeld(scene.amaka, held), await approve(scene.tunde, held.paymentId)];
  },
  "a refund is taken back twice": async (scene) => {
    const refund = await oweMoney(scene);
    return [takeBack(scene.amaka, refund), takeBack(scene.tunde, refund)];
  },
  "a refund is taken back, and its payment approved": async (scene) => {
    const refund = await oweMoney(scene);
    return [takeBack(scene.amaka, refund), await approve(scene.tunde, refund.paymentId)];
  },
  "a refund is taken back, and its backer closes the account": async (scene) => [
    takeBack(scene.amaka, await oweMoney(scene)),
    closeOwn(scene.ada),
  ],
  "a round is given back, and a late receipt sent": async (scene) => {
    await isDone(scene, begin(scene, scene.bola));
    await missMinimum(scene);
    return [giveBack(scene, scene.amaka), await submit(scene, scene.bola)];
  },
  "the lots are edited, and a receipt sent": async (scene) => {
    await sellInLots(scene, 4, 4);
    return [await edit(scene, scene.tunde, "500000"), await submit(scene, scene.ada)];
  },
  "one payment is approved, and rejected": async (scene) => {
    const payment = await addPending(scene, scene.ada);
    return [await approve(scene.amaka, payment), await setStatus(scene.tunde, payment, "rejected")];
  },
  "a payment is approved, and its project deleted": async (scene) => [
    await approve(scene.amaka, await addPending(scene, scene.ada)),
    remove(scene, scene.tunde),
  ],
  "a payment is approved, and the goal edited": async (scene) => [
    await approve(scene.amaka, await addPending(scene, scene.ada)),
    await edit(scene, scene.tunde, "600000"),
  ],
  "the one payment is rejected, and the goal edited": async (scene) => [
    await setStatus(scene.amaka, await addPending(scene, scene.ada), "rejected"),
    await edit(scene, scene.tunde, "600000"),
  ],
  "a receipt is sent, and the goal edited": async (scene) => [
    await submit(scene, scene.ada),
    await edit(scene, scene.tunde, "600000"),
  ],
  "a payment is approved, and its receipt replaced": async (scene) => {
    const payment = await addPending(scene, scene.ada);
    return [await approve(scene.amaka, payment), await submit(scene, scene.ada)];
  },
  "a receipt is sent, and the project closed": async (scene) => [
    await submit(scene, scene.ada),
    close(scene, scene.tunde),
  ],
  "a receipt is sent, and the project deleted": async (scene) => [
    await submit(scene, scene.ada),
    remove(scene, scene.tunde),
  ],
  "one backer sends two receipts": async (scene) => [
    await submit(scene, scene.ada),
    await submit(scene, scene.ada, { name: "a third" }),
  ],
  "one backer sends one receipt twice, with its key": async (scene) => {
    const key = randomUUID();
    return [await submit(scene, scene.ada, { key }), await submit(scene, scene.ada, { key })];
  },
  "one backer sends a receipt, and agrees to the terms": async (scene) => [
    await submit(scene, scene.ada),
    begin(scene, scene.ada),
  ],
  "one person is made a backer twice": async (scene) => [
    grant(scene, scene.amaka, scene.ada),
    grant(scene, scene.tunde, scene.ada),
  ],
  "a person is made a backer, and their payment approved": async (scene) => [
    grant(scene, scene.amaka, scene.ada),
    await approve(scene.tunde, await addPending(scene, scene.ada)),
  ],
  "a backer is removed twice": async (scene) => {
    await isDone(scene, grant(scene, scene.amaka, scene.ada));
    return [revoke(scene, scene.amaka, scene.ada), revoke(scene, scene.tunde, scene.ada)];
  },
  "a backer is removed, and their approval taken back": async (scene) => {
    await isDone(scene, grant(scene, scene.amaka, scene.ada));
    const payment = await addPending(scene, scene.ada);
    await decide(deps, scene.amaka, { paymentId: payment, status: "approved" });
    return [revoke(scene, scene.amaka, scene.ada), await setStatus(scene.tunde, payment, "rejected")];
  },
  "a closed project is reopened, and a payment approved": async (scene) => {
    const payment = await addPending(scene, scene.ada);
    await isDone(scene, close(scene, scene.amaka));
    return [reopen(scene, scene.amaka), await approve(scene.tunde, payment)];
  },
  "a taken project is reopened, and another payment approved": async (scene) => {
    const first = await addPending(scene, scene.ada);
    const second = await addPending(scene, scene.bola);
    await decide(deps, scene.amaka, { paymentId: first, status: "approved" });
    return [reopen(scene, scene.amaka), await approve(scene.tunde, second)];
  },
  "an approval is taken back, and the project reopened": async (scene) => {
    const payment = await addPending(scene, scene.ada);
    await decide(deps, scene.amaka, { paymentId: payment, status: "approved" });
    return [await setStatus(scene.amaka, payment, "pending"), reopen(scene, scene.tunde)];
  },
  "an approval is taken back, and another payment approved": async (scene) => {
    const first = await addPending(scene, scene.ada);
    const second = await addPending(scene, scene.bola);
    await decide(deps, scene.amaka, { paymentId: first, status: "approved" });
    return [await setStatus(scene.amaka, first, "rejected"), await approve(scene.tunde, second)];
  },
  "a backer is blocked, and sends a receipt": async (scene) => [
    block(scene.amaka, scene.ada),
    await submit(scene, scene.ada),
  ],
  "a person is blocked, and made a backer": async (scene) => [
    block(scene.amaka, scene.ada),
    grant(scene, scene.tunde, scene.ada),
  ],
  "a backer is blocked, and holds lots": async (scene) => {
    await holdLots(scene);
    return [block(scene.amaka, scene.ada), begin(scene, scene.ada)];
  },
  "a backer who holds lots is blocked, and gives them back": async (scene) => {
    await holdLots(scene);
    await isDone(scene, begin(scene, scene.ada));
    return [block(scene.amaka, scene.ada), release(scene, scene.ada)];
  },
  "a project is deleted, and its lots held": async (scene) => {
    await holdLots(scene);
    return [remove(scene, scene.amaka), begin(scene, scene.ada)];
  },
  "two hold the one lot": async (scene) => {
    await holdLots(scene);
    return [begin(scene, scene.ada), begin(scene, scene.bola)];
  },
  "two hold two of the last three lots": async (scene) => {
    await sellInLots(scene, 4, 4);
    await heldBy(scene, scene.tunde);
    return [begin(scene, scene.ada, 2), begin(scene, scene.bola, 2)];
  },
  "one backer holds lots in two windows": async (scene) => {
    await holdLots(scene);
    return [begin(scene, scene.ada), begin(scene, scene.ada)];
  },
  "one backer, who holds lots of a farm, holds those of two others": async (scene) => {
    await heldBy(scene, scene.ada);
    const second = await createProject(deps.db, { title: "Second" });
    const third = await createProject(deps.db, { title: "Third" });
    return [begin({ ...scene, project: second }, scene.ada), begin({ ...scene, project: third }, scene.ada)];
  },
  "the last lot is held, and another's payment approved": async (scene) => {
    await holdLots(scene);
    return [begin(scene, scene.ada), await approve(scene.amaka, await addPending(scene, scene.bola))];
  },
  "held lots are given back, and another's payment approved": async (scene) => {
    await heldBy(scene, scene.ada);
    return [release(scene, scene.ada), await approve(scene.amaka, await addPending(scene, scene.bola))];
  },
  "held lots are given back, and paid": async (scene) => {
    await heldBy(scene, scene.ada);
    return [release(scene, scene.ada), await submit(scene, scene.ada)];
  },
  "a hold lapses, and its receipt comes": async (scene) => {
    await heldBy(scene, scene.ada);
    await endHolds();
    return [sweep(scene.amaka), await submit(scene, scene.ada)];
  },
  "a hold lapses, and another's payment is approved": async (scene) => {
    await heldBy(scene, scene.ada);
    await endHolds();
    return [sweep(scene.amaka), await approve(scene.tunde, await addPending(scene, scene.bola))];
  },
  "a hold lapses, and another holds its lot": async (scene) => {
    await heldBy(scene, scene.ada);
    await endHolds();
    return [sweep(scene.amaka), begin(scene, scene.bola)];
  },
  "a lapsed hold is swept twice, and its lot offered": async (scene) => {
    await heldBy(scene, scene.ada);
    await isDone(scene, join(scene, scene.bola));
    await endHolds();
    return [sweep(scene.amaka), sweep(scene.tunde)];
  },
  "a lapsed lot is offered, and whose turn it is leaves the list": async (scene) => {
    await heldBy(scene, scene.ada);
    await isDone(scene, join(scene, scene.bola));
    await endHolds();
    return [sweep(scene.amaka), leave(scene, scene.bola)];
  },
  "a holder is warned, and their receipt comes": async (scene) => {
    await heldBy(scene, scene.ada);
    await endHolds(3);
    return [sweep(scene.amaka), await submit(scene, scene.ada)];
  },
  "a hold is ended by hand, and its receipt comes": async (scene) => {
    await heldBy(scene, scene.ada);
    return [await endByHand(scene.amaka, scene.ada), await submit(scene, scene.ada)];
  },
  "a hold is ended by hand, and given back": async (scene) => {
    await heldBy(scene, scene.ada);
    return [await endByHand(scene.amaka, scene.ada), release(scene, scene.ada)];
  },
  "a hold is extended, and its receipt comes": async (scene) => {
    await heldBy(scene, scene.ada);
    return [await extend(scene.amaka, scene.ada), await submit(scene, scene.ada)];
  },
  "a receipt is rejected, and its hold extended": async (scene) => {
    await heldBy(scene, scene.ada);
    await isDone(scene, await submit(scene, scene.ada));
    const [payment] = await deps.db.select({ id: projectPayments.id }).from(projectPayments);
    return [await setStatus(scene.amaka, payment?.id ?? 0, "rejected"), await extend(scene.tunde, scene.ada)];
  },
  "a round is given back, and a lot of it held": async (scene) => {
    await missMinimum(scene);
    await holdLots(scene);
    return [giveBack(scene, scene.amaka), begin(scene, scene.bola)];
  },
  "a round is given back, and another payment of it approved": async (scene) => {
    await missMinimum(scene);
    return [giveBack(scene, scene.amaka), await approve(scene.tunde, await addPending(scene, scene.bola))];
  },
  "a round is given back, and a hold of it swept": async (scene) => {
    await sellInLots(scene, 4, 2);
    await heldBy(scene, scene.bola);
    await endHolds();
    await decide(deps, scene.amaka, { paymentId: await addPending(scene, scene.ada), status: "approved" });
    await deps.db.update(projects).set({ isClosed: true, closedAt: deps.clock.now() });
    return [giveBack(scene, scene.amaka), sweep(scene.tunde)];
  },
  "the terms are edited, and lots held": async (scene) => {
    await holdLots(scene);
    return [editTerms(scene, scene.amaka), begin(scene, scene.ada)];
  },
  "the terms are edited, and a receipt sent under those before": async (scene) => {
    await isDone(scene, begin(scene, scene.ada));
    return [editTerms(scene, scene.amaka), await submit(scene, scene.ada)];
  },
  "the lots are edited, and held": async (scene) => {
    await sellInLots(scene, 4, 4);
    await holdLots(scene);
    return [await edit(scene, scene.tunde, "500000"), begin(scene, scene.ada)];
  },
  "the project is closed, and a lot held": async (scene) => {
    await holdLots(scene);
    return [close(scene, scene.amaka), begin(scene, scene.ada)];
  },
  "the project is closed, and its lapsed lot offered": async (scene) => {
    await heldBy(scene, scene.ada);
    await isDone(scene, join(scene, scene.bola));
    await endHolds();
    return [close(scene, scene.amaka), sweep(scene.tunde)];
  },
  "a project is deleted, and its hold given back": async (scene) => {
    await heldBy(scene, scene.ada);
    return [remove(scene, scene.amaka), release(scene, scene.ada)];
  },
  "one waits for the lot, and another gives it back": async (scene) => {
    await heldBy(scene, scene.ada);
    return [join(scene, scene.bola), release(scene, scene.ada)];
  },
  "one backer waits in two windows": async (scene) => {
    await heldBy(scene, scene.ada);
    return [join(scene, scene.bola), join(scene, scene.bola)];
  },
  "a lot is offered, and an approval takes it": async (scene) => {
    await heldBy(scene, scene.ada);
    await isDone(scene, join(scene, scene.bola));
    return [release(scene, scene.ada), await approve(scene.amaka, await addPending(scene, scene.bola))];
  },
  "an approval is taken back, and its lot held": async (scene) => {
    await sellInLots(scene, 2, 1);
    const payment = await addPending(scene, scene.ada);
    await decide(deps, scene.amaka, { paymentId: payment, status: "approved" });
    await heldBy(scene, scene.tunde);
    return [await setStatus(scene.amaka, payment, "rejected"), begin(scene, scene.bola)];
  },
  "an owner is blocked, and approves": async (scene) => [
    block(scene.amaka, scene.tunde),
    await approve(scene.tunde, await addPending(scene, scene.ada)),
  ],
  "a project's time runs out, and its payment is approved": async (scene) => {
    const payment = await addPending(scene, scene.ada);
    await deps.db.update(projects).set({ endsAt: deps.clock.now() });
    return [{ by: scene.amaka, run: closeExpiredProjects }, await approve(scene.tunde, payment)];
  },
  "two owners ask to write a round off": async (scene) => {
    await decide(deps, scene.amaka, { paymentId: await addPending(scene, scene.ada), status: "approved" });
    return [askFor(scene, scene.amaka), askFor(scene, scene.tunde)];
  },
  "a request is confirmed twice": async (scene) => {
    await askToWriteOff(scene);
    return [decideRequest(scene.tunde, confirmRequest), decideRequest(scene.tunde, confirmRequest)];
  },
  "a request is confirmed, and withdrawn": async (scene) => {
    await askToWriteOff(scene);
    return [decideRequest(scene.tunde, confirmRequest), decideRequest(scene.amaka, withdrawRequest)];
  },
  "a request is confirmed, and whoever asked is blocked": async (scene) => {
    await askToWriteOff(scene);
    return [decideRequest(scene.tunde, confirmRequest), block(scene.tunde, scene.amaka)];
  },
  "a request is confirmed, and whoever confirms is blocked": async (scene) => {
    await askToWriteOff(scene);
    return [decideRequest(scene.tunde, confirmRequest), block(scene.amaka, scene.tunde)];
  },
  "a round is written off, and its approval taken back": async (scene) => {
    const payment = await askToWriteOff(scene);
    return [decideRequest(scene.tunde, confirmRequest), await setStatus(scene.amaka, payment, "pending")];
  },
  "a round is written off, and its project deleted": async (scene) => {
    await askToWriteOff(scene);
    return [decideRequest(scene.tunde, confirmRequest), remove(scene, scene.amaka)];
  },
  "a project is closed twice": async (scene) => [close(scene, scene.amaka), close(scene, scene.tunde)],
  "a project is reopened twice": async (scene) => {
    await isDone(scene, close(scene, scene.amaka));
    return [reopen(scene, scene.amaka), reopen(scene, scene.tunde)];
  },
  "a project is closed, and its payment approved": async (scene) => [
    close(scene, scene.amaka),
    await approve(scene.tunde, await addPending(scene, scene.ada)),
  ],
  "a project is edited by two": async (scene) => [
    await edit(scene, scene.amaka, "600000"),
    await edit(scene, scene.tunde, "700000"),
  ],
  "a project is edited, and deleted": async (scene) => [
    await edit(scene, scene.amaka, "600000"),
    remove(scene, scene.tunde),
  ],
  "a project is cloned, and deleted": async (scene) => [clone(scene, scene.amaka), remove(scene, scene.tunde)],
  "a payment of a removed project is rejected twice": async (scene) => {
    const payment = await addPending(scene, scene.ada);
    await isDone(scene, remove(scene, scene.amaka));
    return [await setStatus(scene.amaka, payment, "rejected"), await setStatus(scene.tunde, payment, "rejected")];
  },
  "a project is deleted twice": async (scene) => [remove(scene, scene.amaka), remove(scene, scene.tunde)],
  "a project is deleted, and marked as a favourite": async (scene) => [
    remove(scene, scene.amaka),
    favorite(scene, scene.ada),
  ],
  "two owners close their accounts: one stays": async ({ amaka, tunde }) => [closeOwn(amaka), closeOwn(tunde)],
};

playPairs(deps, pairs);
