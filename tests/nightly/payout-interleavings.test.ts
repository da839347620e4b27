import { eq } from "drizzle-orm";
import { postOpening } from "#server/books/events/lines.ts";
import { inTransaction } from "#server/db/open.ts";
import { ownAccounts, statements } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { payeeAccounts, payoutRuns, payouts } from "#server/db/schema/payouts.ts";
import { matchLine } from "#server/features/bank/matching/match-line.ts";
import { undoOne } from "#server/features/bank/matching/undo-match.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { takeRefundBack } from "#server/features/payments/unallocated/service.ts";
import { payByHand } from "#server/features/payouts/by-hand.ts";
import { useAccount } from "#server/features/payouts/payee-accounts/service.ts";
import { releaseToFarm } from "#server/features/payouts/releases/service.ts";
import { approveRun, voidRun } from "#server/features/payouts/runs/decide.ts";
import { exportRun } from "#server/features/payouts/runs/export.ts";
import { makeRun } from "#server/features/payouts/runs/make.ts";
import { lockOpenPayouts, type Payout } from "#server/features/payouts/service.ts";
import { withholdPayout } from "#server/features/payouts/withhold.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { keepOwnAccount } from "#tests/support/bank-imports.ts";
import { decide, declareArrived, findPayment, seen } from "#tests/support/money.ts";
import { confirming, isDone, matching, openPairs, type Pair, playPairs, type Write } from "#tests/support/pairs.ts";
import { findPayout, giveAccount, giveBack, keepConfirmed, keepRun } from "#tests/support/payouts.ts";
import { farmOf } from "#tests/support/projects.ts";
import { addPending, type Member, type Scene } from "#tests/support/race-scene.ts";
import { keepLine, keepNoFile, openOwnAccount } from "#tests/support/statements.ts";

/** As interleavings.test.ts, for what meets where money goes out. */

const deps = await openPairs();
const reason = "It was made by mistake.";

/** A payout of Ada's that is due, and an account of ours to pay it from. */
const due = async (scene: Scene) => {
  const { amaka: owner, ada: backer } = scene;
  const paymentId = await addPending(scene, backer);
  await decide(deps, owner, { paymentId, status: "approved" });
  const owed = await giveBack(deps, owner, await findPayment(deps.db, paymentId));
  await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id, accountNumber: "0123456789" });
  const ownAccount = await openOwnAccount(deps, { importedBy: owner.id, openingKobo: owed.payment.amountKobo });
  const payout = await findPayout(deps, owed.payouts[0]?.id ?? 0);
  return { ...owed, payout, ownAccount };
};
type Due = Awaited<ReturnType<typeof due>>;

const making = (by: Member, { payout, ownAccount }: Due): Write => ({
  by,
  run: (ctx) => makeRun(ctx, { payoutIds: [payout.id], ownAccountId: ownAccount.id }),
});
const withholding = (by: Member, { payout }: Due): Write => ({
  by,
  run: (ctx) => withholdPayout(ctx, { payoutId: payout.id, reason: "We look at the account first." }),
});
const runId = async (): Promise<number> => {
  const [run] = await deps.db.select({ id: payoutRuns.id }).from(payoutRuns);
  return run?.id ?? 0;
};

/** It is in a run that Amaka made. */
const drafted = async (scene: Scene) => {
  const owed = await due(scene);
  await isDone(scene, making(scene.amaka, owed));
  return { ...owed, runId: await runId() };
};
const approving = (by: Member, { runId: id }: { runId: number }): Write => ({
  by,
  run: (ctx) => approveRun(ctx, { runId: id }),
});
const voiding = (by: Member, { runId: id }: { runId: number }): Write => ({
  by,
  run: (ctx) => voidRun(ctx, { runId: id, reason }),
});
const exporting = (by: Member, { runId: id }: { runId: number }): Write => ({
  by,
  run: (ctx) => exportRun(ctx, { runId: id, profile: "generic" }),
});
const approved = async (scene: Scene) => {
  const owed = await drafted(scene);
  await isDone(scene, approving(scene.tunde, owed));
  return owed;
};
const sent = async (scene: Scene) => {
  const owed = await approved(scene);
  await isDone(scene, exporting(scene.amaka, owed));
  return { ...owed, payout: await findPayout(deps, owed.payout.id) };
};

