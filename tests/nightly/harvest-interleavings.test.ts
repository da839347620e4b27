import { asc, eq } from "drizzle-orm";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { storedFiles } from "#server/db/schema/files.ts";
import { harvestCosts, harvestParts, harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { holderChanges } from "#server/db/schema/holder-changes.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payeeAccounts, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { secondPersonRequests } from "#server/db/schema/second-person.ts";
import { settings } from "#server/db/schema/settings.ts";
import { settlements } from "#server/db/schema/settlements.ts";
import { allotIfDue } from "#server/features/harvests/choosing/allotment.ts";
import { choose } from "#server/features/harvests/choosing/choose.ts";
import { collectProduce, moveUncollected } from "#server/features/harvests/choosing/collection.ts";
import { lowerQuantity } from "#server/features/harvests/choosing/lower.ts";
import { openHarvest } from "#server/features/harvests/choosing/open.ts";
import { addHarvestFile } from "#server/features/harvests/harvest-files.ts";
import { addCost, removeCost } from "#server/features/harvests/selling/costs.ts";
import { addSale } from "#server/features/harvests/selling/sales.ts";
import { createHarvest, withdrawHarvest } from "#server/features/harvests/service.ts";
import { readCostsAtEnd } from "#server/features/harvests/settling/end-harvest.ts";
import { finishHarvest } from "#server/features/harvests/settling/finish.ts";
import { reverseSettlement } from "#server/features/harvests/settling/reverse.ts";
import { settleHarvest } from "#server/features/harvests/settling/settle.ts";
import { carryOut } from "#server/features/payments/holder-changes/service.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { releaseToFarm } from "#server/features/payouts/releases/service.ts";
import { voidRun } from "#server/features/payouts/runs/decide.ts";
import { exportRun } from "#server/features/payouts/runs/export.ts";
import { makeRun } from "#server/features/payouts/runs/make.ts";
import { closeAccount } from "#server/features/people/users/service.ts";
import { grantBacking, revokeGrant } from "#server/features/projects/backings/service.ts";
import { updateTerms } from "#server/features/projects/update-terms.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { keptMatch } from "#shared/bank/inputs.ts";
import { withholdingKey } from "#shared/settings/texts.ts";
import { keepEvidence, seenDraft } from "#tests/support/harvests.ts";
import { decide, findPayment, seen } from "#tests/support/money.ts";
import { confirming, isDone, matching, openPairs, type Pair, playPairs, type Write } from "#tests/support/pairs.ts";
import { findPayout, giveAccount, keepRun } from "#tests/support/payouts.ts";
import { testPassword } from "#tests/support/people.ts";
import { farmOf } from "#tests/support/projects.ts";
import { addPending, type Member, receiptNamed, type Scene } from "#tests/support/race-scene.ts";
import { keepLine, type OwnAccount, openOwnAccount } from "#tests/support/statements.ts";

/** As interleavings.test.ts, for what meets at a harvest. */

const deps = await openPairs();
const reason = "It was entered by mistake.";
const day = 86_400_000;

/** The same write so many days from now: sessions don't last until a harvest ends. */
const later = (days: number, { by, run }: Write): Write => ({ by, run: (ctx) => run(inDays(ctx, days)) });
const inDays = <Ctx extends Pick<ActorContext, "clock">>(ctx: Ctx, days: number): Ctx => ({
  ...ctx,
  clock: { now: () => new Date(ctx.clock.now().getTime() + days * day) },
});
/** All of it takes the same moment, so that nothing is told of a difference of milliseconds. */
const write = (by: Member, run: Write["run"]): Write => ({ by, run });

const evidence = async (scene: Scene, by: Member): Promise<string> => {
  const { key: storageKey, ...file } = await receiptNamed(scene, `evidence ${by.fullName}`);
  const [stored] = await deps.db
    .insert(storedFiles)
    .values({ ...file, kind: "evidence", storageKey, uploadedBy: by.id })
    .returning();
  return stored?.id ?? "";
};

/** Ada has paid for the whole farm. */
const funded = async (scene: Scene) => {
  const { amaka, ada, project } = scene;
  const terms = {
    unit: "kg" as const,
    plannedQuantity: null,
    plannedPrice: null,
    plannedHarvests: null,
    harvestPlan: [],
    firstHarvestOn: null,
  };
  const more = {
    farmPart: 1000,
    deductibleCosts: ["Feed"],
    fee: 500,
    collectionPlace: "",
    choiceDays: 14,
    collectionDays: 7,
  };
  const options = ["produce", "sale", "give_away"] as ("produce" | "sale" | "give_away")[];
  await isDone(
    scene,
    write(amaka, (ctx) =>
      updateTerms(ctx, {
        releaseParts: [],
        projectId: project.id,
        seenVersion: 1,
        ...terms,
        ...more,
        options,
        insurance: null,
      }),
    ),
  );
  const paymentId = await addPending(scene, ada);
  await decide(deps, amaka, { paymentId, status: "approved" });
  return { paymentId };
};

const drafted = async (scene: Scene) => {
  const { paymentId } = await funded(scene);
  const facts = { quantity: 100_000n, lostQuantity: 0n, referencePrice: 275_000n, note: "" };
  const about = { projectId: scene.project.id, round: 1, ...facts };
  await isDone(
    scene,
    write(scene.amaka, (ctx) => createHarvest(ctx, about)),
  );
  const [harvest] = await deps.db.select().from(harvests);
  return { paymentId, harvestId: harvest?.id ?? 0 };
};
type Of = { harvestId: number };

const opening = (by: Member, { harvestId }: Of) =>
  write(by, async (ctx) => openHarvest(ctx, await seenDraft(ctx.db, harvestId)));
const opened = async (scene: Scene) => {
  const made = await drafted(scene);
  await isDone(scene, opening(scene.amaka, made));
  return made;
};
const choosing = (by: Member, { harvestId }: Of, taken = 40_000n) =>
  write(by, (ctx) => choose(ctx, { harvestId, taken, given: 0n }));
const allotting = (by: Member, { harvestId }: Of) =>
  later(
    20,
    write(by, (ctx) => allotIfDue(ctx, harvestId)),
  );
const allotted = async (scene: Scene) => {
  const made = await opened(scene);
  await isDone(scene, choosing(scene.ada, made));
  await isDone(scene, allotting(scene.amaka, made));
  return made;
};
const collecting = async (by: Member, { harvestId }: Of): Promise<Write> => {
  const [part] = await deps.db.select().from(harvestParts);
  return later(
    21,
    write(by, (ctx) => collectProduce(ctx, { harvestId, code: part?.code ?? "" })),
  );
};

/**
 * A sale of so many kobo that two owners have seen, or that waits for the second. Tunde wrote it down, so Amaka settles
 * it.
 */
const sale = async (scene: Scene, { harvestId }: Of, amount = 1_000_000n, quantity = 1000n) => {
  const sold = { harvestId, pool: "sold" as const, buyer: "Market", quantity, amount };
  await isDone(
    scene,
    write(scene.tunde, (ctx) => addSale(ctx, sold)),
  );
  const kept = (await deps.db.select().from(harvestSales).orderBy(asc(harvestSales.id))).at(-1);
  const saleId = kept?.id ?? 0;
  const fileId = await evidence(scene, scene.amaka);
  await isDone(
    scene,
    write(scene.amaka, (ctx) => addHarvestFile(ctx, { harvestId, saleId, fileId })),
  );
  const details = { saleId, amountKobo: String(amount) };
  return confirming(scene, { kind: "declare_sale", details });
};
const settling = (by: Member, { harvestId }: Of, amount = 1_000_000n) =>
  write(by, (ctx) => settleHarvest(ctx, { harvestId, pool: "sold", amount }));
const sold = async (scene: Scene, quantity?: bigint) => {
  const made = await allotted(scene);
  await isDone(scene, await sale(scene, made, 1_000_000n, quantity));
  return made;
};
/** Money of a sale that a line shows. */
const received = async (scene: Scene) => {
  const made = await allotted(scene);
  const sold = { harvestId: made.harvestId, pool: "sold" as const, buyer: "Market", quantity: 1000n };
  await isDone(
    scene,
    write(scene.tunde, (ctx) => addSale(ctx, { ...sold, amount: 1_000_000n })),
  );
  const [kept] = await deps.db.select().from(harvestSales);
  const saleId = kept?.id ?? 0;
  const ownAccount = await openOwnAccount(deps, { importedBy: scene.amaka.id });
  const credit = await keepLine(deps, ownAccount, { amountKobo: 1_000_000n, narration: "NIP MARKET", position: 1 });
  await isDone(scene, matching(scene.amaka, credit, { kind: "sale", amountKobo: 1_000_000n, saleId }));
  const [match] = await deps.db.select().from(lineMatches).where(eq(lineMatches.lineId, credit.id));
  return { ...made, saleId, ownAccount, creditMatchId: match?.id ?? 0 };
};
const settled = async (scene: Scene, quantity?: bigint) => {
  const made = await sold(scene, quantity);
  await giveAccount(deps, { userId: scene.ada.id }, { addedBy: scene.ada.id, accountNumber: "0123456789" });
  await isDone(scene, settling(scene.amaka, made));
  const [settlement] = await deps.db.select().from(settlements);
  return { ...made, settlementId: settlement?.id ?? 0 };
};
const reversing = (by: Member, { settlementId }: { settlementId: number }) =>
  write(by, (ctx) => reverseSettlement(ctx, { settlementId, reason }));

/** Ada's payout of the settlement, as the bank has got it. */
const sentToAda = async ({ amaka, tunde, ada }: Scene, ownAccount: OwnAccount) => {
  const [payout] = await deps.db.select().from(payouts).where(eq(payouts.userId, ada.id));
  const [account] = await deps.db.select().from(payeeAccounts).where(eq(payeeAccounts.userId, ada.id));
  if (!payout || !account) throw new Error("nothing is due");
  await keepRun(deps, [{ payout, account }], { ownAccount, owner: amaka, second: tunde });
  return payout;
};
const selling = (by: Member, { harvestId }: Of, quantity: bigint) =>
  write(by, (ctx) => addSale(ctx, { harvestId, pool: "sold", buyer: by.fullName, quantity, amount: 100_000n }));
/** Amaka has asked for what Bola's grant is to count, and Tunde confirms it. */
const weighing = async (scene: Scene, weightKobo: bigint, seenKobo: bigint) => {
  const about = { projectId: scene.project.id, userId: scene.bola.id, round: 1 };
  const details = { ...about, weightKobo: String(weightKobo), seenKobo: String(seenKobo) };
  return confirming(scene, { kind: "set_weight", details });
};
const revoking = (by: Member, { project, bola }: Scene) =>
  write(by, (ctx) => revokeGrant(ctx, { projectId: project.id, userId: bola.id }));
/** Bola backs the farm by a grant with a weight, beside what Ada paid. */
const granted = async (scene: Scene) => {
  const made = await drafted(scene);
  const { amaka, project, bola } = scene;
  await isDone(
    scene,
    write(amaka, (ctx) => grantBacking(ctx, { projectId: project.id, userId: bola.id })),
  );
  await isDone(scene, await weighing(scene, 5_000_000n, 0n));
  return made;
};

const finishing = (by: Member, { harvestId }: Of) => write(by, (ctx) => finishHarvest(ctx, { harvestId }));
const spending = async (scene: Scene, by: Member, { harvestId }: Of, amount = 100_000n) => {
  const fileId = await evidence(scene, by);
  const cost = { harvestId, label: "Feed", amount, paidBy: "platform" as const };
  return write(by, (ctx) => addCost(ctx, { ...cost, fileId }));
};
/** A harvest that was withdrawn, and that the platform had bought feed for. */
const withdrawnWithCost = async (scene: Scene) => {
  const made = await opened(scene);
  await isDone(scene, await spending(scene, scene.amaka, made));
  await isDone(
    scene,
    write(scene.amaka, (ctx) => withdrawHarvest(ctx, { ...made, reason })),
  );
  return made;
};

const losingCosts = (scene: Scene, { harvestId }: Of) =>
  confirming(scene, { kind: "lose", details: { what: "costs", harvestId, lostKobo: "100000" } });
/** Returns the kobo of the platform's costs that would be lost if the harvest ended now. */
const lostOf = async ({ harvestId }: Of) => String((await readCostsAtEnd(deps.db, { id: harvestId })).lostKobo);
const losing = (what: "rest" | "costs") => async (scene: Scene, made: Of) =>
  confirming(scene, { kind: "lose", details: { what, harvestId: made.harvestId, lostKobo: await lostOf(made) } });
const losingRest = losing("rest");
const endingWithLoss = losing("costs");
/** A harvest that was sold, settled and collected. Its farm bears one cost of the platform, and not another. */
const soldOut = async (scene: Scene) => {
  const made = await settled(scene, 60_000n);
  await isDone(scene, await collecting(scene.amaka, made));
  await isDone(scene, await spending(scene, scene.amaka, made));
  return made;
};
const soldWithLoss = async (scene: Scene) => {
  const made = await soldOut(scene);
  await isDone(scene, await spending(scene, scene.amaka, made));
  return made;
};
/** Puts the payouts of the farm, which are due from now on, into a run. */
const runForFarm = async ({ amaka, project }: Scene) => {
  const ownAccount = await openOwnAccount(deps, { importedBy: amaka.id });
  await giveAccount(deps, farmOf(project), { addedBy: amaka.id, accountNumber: "0123456780" });
  const promised = new Date("2026-12-30T17:00:00Z");
  const due = await deps.db
    .update(payouts)
    .set({ state: "due", dueAt: promised, promisedBy: promised })
    .where(eq(payouts.kind, "farm"))
    .returning();
  const payoutIds = due.map(({ id }) => id);
  return write(amaka, (ctx) => makeRun(ctx, { payoutIds, ownAccountId: ownAccount.id }));
};
/** A harvest of which a part was settled, with a cost that the farm will bear, and a file that shows why no more comes. */
const endable = async (scene: Scene) => {
  const made = await settled(scene);
  await isDone(scene, await collecting(scene.amaka, made));
  await isDone(scene, await spending(scene, scene.amaka, made));
  const fileId = await evidence(scene, scene.tunde);
  await isDone(
    scene,
    later(
      22,
      write(scene.tunde, (ctx) => addHarvestFile(ctx, { harvestId: made.harvestId, fileId })),
    ),
  );
  return made;
};

/** Passes Ada's part of the round to Bola: two owners said so, and nobody objected within 14 days. */
const passing = async ({ amaka, tunde, ada, bola, project }: Scene, { paymentId }: { paymentId: number }) => {
  const at = new Date(deps.clock.now().getTime() - 15 * day);
  const people = { fromUserId: ada.id, toUserId: bola.id };
  const [asked] = await deps.db
    .insert(secondPersonRequests)
    .values({
      kind: "change_holder",
      subject: String(paymentId),
      details: { paymentId, ...people },
      reason,
      requestedBy: amaka.id,
      requestedAt: at,
      decision: "confirmed",
      decidedBy: tunde.id,
      decidedAt: at,
    })
    .returning();
  const about = { paymentId, projectId: project.id, projectTitle: project.title, round: 1, ...people };
  const said = { cause: "gift" as const, reason, requestId: asked?.id ?? 0, madeBy: tunde.id };
  const [change] = await deps.db
    .insert(holderChanges)
    .values({ ...about, ...said, createdAt: at, until: new Date(at.getTime() + 14 * day) })
    .returning();
  return write(tunde, (ctx) => carryOut(ctx, change?.id ?? 0));
};

/** Nothing shows that what Ada paid has come, as Amaka says, and Tunde confirms it. */
const striking = async (scene: Scene, { paymentId }: { paymentId: number }) => {
  const { amountKobo } = await findPayment(deps.db, paymentId);
  const fileIds = [await keepEvidence(deps, scene.amaka)];
  return confirming(scene, { kind: "strike_payment", details: { paymentId, lostKobo: String(amountKobo), fileIds } });
};
/** Ada's share of a settlement, in a run that two owners have approved. */
const approvedRun = async (scene: Scene) => {
  const made = await settled(scene);
  const { amaka, tunde, ada } = scene;
  const ownAccount = await openOwnAccount(deps, { importedBy: amaka.id });
  const [payout] = await deps.db.select().from(payouts).where(eq(payouts.userId, ada.id));
  const [account] = await deps.db.select().from(payeeAccounts).where(eq(payeeAccounts.userId, ada.id));
  if (!payout || !account) throw new Error("nothing is due");
  const by = { ownAccount, owner: amaka, second: tunde, isExported: false };
  const runId = await keepRun(deps, [{ payout, account }], by);
  const approved = { state: "approved" as const, approvedBy: tunde.id, approvedAt: deps.clock.now() };
  await deps.db.update(payoutRuns).set(approved).where(eq(payoutRuns.id, runId));
  return { ...made, runId };
};

const pairs: Record<string, Pair> = {
  "a payment is struck, and its harvest settled": async (scene) => {
    const made = await sold(scene);
    return [await striking(scene, made), settling(scene.amaka, made)];
  },
  "a payment is struck, and its backer chooses": async (scene) => {
    const made = await opened(scene);
    return [await striking(scene, made), choosing(scene.ada, made)];
  },
  "a payment is struck, and its round's money released to the farm": async (scene) => {
    const made = await opened(scene);
    const { amountKobo } = await findPayment(deps.db, made.paymentId);
    const released = { projectId: scene.project.id, round: 1, part: 1, askId: null, seenKobo: amountKobo, amountKobo };
    return [await striking(scene, made), write(scene.amaka, (ctx) => releaseToFarm(ctx, released))];
  },
  "a payment is struck, and the run with its backer's share exported": async (scene) => {
    const made = await approvedRun(scene);
    const exporting = write(scene.amaka, (ctx) => exportRun(ctx, { runId: made.runId, profile: "generic" }));
    return [await striking(scene, made), exporting];
  },
  "a payment is struck, and the run with its backer's share declared void": async (scene) => {
    const made = await approvedRun(scene);
    return [await striking(scene, made), write(scene.tunde, (ctx) => voidRun(ctx, { runId: made.runId, reason }))];
  },
  "a payment of lots that passed on is struck, and the run with its old holder's share declared void": async (
    scene,
  ) => {
    const made = await approvedRun(scene);
    await isDone(scene, await passing(scene, made));
    return [await striking(scene, made), write(scene.tunde, (ctx) => voidRun(ctx, { runId: made.runId, reason }))];
  },
  "a payment of lots that passed on is struck, and its old holder's share put into another run": async (scene) => {
    const made = await approvedRun(scene);
    await isDone(scene, await passing(scene, made));
    await isDone(
      scene,
      write(scene.tunde, (ctx) => voidRun(ctx, { runId: made.runId, reason })),
    );
    const [due] = await deps.db.select().from(payouts).where(eq(payouts.userId, scene.ada.id));
    const [ownAccount] = await deps.db.select().from(ownAccounts);
    const run = { payoutIds: [due?.id ?? 0], ownAccountId: ownAccount?.id ?? 0 };
    return [await striking(scene, made), write(scene.amaka, (ctx) => makeRun(ctx, run))];
  },
  "lots change their holder, and the old one chooses": async (scene) => {
    const made = await opened(scene);
    return [await passing(scene, made), choosing(scene.ada, made)];
  },
  "lots change their holder, and the harvest is settled": async (scene) => {
    const made = await sold(scene);
    return [await passing(scene, made), settling(scene.amaka, made)];
  },
  "lots change their holder, and what is due is put into a run": async (scene) => {
    const made = await settled(scene);
    const ownAccount = await openOwnAccount(deps, { importedBy: scene.amaka.id });
    const due = await deps.db.select().from(payouts).where(eq(payouts.userId, scene.ada.id));
    const run = { payoutIds: due.map(({ id }) => id), ownAccountId: ownAccount.id };
    return [await passing(scene, made), write(scene.amaka, (ctx) => makeRun(ctx, run))];
  },
  "lots change their holder, and the run with their share is exported": async (scene) => {
    const made = await approvedRun(scene);
    const exporting = write(scene.amaka, (ctx) => exportRun(ctx, { runId: made.runId, profile: "generic" }));
    return [await passing(scene, made), exporting];
  },
  "lots change their holder, and their settlement is reversed": async (scene) => {
    const made = await settled(scene);
    return [await passing(scene, made), reversing(scene.amaka, made)];
  },
  "lots change their holder, and their payment is struck": async (scene) => {
    const made = await settled(scene);
    return [await passing(scene, made), await striking(scene, made)];
  },
  "two processes carry a change of holder out": async (scene) => {
    const made = await settled(scene);
    const first = await passing(scene, made);
    return [first, { ...first, by: scene.amaka }];
  },
  "two managers open a harvest": async (scene) => {
    const made = await drafted(scene);
    return [opening(scene.amaka, made), opening(scene.tunde, made)];
  },
  "a harvest is opened, and withdrawn": async (scene) => {
    const made = await drafted(scene);
    return [opening(scene.amaka, made), write(scene.tunde, (ctx) => withdrawHarvest(ctx, { ...made, reason }))];
  },
  "a harvest is opened, and an approval of its round taken back": async (scene) => {
    const made = await drafted(scene);
    const { paymentId } = made;
    const takingBack = { ...(await seen(deps.db, paymentId)), status: "rejected" as const };
    return [opening(scene.amaka, made), write(scene.tunde, (ctx) => setPaymentStatus(ctx, takingBack))];
  },
  "a harvest that began is withdrawn, and an approval of its round taken back": async (scene) => {
    const made = await opened(scene);
    const { paymentId } = made;
    const takingBack = { ...(await seen(deps.db, paymentId)), status: "rejected" as const };
    return [
      write(scene.amaka, (ctx) => withdrawHarvest(ctx, { ...made, reason })),
      write(scene.tunde, (ctx) => setPaymentStatus(ctx, takingBack)),
    ];
  },
  "a backer chooses, and the time for it ends": async (scene) => {
    const made = await opened(scene);
    return [choosing(scene.ada, made), allotting(scene.amaka, made)];
  },
  "a backer chooses, and the quantity falls": async (scene) => {
    const made = await opened(scene);
    const lower = { harvestId: made.harvestId, quantity: 50_000n, reason };
    return [choosing(scene.ada, made), write(scene.amaka, (ctx) => lowerQuantity(ctx, lower))];
  },
  "a backer chooses, and the harvest is withdrawn": async (scene) => {
    const made = await opened(scene);
    return [choosing(scene.ada, made), write(scene.amaka, (ctx) => withdrawHarvest(ctx, { ...made, reason }))];
  },
  "a backer chooses in two windows": async (scene) => {
    const made = await opened(scene);
    return [choosing(scene.ada, made), choosing(scene.ada, made, 10_000n)];
  },
  "a harvest is allotted by two processes": async (scene) => {
    const made = await opened(scene);
    await isDone(scene, choosing(scene.ada, made));
    return [allotting(scene.amaka, made), allotting(scene.tunde, made)];
  },
  "produce is collected at two desks": async (scene) => {
    const made = await allotted(scene);
    return [await collecting(scene.amaka, made), await collecting(scene.tunde, made)];
  },
  "produce is collected, and its time ends": async (scene) => {
    const made = await allotted(scene);
    const ends = later(
      30,
      write(scene.tunde, (ctx) => moveUncollected(ctx, made.harvestId)),
    );
    return [await collecting(scene.amaka, made), ends];
  },
  "two owners settle the same money": async (scene) => {
    const made = await sold(scene);
    return [settling(scene.amaka, made), settling(scene.amaka, made)];
  },
  "money of a sale is confirmed, and what came before is settled": async (scene) => {
    const made = await sold(scene);
    return [await sale(scene, made, 500_000n), settling(scene.amaka, made)];
  },
  "a declared sale is taken back, and its money settled": async (scene) => {
    const made = await sold(scene);
    const [kept] = await deps.db.select().from(harvestSales);
    const details = { saleId: kept?.id ?? 0, amountKobo: "1000000" };
    return [await confirming(scene, { kind: "take_back_sale", details }), settling(scene.amaka, made)];
  },
  "a sale's amount is raised, and its money settled": async (scene) => {
    const made = await received(scene);
    const details = { saleId: made.saleId, amountKobo: "1500000", seenKobo: "1000000" };
    return [await confirming(scene, { kind: "change_sale", details }), settling(scene.amaka, made)];
  },
  "money of a sale is taken back by the bank, and settled": async (scene) => {
    const made = await received(scene);
    const { ownAccount, saleId, creditMatchId } = made;
    const debit = await keepLine(deps, ownAccount, { amountKobo: -1_000_000n, narration: "RVSL MARKET", position: 2 });
    const part = { kind: "sale_taken_back" as const, amountKobo: 1_000_000n, saleId, creditMatchId };
    const details = keptMatch({ lineId: debit.id, seenMatchedKobo: 0n, parts: [part] });
    return [await confirming(scene, { kind: "match_line", details }), settling(scene.amaka, made)];
  },
  "a cost of the farm is counted, and the harvest settled": async (scene) => {
    const made = await sold(scene);
    const cost = { harvestId: made.harvestId, label: "Feed", amount: 100_000n, paidBy: "farm" as const };
    const fileId = await evidence(scene, scene.tunde);
    await isDone(
      scene,
      write(scene.tunde, (ctx) => addCost(ctx, { ...cost, fileId })),
    );
    const [kept] = await deps.db.select().from(harvestCosts);
    const details = { costId: kept?.id ?? 0, amountKobo: "100000" };
    return [await confirming(scene, { kind: "count_cost", details }), settling(scene.amaka, made)];
  },
  "a harvest is settled, and the backer closes the account": async (scene) => {
    const made = await sold(scene);
    const closing = write(scene.ada, (ctx) => closeAccount(ctx, { currentPassword: testPassword }));
    return [settling(scene.amaka, made), closing];
  },
  "a harvest is settled, and the backer gives a first account": async (scene) => {
    const made = await sold(scene);
    const account = { addedBy: scene.ada.id, accountNumber: "0123456789" };
    const giving = write(scene.ada, (ctx) => giveAccount({ ...deps, db: ctx.db }, { userId: scene.ada.id }, account));
    return [settling(scene.amaka, made), giving];
  },
  "a settlement is reversed twice": async (scene) => {
    const made = await settled(scene);
    return [reversing(scene.amaka, made), reversing(scene.tunde, made)];
  },
  "a settlement is reversed, and a payout of it put into a run": async (scene) => {
    const made = await settled(scene);
    const ownAccount = await openOwnAccount(deps, { importedBy: scene.amaka.id });
    const all = await deps.db.select().from(payouts);
    const payoutIds = all.flatMap(({ id, state }) => (state === "due" ? [id] : []));
    return [
      reversing(scene.amaka, made),
      write(scene.tunde, (ctx) => makeRun(ctx, { payoutIds, ownAccountId: ownAccount.id })),
    ];
  },
  "a settlement is reversed, and a payout of it comes back": async (scene) => {
    const made = await settled(scene);
    const ownAccount = await openOwnAccount(deps, { importedBy: scene.amaka.id });
    const { id: payoutId } = await sentToAda(scene, ownAccount);
    const { amountKobo } = await findPayout(deps, payoutId);
    const line = await keepLine(deps, ownAccount, { amountKobo, position: 1, narration: "NIP returned" });
    const part = { kind: "returned" as const, payoutId, amountKobo, reason: "name differs" };
    return [reversing(scene.amaka, made), matching(scene.tunde, line, part)];
  },
  "two managers sell the rest of a harvest": async (scene) => {
    const made = await allotted(scene);
    // Ten of the farm's, and fifty of Ada's ninety.
    return [selling(scene.amaka, made, 60_000n), selling(scene.tunde, made, 60_000n)];
  },
  "two lines pass the same tax on": async (scene) => {
    const made = await sold(scene);
    await deps.db.insert(settings).values({ key: withholdingKey, value: "5" });
    await isDone(scene, settling(scene.amaka, made));
    const ownAccount = await openOwnAccount(deps, { importedBy: scene.amaka.id });
    const amountKobo = 40_000n;
    const passing = async (by: Member, position: number) => {
      const line = await keepLine(deps, ownAccount, {
        amountKobo: -amountKobo,
        position,
        narration: `FIRS ${position}`,
      });
      return matching(by, line, { kind: "wht", amountKobo });
    };
    return [await passing(scene.amaka, 1), await passing(scene.tunde, 2)];
  },
  "a grant's weight is taken away, and a harvest opened": async (scene) => {
    const made = await granted(scene);
    return [await weighing(scene, 0n, 5_000_000n), opening(scene.amaka, made)];
  },
  "a grant with a weight is revoked, and a harvest opened": async (scene) => {
    const made = await granted(scene);
    return [revoking(scene.amaka, scene), opening(scene.tunde, made)];
  },
  "a grant with a weight is revoked, and the harvest allotted": async (scene) => {
    const made = await granted(scene);
    await isDone(scene, opening(scene.amaka, made));
    return [revoking(scene.amaka, scene), allotting(scene.tunde, made)];
  },
  "a grant's weight is taken away, and the harvest allotted": async (scene) => {
    const made = await granted(scene);
    const takingAway = await weighing(scene, 0n, 5_000_000n);
    await isDone(scene, opening(scene.amaka, made));
    return [takingAway, allotting(scene.amaka, made)];
  },
  "an approval is taken back, and the harvest allotted": async (scene) => {
    const made = await opened(scene);
    const takingBack = { ...(await seen(deps.db, made.paymentId)), status: "rejected" as const };
    return [write(scene.tunde, (ctx) => setPaymentStatus(ctx, takingBack)), allotting(scene.amaka, made)];
  },
  "the costs of a withdrawn harvest are booked as a loss in two windows": async (scene) => {
    const made = await withdrawnWithCost(scene);
    const losingThem = await losingCosts(scene, made);
    return [losingThem, losingThem];
  },
  "the costs of a withdrawn harvest are booked as a loss, and another written down": async (scene) => {
    const made = await withdrawnWithCost(scene);
    return [await losingCosts(scene, made), await spending(scene, scene.amaka, made)];
  },
  "the costs of a withdrawn harvest are booked as a loss, and a line shows one": async (scene) => {
    const made = await withdrawnWithCost(scene);
    const ownAccount = await openOwnAccount(deps, { importedBy: scene.amaka.id });
    const line = await keepLine(deps, ownAccount, { amountKobo: -100_000n, position: 1, narration: "TRF FEED MILL" });
    const part = { kind: "harvest_cost" as const, amountKobo: 100_000n, harvestId: made.harvestId };
    return [await losingCosts(scene, made), matching(scene.amaka, line, part)];
  },
  "the costs of a withdrawn harvest are booked as a loss, and one is taken back": async (scene) => {
    const made = await withdrawnWithCost(scene);
    const [cost] = await deps.db.select().from(harvestCosts);
    return [await losingCosts(scene, made), write(scene.amaka, (ctx) => removeCost(ctx, { costId: cost?.id ?? 0 }))];
  },
  "the booking of a lost harvest's costs is taken back by another in two windows": async (scene) => {
    const made = await withdrawnWithCost(scene);
    await isDone(scene, await losingCosts(scene, made));
    return [await spending(scene, scene.amaka, made), await spending(scene, scene.tunde, made)];
  },
  "the rest of a harvest is lost, and a sale of it written down": async (scene) => {
    const made = await endable(scene);
    return [await losingRest(scene, made), selling(scene.amaka, made, 20_000n)];
  },
  "the rest of a harvest is lost, and its money settled": async (scene) => {
    const made = await endable(scene);
    const losingIt = await losingRest(scene, made);
    await isDone(scene, await sale(scene, made, 500_000n));
    return [losingIt, settling(scene.amaka, made, 500_000n)];
  },
  "the rest of a harvest is lost, and a settlement of it reversed": async (scene) => {
    const made = await endable(scene);
    return [await losingRest(scene, made), reversing(scene.amaka, made)];
  },
  "the rest of a harvest is lost, and a payout of its farm comes back": async (scene) => {
    const made = await endable(scene);
    const { amaka, tunde, project } = scene;
    const ownAccount = await openOwnAccount(deps, { importedBy: amaka.id });
    const [payout] = await deps.db.select().from(payouts).where(eq(payouts.kind, "farm"));
    const account = await giveAccount(deps, farmOf(project), { addedBy: amaka.id, accountNumber: "0123456780" });
    if (!payout) throw new Error("nothing is due to the farm");
    await keepRun(deps, [{ payout, account }], { ownAccount, owner: amaka, second: tunde });
    const { id: payoutId, amountKobo } = payout;
    const line = await keepLine(deps, ownAccount, { amountKobo, position: 1, narration: "NIP returned" });
    const part = { kind: "returned" as const, payoutId, amountKobo, reason: "name differs" };
    return [await losingRest(scene, made), matching(amaka, line, part)];
  },
  "the rest of a harvest is lost, and a payout of its farm put into a run": async (scene) => {
    const made = await endable(scene);
    return [await losingRest(scene, made), await runForFarm(scene)];
  },
  "a harvest ends with a loss, and another cost is written down": async (scene) => {
    const made = await soldWithLoss(scene);
    return [await endingWithLoss(scene, made), await spending(scene, scene.amaka, made)];
  },
  "a harvest ends with a loss, and a payout of its farm is put into a run": async (scene) => {
    const made = await soldWithLoss(scene);
    return [await endingWithLoss(scene, made), await runForFarm(scene)];
  },
  "a harvest ends with a loss, and a settlement of it is reversed": async (scene) => {
    const made = await soldWithLoss(scene);
    return [await endingWithLoss(scene, made), reversing(scene.amaka, made)];
  },
  "one owner finishes a harvest, and a cost is written down that its farm doesn't bear": async (scene) => {
    const made = await soldOut(scene);
    return [finishing(scene.tunde, made), await spending(scene, scene.amaka, made)];
  },
  "one owner finishes a harvest, and the payout that bears its costs is put into a run": async (scene) => {
    const made = await soldOut(scene);
    return [finishing(scene.tunde, made), await runForFarm(scene)];
  },
  "a settlement is reversed, and the harvest ended": async (scene) => {
    const made = await settled(scene);
    await isDone(scene, await collecting(scene.amaka, made));
    return [reversing(scene.amaka, made), finishing(scene.tunde, made)];
  },
};

playPairs(deps, pairs);
