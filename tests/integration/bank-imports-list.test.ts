import { afterEach, expect, test } from "vitest";
import { statements } from "#server/db/schema/bank.ts";
import { listImports } from "#server/features/bank/importing/imports.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { bankLimits } from "#shared/bank/texts.ts";
import { importFile, keepOwnAccount, mappingOf } from "#tests/support/bank-imports.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { contextOf, expectMoneyHolds } from "#tests/support/money.ts";
import { createAdmin } from "#tests/support/people.ts";
import { keepNoFile } from "#tests/support/statements.ts";

/** The files that were imported for an account, with what was left out of each. */

const deps = await openTestDeps();
const { db } = deps;
const owner = await createAdmin(db, "owner");
const ctx: ActorContext = await contextOf(deps, owner);
deps.clock.set(new Date("2026-11-27T09:00:00Z"));
afterEach(() => expectMoneyHolds(deps));

const mapping = mappingOf("Date", "Narration", "Debit", "Credit", "Balance", "Status");
const fileOf = (...rows: string[]) => Buffer.from([mapping.titles.join(","), ...rows, ""].join("\n"));
const file = fileOf(
  "13/11/2026,NIP/ADA,,50.00,150.00,SUCCESSFUL",
  "14/11/2026,NIP/EFE,,70.00,150.00,FAILED",
  "14/11/2026,NIP/OBI,,70.00,150.00,FAILED",
  "15/11/2026,NIP/MUSA,,80.00,150.00,PENDING",
  "15/11/2026,NIP/IFE,,20.00,150.00,REVERSED",
  "16/11/2026,STAMP DUTY,0.00,,150.00,SUCCESSFUL",
  "Page 1 of 1,,,,,",
);
const leftOut = { failed: 2, pending: 1, reversed: 1, zero: 1, other: 1 };

test("what failed, is pending or moved nothing is left out, counted in the answer and in the list", async () => {
  const accountId = await keepOwnAccount(db, "1000000001");
  // Asked first, and counted there too.
  expect(await importFile(ctx, { accountId, file, mapping: undefined })).toMatchObject({ kind: "asks", leftOut });
  expect(await listImports(ctx, { accountId })).toEqual({ items: [], nextCursor: null, canVoid: true });
  const answer = await importFile(ctx, { accountId, file, mapping });
  expect(answer).toMatchObject({ kind: "imported", lines: 1, newLines: 1, leftOut });
  expect(answer.kind === "imported" && answer.notes).toEqual([
    "2 rows are left out because the bank says they failed.",
    "1 row is left out because the bank says it is pending.",
    "1 row is left out because the bank says it was reversed, and no balance counts it.",
    "1 line of ₦0.00 was left out.",
  ]);
  expect(await listImports(ctx, { accountId })).toEqual({
    items: [
      {
        id: expect.any(Number),
        fileName: "statement.csv",
        format: "csv",
        lines: 1,
        newLines: 1,
        leftOut,
        firstDay: "2026-11-13",
        lastDay: "2026-11-13",
        gapReason: null,
        importedByName: owner.fullName,
        importedAt: deps.clock.now(),
        fileUrl: expect.stringMatching(/^\/files\/statements\//),
      },
    ],
    nextCursor: null,
    canVoid: true,
  });
});

test("whoever may only look sees them without a way to their bytes; a refused file isn't among them", async () => {
  const accountId = await keepOwnAccount(db, "1000000002");
  await importFile(ctx, { accountId, file, mapping });
  const refused = await importFile(ctx, { accountId, file: fileOf("17/11/2026,A,,x,1.00,SUCCESSFUL"), mapping });
  expect(refused.kind).toBe("refused");
  const manager = await contextOf(deps, await createAdmin(db, "manager"));
  expect((await listImports(manager, { accountId })).items).toMatchObject([{ lines: 1, fileUrl: null }]);
});

test("the latest stand first, a page at a time, of the account only", async () => {
  const [accountId, other] = [await keepOwnAccount(db, "1000000003"), await keepOwnAccount(db, "1000000004")];
  const fileId = await keepNoFile(db);
  const rowOf = (ownAccountId: number, number: number) => ({
    ownAccountId,
    fileId,
    fileName: `${number}.csv`,
    sha256: "0".repeat(64),
    bytes: 1,
    format: "csv" as const,
    // The same day: the order is that of the imports.
    firstDay: "2026-11-13",
    lastDay: "2026-11-13",
    lines: 1,
    newLines: 0,
    pendingEntries: 0,
    importedBy: owner.id,
  });
  const count = bankLimits.pageSize + 3;
  await db.insert(statements).values(Array.from({ length: count }, (_, index) => rowOf(accountId, index)));
  await db.insert(statements).values([rowOf(other, 1000)]);
  const first = await listImports(ctx, { accountId });
  const second = await listImports(ctx, { accountId, cursor: first.nextCursor ?? "" });
  expect([first.items.length, second.items.length, second.nextCursor]).toEqual([bankLimits.pageSize, 3, null]);
  expect([...first.items, ...second.items].map(({ fileName }) => fileName)).toEqual(
    Array.from({ length: count }, (_, index) => `${count - 1 - index}.csv`),
  );
  await expect(listImports(ctx, { accountId, cursor: "nonsense" })).rejects.toMatchObject({ reason: "invalid" });
});
