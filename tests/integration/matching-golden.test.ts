import { asc, inArray, isNull, sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { statementLines } from "#server/db/schema/bank.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { refreshSuggestions } from "#server/features/bank/matching/suggestions.ts";
import { formatNaira } from "#shared/money.ts";
import { bankCharges } from "#tests/golden/matching/bank-charges.ts";
import { cameBack } from "#tests/golden/matching/came-back.ts";
import { leftToPeople } from "#tests/golden/matching/left-to-people.ts";
import { namesAndAmounts } from "#tests/golden/matching/names-and-amounts.ts";
import { otherAmount } from "#tests/golden/matching/other-amount.ts";
import { ourReference } from "#tests/golden/matching/our-reference.ts";
import { ownTransfers } from "#tests/golden/matching/own-transfers.ts";
import { payoutsLeaving } from "#tests/golden/matching/payouts-leaving.ts";
import { purchases } from "#tests/golden/matching/purchases.ts";
import { runDays } from "#tests/golden/matching/run-days.ts";
import { runs } from "#tests/golden/matching/runs.ts";
import { runsOrOwnTransfers } from "#tests/golden/matching/runs-or-own-transfers.ts";
import { severalReferences } from "#tests/golden/matching/several-references.ts";
import { takenBack } from "#tests/golden/matching/taken-back.ts";
import { unknownDays } from "#tests/golden/matching/unknown-days.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { type PlayedScene, playScene } from "#tests/support/matching-scenes.ts";
import { expectMoneyHolds } from "#tests/support/money.ts";
import type { Caller } from "#tests/support/people.ts";

/** The candidates of each line of the golden scenes: in the drawer, in the list, and for the matching job. */

const deps = await openTestDeps();
afterEach(() => expectMoneyHolds(deps));

const scenes = [
  ourReference,
  otherAmount,
  purchases,
  severalReferences,
  namesAndAmounts,
  takenBack,
  payoutsLeaving,
  runs,
  runDays,
  runsOrOwnTransfers,
  unknownDays,
  cameBack,
  ownTransfers,
  bankCharges,
  leftToPeople,
];

type Candidate = Awaited<ReturnType<Caller["bank"]["line"]>>["candidates"][number];

/** Names what a candidate stands for, as the scene calls it. */
function subjectOf({ nameOf, withNames }: PlayedScene, candidate: Candidate): string {
  switch (candidate.kind) {
    case "payment":
      return `payment ${nameOf("payments", candidate.payment.id)}`;
    case "purchase":
      return candidate.part ? `purchase ${withNames(candidate.part.reference).slice(1, -1)}` : "purchase";
    case "split":
      return candidate.parts
        .map(({ reference, part }) => `${withNames(reference).slice(1, -1)} ${formatNaira(part.amountKobo)}`)
        .join(" and ");
    case "taken_back":
      return `credit of ${nameOf("payments", candidate.payment.id)}`;
    case "payout":
      return `payout ${nameOf("payouts", candidate.payout.id)}${candidate.isLateDebit ? " by a second debit" : ""}`;
    case "returned":
      return `return of ${nameOf("payouts", candidate.payout.id)}`;
    case "payout_run":
      return `run ${nameOf("runs", candidate.run.id)} of ${candidate.run.payouts}`;
    case "sale":
      return `sale ${nameOf("sales", candidate.sale.id)}`;
    case "sale_taken_back":
      return `credit of sale ${nameOf("sales", candidate.sale.id)}`;
    case "bank_charges":
      return "the bank";
    case "own_transfer":
      return `line ${nameOf("lines", candidate.part.counterLineId)}`;
  }
}

/** Writes a candidate as the scenes do. */
function told(played: PlayedScene, candidate: Candidate): string {
  const rule = `${candidate.rule}${candidate.isSure ? ", sure" : ""}`;
  const sum = `${formatNaira(candidate.amountKobo)}${candidate.part || candidate.kind === "split" ? "" : ", not to be chosen"}`;
  return `${rule}: ${subjectOf(played, candidate)}, ${sum}. ${played.withNames(candidate.why)}`;
}

const ruleOf = (candidate = ""): string | null => /^\w+/.exec(candidate)?.[0] ?? null;

test.each(scenes)("$about", async (scene) => {
  const played = await playScene(deps, scene);
  const looked = played.lines.filter(({ golden }) => golden.candidates !== undefined);
  await refreshSuggestions(deps.db);
  const ids = looked.map(({ id }) => id);
  const rows = await deps.db.select().from(statementLines).where(inArray(statementLines.id, ids));
  const shown = [];
  for (const { golden, id } of looked) {
    const { candidates } = await played.owner.bank.line({ lineId: id });
    shown.push({
      about: golden.about,
      candidates: candidates.map((candidate) => told(played, candidate)),
      listed: rows.find((row) => row.id === id)?.suggestedRule,
    });
  }
  expect(shown).toEqual(
    looked.map(({ golden: { about, candidates } }) => ({ about, candidates, listed: ruleOf(candidates?.[0]) })),
  );
  // The job acts on what is sure, and on nothing else.
  await matchSureLines(deps);
  const matched = await deps.db
    .selectDistinct({ lineId: lineMatches.lineId, rule: lineMatches.rule })
    .from(lineMatches)
    .where(sql`${lineMatches.rule} is not null and ${isNull(lineMatches.undoneAt)}`)
    .orderBy(asc(lineMatches.lineId));
  const aboutOf = (lineId: number) => looked.find(({ id }) => id === lineId)?.golden.about;
  expect(matched.map(({ lineId, rule }) => [aboutOf(lineId), rule])).toEqual(
    looked.flatMap(({ golden: { about, candidates, isLeft } }) =>
      candidates?.[0]?.includes(", sure: ") && !isLeft ? [[about, ruleOf(candidates[0])]] : [],
    ),
  );
});
