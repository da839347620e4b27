import { inArray } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { candidateTexts, restOf } from "#shared/bank/texts.ts";
import type { CandidateOf, Found, SuggestedLine } from "./candidate.ts";

/** The rule `bank_charges`, of debits: nothing of it is explained, and it has one of the texts that its account keeps. */
export async function findCharges(
  db: DbOrTx,
  lines: readonly SuggestedLine[],
): Promise<Found<CandidateOf<"bank_charges">>> {
  const whole = lines.filter(({ matchedKobo }) => matchedKobo === 0n);
  const accountIds = [...new Set(whole.flatMap(({ ownAccountId }) => ownAccountId ?? []))];
  if (accountIds.length === 0) return new Map();
  const accounts = await db
    .select({ id: ownAccounts.id, texts: ownAccounts.chargeTexts })
    .from(ownAccounts)
    .where(inArray(ownAccounts.id, accountIds));
  const textsOf = new Map(accounts.map(({ id, texts }) => [id, texts]));
  const rule = { rule: "bank_charges" as const, isSure: false, why: candidateTexts.charges };
  return new Map(
    whole
      .filter((line) => line.ownAccountId !== null && isCharge(line, textsOf.get(line.ownAccountId) ?? []))
      .map((line) => {
        const part = { kind: "bank_charges" as const, amountKobo: restOf(line) };
        return [line.id, [{ kind: part.kind, ...rule, amountKobo: part.amountKobo, part }]];
      }),
  );
}

/** Case and the number of spaces don't count. */
const plain = (text: string): string => text.toUpperCase().replace(/\s+/g, " ").trim();

const isCharge = ({ narration }: SuggestedLine, texts: readonly string[]): boolean =>
  texts.some((text) => plain(narration).includes(plain(text)));