/** Another account of Ada's. */
const changingAccount = ({ ada }: Scene): Write => ({
  by: ada,
  run: (ctx) =>
    inTransaction(ctx.db, (tx) =>
      useAccount(
        tx,
        { userId: ada.id },
        { bankCode: "058", accountNumber: "0999999999", accountName: "Ada Obi", addedBy: ada.id, at: ctx.clock.now() },
      ),
    ),
});
const takingBack = (by: Member, { refund }: Pick<Due, "refund">): Write => ({
  by,
  run: (ctx) => takeRefundBack(ctx, { refundId: refund.id, reason }),
});
const paying = (by: Member, { id: payoutId }: Payout): Write => ({
  by,
  run: (ctx) => payByHand(ctx, { payoutId, sessionId: "1".padStart(30, "0"), reason: "The bank's app shows it." }),
});
/** A line that shows a payout leaving, or coming back. */
const showing = async ({ payout, ownAccount }: Due, kind: "payout" | "returned", position = 1) => {
  const amountKobo = kind === "payout" ? -payout.amountKobo : payout.amountKobo;
  // What comes back names its payout, so that one owner may say so.
  const reference = kind === "payout" ? null : payout.reference;
  return keepLine(deps, ownAccount, { amountKobo, position, reference, narration: `NIP ${kind}` });
};
const partOf = (kind: "payout" | "returned", { id: payoutId, amountKobo }: Payout): LinePart =>
  kind === "payout" ? { kind, payoutId, amountKobo } : { kind, payoutId, amountKobo, reason: "name differs" };

/** A payout that was marked as paid before the first statement, and that Amaka asks to declare failed. */
const paidBefore = async (scene: Scene) => {
  const { amaka: owner, tunde: second, ada: backer } = scene;
  const paymentId = await addPending(scene, backer);
  await decide(deps, owner, { paymentId, status: "approved" });
  const made = await giveBack(deps, owner, await findPayment(deps.db, paymentId));
  const account = await giveAccount(deps, { userId: backer.id }, { addedBy: backer.id, accountNumber: "0123456789" });
  const id = await keepOwnAccount(deps.db);
  const payout = await findPayout(deps, made.payouts[0]?.id ?? 0);
  await keepRun(deps, [{ payout, account }], { ownAccount: { id }, owner, second });
  await isDone(scene, paying(owner, payout));
  const day = "2026-11-05";
  const [statement] = await deps.db
    .insert(statements)
    .values({
      fileId: await keepNoFile(deps.db),
      fileName: "a.csv",
      sha256: "0".repeat(64),
      bytes: 1,
      format: "csv",
      lines: 1,
      newLines: 1,
      pendingEntries: 0,
      firstDay: day,
      lastDay: "2026-12-20",
      ownAccountId: id,
      importedBy: owner.id,
    })
    .returning();
  const at = deps.clock.now();
  const openingKobo = payout.amountKobo * 5n;
  await inTransaction(deps.db, (tx) => postOpening(tx, { ownAccountId: id, openingKobo, actorId: owner.id, at }));
  await deps.db.update(ownAccounts).set({ openedOn: day, openingKobo });
  const owed = {
    ...made,
    payout: await findPayout(deps, payout.id),
    ownAccount: { id, statementId: statement?.id ?? 0 },
  };
  return { owed, failing: await confirming(scene, { kind: "fail_payout", details: { payoutId: payout.id } }) };
};

