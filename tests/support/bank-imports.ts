import { createHash } from "node:crypto";
import type { Db } from "#server/db/open.ts";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { importStatement } from "#server/features/bank/importing/import-statement.ts";
import type { ActorContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { ImportAnswer } from "#shared/bank/statement-import-texts.ts";
import type { StatementMapping } from "#shared/bank/statements.ts";
import { contextOf, setBankDetails } from "./money.ts";
import type { TestUser } from "./people.ts";
import { type Statement, type TableStyle, type Truth, tableRows, writeCsv } from "./statement-files.ts";

/** Importing statements as an owner does, for tests. */

/** An own account. The first of the database is the active one, which the bank details name. */
export async function keepOwnAccount(db: Db, accountNumber = "0123456789"): Promise<number> {
  await setBankDetails(db, accountNumber);
  const isFirst = (await db.$count(ownAccounts)) === 0;
  const named = { bankName: "Test Bank", accountName: "Gona Farms Limited", accountNumber };
  const [account] = await db
    .insert(ownAccounts)
    .values({ ...named, isActive: isFirst })
    .returning();
  if (!account) throw new Error("no account");
  return account.id;
}

let named = 0;

/** A line of a statement, with a text of its own unless one is given. */
export function line(date: string, amountKobo: bigint, narration?: string): Truth {
  named += 1;
  const text = narration ?? `NIP/ACCESS/BACKER ${named}`;
  return { date, valueDate: date, amountKobo, narration: text, bankReference: `S${named}` };
}

const accessStyle: TableStyle = {
  layout: 1,
  day: "named",
  money: "grouped",
  isNewestFirst: false,
  hasPreamble: false,
  hasClosing: false,
  emptyCell: "",
};

/** A CSV with a balance on every line, as Access Bank writes it. */
export const csvOf = (statement: Statement): Buffer => Buffer.from(writeCsv(tableRows(statement, accessStyle)));

/** The columns of {@link csvOf}. */
export const accessMapping: StatementMapping = {
  titles: ["POST DATE", "VALUE DATE", "REFERENCE", "DEBIT AMT", "CREDIT AMT", "BALANCE", "NARRATION"],
  date: 0,
  valueDate: 1,
  narration: 6,
  reference: 2,
  balance: 5,
  money: { kind: "two_columns", debit: 3, credit: 4 },
  dayOrder: "by_file",
};

/** The columns of a table with these headings. */
export function mappingOf(...titles: string[]): StatementMapping {
  const at = (...names: string[]) => titles.findIndex((title) => names.includes(title));
  const orNull = (name: string) => (titles.includes(name) ? at(name) : null);
  return {
    titles,
    date: at("Date"),
    valueDate: null,
    narration: at("Narration", "Description"),
    reference: orNull("Ref"),
    balance: orNull("Balance"),
    money: titles.includes("Amount")
      ? { kind: "one_column", amount: at("Amount"), mark: null }
      : { kind: "two_columns", debit: at("Debit"), credit: at("Credit") },
    dayOrder: "by_file",
  };
}

type Given = Partial<Omit<Parameters<typeof importStatement>[1], "file">> & { accountId: number; file: Uint8Array };

/** Imports a file whose columns are those of {@link csvOf}, unless others are given. */
export async function importFile(ctx: ActorContext, { file, ...given }: Given): Promise<ImportAnswer> {
  const content = new Uint8Array(file);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const received = { content, sha256, bytes: content.length, originalName: "statement.csv" };
  return importStatement(ctx, { mapping: accessMapping, ...given, file: received });
}

export async function importAs(deps: Deps, owner: TestUser, given: Given): Promise<ImportAnswer> {
  return importFile(await contextOf(deps, owner), given);
}
