import { setTimeout as sleep } from "node:timers/promises";
import { ownAccounts } from "#server/db/schema/bank.ts";
import { systemClock } from "#server/platform/clock.ts";
import { dayInLagos } from "#shared/dates.ts";
import { createAdmin, type TestUser } from "#tests/support/people.ts";
import { type TableStyle, tableRows, writeCsv } from "#tests/support/statement-files.ts";
import { type Measurement, median } from "./lib/measurement.ts";
import { peakMbOf } from "./lib/processes.ts";
import { onDatabase, type Scene } from "./lib/scene.ts";

/**
 * Imports of a bank's statement over HTTP, of the most lines that one may have and of a tenth, each into an account of its
 * own and by a process that was just started: seconds until the answer, and the process's largest memory, its reading
 * process's included.
 */
const LINES = 20_000;
const ROUNDS = 3;

const style: TableStyle = {
  layout: 1,
  day: "named",
  money: "grouped",
  isNewestFirst: false,
  hasPreamble: false,
  hasClosing: false,
  emptyCell: "",
};
/** The columns of Access Bank's layout. */
const mapping = {
  titles: ["POST DATE", "VALUE DATE", "REFERENCE", "DEBIT AMT", "CREDIT AMT", "BALANCE", "NARRATION"],
  date: 0,
  valueDate: 1,
  narration: 6,
  reference: 2,
  balance: 5,
  dayOrder: "by_file",
  money: { kind: "two_columns", debit: 3, credit: 4 },
};

export async function measure(): Promise<Measurement[]> {
  return onDatabase(1000, async (scene) => {
    const owner = await createAdmin(scene.db, "owner");
    const large: Import[] = [];
    const small: Import[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      small.push(await importLines(scene, owner, LINES / 10));
      large.push(await importLines(scene, owner, LINES));
    }
    const middle = (imports: Import[], figure: keyof Import) => median(imports.map((each) => each[figure]));
    const count = LINES.toLocaleString("en");
    return [
      {
        what: `a statement of ${count} lines, from the first byte sent to the answer`,
        values: large.map(({ seconds }) => seconds),
        unit: "s",
        target: { atMost: 20 },
        details: `a tenth of it ${middle(small, "seconds").toFixed(1)} s`,
      },
      {
        what: `largest memory while a statement of ${count} lines is imported ÷ a tenth of it`,
        values: large.map(({ peakMb }, round) => peakMb / (small[round]?.peakMb ?? Number.NaN)),
        target: { atMost: 1.5 },
        details: `${middle(large, "peakMb").toFixed(0)} MB; at a tenth ${middle(small, "peakMb").toFixed(0)} MB`,
      },
    ];
  });
}

type Import = { seconds: number; peakMb: number };
let accounts = 0;

async function importLines({ db, startProduct, cookieOf }: Scene, owner: TestUser, count: number): Promise<Import> {
  accounts += 1;
  const named = { bankName: "Bench Bank", accountName: "Gona", accountNumber: String(1_000_000_000 + accounts) };
  const [account] = await db
    .insert(ownAccounts)
    .values({ ...named, isActive: false })
    .returning();
  const body = new FormData();
  body.set("accountId", String(account?.id));
  body.set("mapping", JSON.stringify(mapping));
  body.set("file", new File([statementOf(count)], "statement.csv"));
  const cookie = await cookieOf(owner);
  const server = await startProduct();
  // What the start leaves behind is cleared up by then.
  await sleep(3000);
  let seconds = 0;
  const peakMb = await peakMbOf(server.pid, async () => {
    const started = performance.now();
    const headers = { origin: server.url, "x-upload": "1", cookie };
    const answer = await fetch(`${server.url}/bank/statements`, { method: "POST", headers, body });
    const said = (await answer.json()) as { kind?: string; newLines?: number };
    seconds = (performance.now() - started) / 1000;
    if (said.newLines !== count || said.kind !== "imported") throw new Error(JSON.stringify(said).slice(0, 500));
  });
  await server.stop();
  return { seconds, peakMb };
}

function statementOf(count: number): string {
  const day = dayInLagos(new Date(systemClock.now().getTime() - 86_400_000));
  const truths = Array.from({ length: count }, (_, index) => ({
    date: day,
    valueDate: day,
    amountKobo: BigInt(index + 1) * 100n,
    bankReference: `S${index}`,
    narration: `NIP/ACCESS/BACKER ${index} OF THE FARM/TRANSFER NUMBER ${index}`,
  }));
  return writeCsv(tableRows({ openingKobo: 0n, truths }, style));
}