/** A round is funded by Ada's payment, and a line shows all of it. */
const funded = async (scene: Scene) => {
  const { amaka: owner, ada: backer } = scene;
  const paymentId = await addPending(scene, backer);
  const { amountKobo: seenKobo, reference } = await findPayment(deps.db, paymentId);
  const ownAccount = await openOwnAccount(deps, { importedBy: owner.id });
  const credit = { amountKobo: seenKobo, narration: reference, position: 9 };
  const { id: lineId } = await keepLine(deps, ownAccount, credit);
  const part = { kind: "payment" as const, amountKobo: seenKobo, paymentId };
  await isDone(scene, { by: owner, run: (ctx) => matchLine(ctx, { lineId, seenMatchedKobo: 0n, parts: [part] }) });
  await decide(deps, owner, { paymentId, status: "approved" });
  return { paymentId, seenKobo, ownAccount };
};

/** All of a funded round was sent to its farm, whose account isn't used any more. */
const sentToFarm = async (scene: Scene) => {
  const { amaka: owner, tunde: second, project } = scene;
  const { seenKobo, ownAccount } = await funded(scene);
  await isDone(scene, {
    by: owner,
    run: (ctx) =>
      releaseToFarm(ctx, { part: 1, askId: null, projectId: project.id, round: 1, seenKobo, amountKobo: seenKobo }),
  });
  const account = await giveAccount(deps, farmOf(project), { addedBy: owner.id, accountNumber: "0123456789" });
  const [made] = await deps.db.select().from(payouts);
  const payout = await findPayout(deps, made?.id ?? 0);
  await keepRun(deps, [{ payout, account }], { ownAccount, owner, second });
  await deps.db.update(payeeAccounts).set({ replacedAt: deps.clock.now() });
  return { payout: await findPayout(deps, payout.id), ownAccount };
};
const givingFarmAccount = ({ project }: Scene, by: Member): Write => ({
  by,
  run: (ctx) =>
    inTransaction(ctx.db, async (tx) => {
      const payee = farmOf(project);
      await lockOpenPayouts(tx, payee);
      const given = { bankCode: "058", accountNumber: "0888888888", accountName: "The farm" };
      const at = ctx.clock.now();
      const requestId = await keepConfirmed(tx, { ...payee, by: by.id, at });
      await useAccount(tx, payee, { ...given, addedBy: by.id, requestId, at });
    }),
});

const pairs: Record<string, Pair> = {
  "a refund becomes due, and its backer gives a first account": async (scene) => {
    const { amaka, ada } = scene;
    const paymentId = await addPending(scene, ada);
    await decide(deps, amaka, { paymentId, status: "approved" });
    await decide(deps, amaka, { paymentId, status: "pending" });
    await declareArrived(deps, amaka, await findPayment(deps.db, paymentId));
    const back = { ...(await seen(deps.db, paymentId)), status: "rejected" as const, isGivenBack: true };
    return [{ by: amaka, run: (ctx) => setPaymentStatus(ctx, back) }, changingAccount(scene)];
  },
  "two owners make a run of one payout": async (scene) => {
    const owed = await due(scene);
    return [making(scene.amaka, owed), making(scene.tunde, owed)];
  },
  "a run is made, and the refund taken back": async (scene) => {
    const owed = await due(scene);
    return [making(scene.amaka, owed), takingBack(scene.tunde, owed)];
  },
  "a run is made, and the account changed": async (scene) => {
    const owed = await due(scene);
    return [making(scene.amaka, owed), changingAccount(scene)];
  },
  "a run is approved, and the account changed": async (scene) => {
    const owed = await drafted(scene);
    return [approving(scene.tunde, owed), changingAccount(scene)];
  },
  "a run is approved, and declared void": async (scene) => {
    const owed = await drafted(scene);
    return [approving(scene.tunde, owed), voiding(scene.amaka, owed)];
  },
  "a run is exported, and declared void": async (scene) => {
    const owed = await approved(scene);
    return [exporting(scene.amaka, owed), voiding(scene.tunde, owed)];
  },
  "a run is exported twice at once": async (scene) => {
    const owed = await approved(scene);
    return [exporting(scene.amaka, owed), exporting(scene.tunde, owed)];
  },
  "a run is exported, and the account changed": async (scene) => {
    const owed = await approved(scene);
    return [exporting(scene.amaka, owed), changingAccount(scene)];
  },
  "a run is exported, and the refund taken back": async (scene) => {
    const owed = await approved(scene);
    return [exporting(scene.amaka, owed), takingBack(scene.tunde, owed)];
  },
  "a line shows a payout, and it is paid by hand": async (scene) => {
    const owed = await sent(scene);
    const line = await showing(owed, "payout");
    return [matching(scene.amaka, line, partOf("payout", owed.payout)), paying(scene.tunde, owed.payout)];
  },
  "two lines show one payout leaving": async (scene) => {
    const owed = await sent(scene);
    const [one, other] = [await showing(owed, "payout"), await showing(owed, "payout", 2)];
    const part = partOf("payout", owed.payout);
    return [matching(scene.amaka, one, part), matching(scene.tunde, other, part)];
  },
  "a payout leaves and comes back at once": async (scene) => {
    const owed = await sent(scene);
    const [out, back] = [await showing(owed, "payout"), await showing(owed, "returned", 2)];
    return [
      matching(scene.amaka, out, partOf("payout", owed.payout)),
      matching(scene.tunde, back, partOf("returned", owed.payout)),
    ];
  },
  "two lines show one payout coming back": async (scene) => {
    const owed = await sent(scene);
    const [one, other] = [await showing(owed, "returned"), await showing(owed, "returned", 2)];
    const part = partOf("returned", owed.payout);
    return [matching(scene.amaka, one, part), matching(scene.tunde, other, part)];
  },
  "a payout comes back, and is paid by hand": async (scene) => {
    const owed = await sent(scene);
    const line = await showing(owed, "returned");
    return [matching(scene.amaka, line, partOf("returned", owed.payout)), paying(scene.tunde, owed.payout)];
  },
  "a payout comes back, and the account is changed": async (scene) => {
    const owed = await sent(scene);
    const line = await showing(owed, "returned");
    return [matching(scene.amaka, line, partOf("returned", owed.payout)), changingAccount(scene)];
  },
  "a payout is declared failed, and a line shows it leaving": async (scene) => {
    const owed = await sent(scene);
    await deps.db.update(statements).set({ lastDay: "2026-12-01" });
    const failing = await confirming(scene, { kind: "fail_payout", details: { payoutId: owed.payout.id } });
    return [failing, matching(scene.amaka, await showing(owed, "payout"), partOf("payout", owed.payout))];
  },
  "a payout that was paid by hand before the statements is declared failed, and another line matched with it": async (
    scene,
  ) => {
    const { owed, failing } = await paidBefore(scene);
    const line = await keepLine(deps, owed.ownAccount, {
      amountKobo: -owed.payout.amountKobo * 3n,
      position: 1,
      narration: "NIP",
    });
    return [failing, matching(scene.amaka, line, partOf("payout", owed.payout))];
  },
  "the line of a payout that was paid by hand before the statements is matched twice": async (scene) => {
    const { owed } = await paidBefore(scene);
    const [one, other] = [await showing(owed, "payout"), await showing(owed, "payout", 2)];
    const part = partOf("payout", owed.payout);
    return [matching(scene.amaka, one, part), matching(scene.tunde, other, part)];
  },
  "a late debit is booked as a loss, and the payout comes back": async (scene) => {
    const { owed, failing } = await paidBefore(scene);
    await isDone(scene, failing);
    const [debit, back] = [await showing(owed, "payout"), await showing(owed, "returned", 2)];
    const details = { lineId: debit.id, payoutId: owed.payout.id, amountKobo: owed.payout.amountKobo.toString() };
    return [
      await confirming(scene, { kind: "book_loss", details }),
      matching(scene.amaka, back, partOf("returned", owed.payout)),
    ];
  },
  "a farm's payout comes back after its account was replaced, and its next account is given": async (scene) => {
    const farm = await sentToFarm(scene);
    const line = await keepLine(deps, farm.ownAccount, {
      amountKobo: farm.payout.amountKobo,
      position: 1,
      narration: "RVSL",
    });
    return [matching(scene.amaka, line, partOf("returned", farm.payout)), givingFarmAccount(scene, scene.tunde)];
  },
  "a funded round's money is returned to its backers, and its approval taken back": async (scene) => {
    const { paymentId, seenKobo } = await funded(scene);
    const details = { projectId: scene.project.id, round: 1, amountKobo: String(seenKobo / 3n) };
    const back = { ...(await seen(deps.db, paymentId)), status: "pending" as const };
    return [
      await confirming(scene, { kind: "return_to_backers", details }),
      { by: scene.amaka, run: (ctx) => setPaymentStatus(ctx, back) },
    ];
  },
  "that a payout came back is undone, and the one that took its place put into a run": async (scene) => {
    const owed = await sent(scene);
    const back = await showing(owed, "returned");
    await isDone(scene, matching(scene.amaka, back, partOf("returned", owed.payout)));
    const [match] = await deps.db.select().from(lineMatches).where(eq(lineMatches.lineId, back.id));
    const [next] = await deps.db.select().from(payouts).where(eq(payouts.replacesId, owed.payout.id));
    if (!next) throw new Error("nothing took its place");
    return [
      await confirming(scene, { kind: "undo_match", details: { matchId: match?.id ?? 0 } }),
      making(scene.amaka, { ...owed, payout: next }),
    ];
  },
  "that a payout came back is undone, and its account is changed": async (scene) => {
    const owed = await sent(scene);
    const back = await showing(owed, "returned");
    const part = { ...partOf("returned", owed.payout), isAccountWrong: true };
    await isDone(scene, matching(scene.amaka, back, part));
    const [match] = await deps.db.select().from(lineMatches).where(eq(lineMatches.lineId, back.id));
    const undoing = await confirming(scene, { kind: "undo_match", details: { matchId: match?.id ?? 0 } });
    return [undoing, changingAccount(scene)];
  },
  "the bank refused a run, and a line shows its payout leaving": async (scene) => {
    const owed = await sent(scene);
    const details = { runId: owed.runId, payoutIds: [owed.payout.id] };
    const refusing = await confirming(scene, { kind: "refuse_payouts", details });
    return [refusing, matching(scene.amaka, await showing(owed, "payout"), partOf("payout", owed.payout))];
  },
  "a payout is withheld, and put into a run": async (scene) => {
    const owed = await due(scene);
    return [withholding(scene.amaka, owed), making(scene.tunde, owed)];
  },
  "a withheld payout is let go, and its refund taken back": async (scene) => {
    const owed = await due(scene);
    await isDone(scene, withholding(scene.amaka, owed));
    const letting = await confirming(scene, { kind: "let_payout_go", details: { payoutId: owed.payout.id } });
    return [letting, takingBack(scene.amaka, owed)];
  },
  "a payout's match is undone, and it comes back": async (scene) => {
    const owed = await sent(scene);
    const [out, back] = [await showing(owed, "payout"), await showing(owed, "returned", 2)];
    await isDone(scene, matching(scene.amaka, out, partOf("payout", owed.payout)));
    const [match] = await deps.db.select().from(lineMatches).where(eq(lineMatches.lineId, out.id));
    return [
      {
        by: scene.amaka,
        run: (ctx) => inTransaction(ctx.db, (tx) => undoOne(tx, ctx, { matchId: match?.id ?? 0, reason })),
      },
      matching(scene.tunde, back, partOf("returned", owed.payout)),
    ];
  },
};

playPairs(deps, pairs);
