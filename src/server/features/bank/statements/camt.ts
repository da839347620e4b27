import {
  statementLimits,
  statementNotes,
  statementTexts,
  statementRowTexts as texts,
} from "#shared/bank/statement-texts.ts";
import { readAmount } from "./amounts.ts";
import { type BalancePoint, joinParts, printedBalance, type StatementPart } from "./balances.ts";
import { refuseForeignCurrency } from "./currencies.ts";
import { readWrittenDay } from "./dates.ts";
import { findSessionId } from "./narrations.ts";
import {
  cleanText,
  type Day,
  nothingLeftOut,
  Refusal,
  RowFaults,
  readTexts,
  type StatementFile,
  type StatementLine,
  shown,
} from "./statement.ts";
import { inChunks, readXml } from "./xml.ts";

/**
 * ISO 20022 CAMT.053, versions .02 and .08: statements (Stmt) with balances (Bal) and entries (Ntry). An entry is a line;
 * its number in the file stands for the row.
 */

/** The values within an element by their path, like "BookgDt/Dt". */
type Values = Map<string, string[]>;
/** The format has a few hundred. */
const maxPlaces = 1_000;

const first = (values: Values, ...paths: string[]): string =>
  paths.map((path) => values.get(path)?.[0] ?? "").find((value) => value !== "") ?? "";

const statuses = { BOOK: "booked", PDNG: "pending", INFO: "pending", FUTR: "pending" } as const;

/** The paths of a transaction's texts: those of the payer, in words or as a reference, and the bank's own. */
const textsWithin = [
  "TxDtls/RmtInf/Ustrd",
  "TxDtls/RmtInf/Strd/CdtrRefInf/Ref",
  "TxDtls/RmtInf/Strd/AddtlRmtInf",
  "TxDtls/AddtlTxInf",
  "AddtlNtryInf",
];

/** Banks tell the same in several places: what stands there already isn't added. */
const addTexts = (told: string, more: readonly string[]): string =>
  more.reduce((all, text) => (all.includes(text) ? all : `${all} ${text}`.trim()), told);

export async function readCamt(text: string): Promise<StatementFile> {
  const reader = new CamtReader();
  let root = "";
  await readXml(inChunks(text), {
    open(path, attributes) {
      root ||= path[1] ?? "";
      reader.open(path, attributes);
    },
    close: (path, own) => reader.close(path, own),
  });
  if (root !== "BkToCstmrStmt") throw new Refusal(statementTexts.unknown);
  return reader.result();
}

class CamtReader {
  readonly #faults = new RowFaults("Entry");
  readonly #parts: StatementPart[] = [];
  readonly #accounts = new Set<string>();
  #values: Values = new Map();
  #currency = "";
  #row = 0;
  #pending = 0;

  open(path: readonly string[], attributes: Readonly<Record<string, string>>): void {
    const inside = path.slice(2);
    if (inside.length === 1 && inside[0] === "Stmt") {
      this.#parts.push({ lines: [], opening: null, closing: null });
    }
    if (inside.length === 2 && (inside[1] === "Ntry" || inside[1] === "Bal")) this.#values = new Map();
    // The amount of the entry or balance itself; within its details stand others.
    if (inside.length === 3 && inside[2] === "Amt") this.#currency = attributes.Ccy ?? "";
  }

  close(path: readonly string[], own: string): void {
    const [statement, element, ...inside] = path.slice(2);
    const part = this.#parts.at(-1);
    if (statement !== "Stmt" || element === undefined || !part) return;
    if (element === "Acct") {
      const place = inside.join("/");
      if (place === "Id/IBAN" || place === "Id/Othr/Id") this.#accounts.add(own.trim());
      if (place === "Ccy") refuseForeignCurrency(own.trim());
    } else if (inside.length > 0) {
      const value = own.trim();
      const place = inside.join("/");
      const values = this.#values.get(place);
      if (values) values.push(value);
      else if (value !== "") {
        if (this.#values.size === maxPlaces) throw new Refusal(statementTexts.damaged);
        this.#values.set(place, [value]);
      }
    } else if (element === "Bal") {
      this.#keepBalance(part);
    } else if (element === "Ntry") {
      this.#keepEntry(part);
    }
  }

  result(): StatementFile {
    this.#faults.throwIfAny();
    if (this.#accounts.size > 1) throw new Refusal(statementTexts.severalAccounts);
    const joined = joinParts(this.#parts);
    // A quiet day has balances all the same.
    if (joined.lines.length === 0 && joined.days === null) throw new Refusal(statementTexts.noLines);
    const [account = null] = this.#accounts;
    return {
      kind: "read",
      format: "camt053",
      table: null,
      account,
      ...joined,
      dayOrder: null,
      leftOut: { ...nothingLeftOut(), pending: this.#pending },
      notes: this.#pending > 0 ? [statementNotes.pending(this.#pending)] : [],
    };
  }

  #keepBalance(part: StatementPart): void {
    const values = this.#values;
    const kind = first(values, "Tp/CdOrPrtry/Cd");
    // The closing balance of the statement before opens this one where no other does.
    const opens = kind === "OPBD" || (kind === "PRCD" && part.opening === null);
    if (!opens && kind !== "CLBD") return;
    const amount = this.#readAmount(null);
    if (amount === null) return;
    const written = readWrittenDay(first(values, "Dt/Dt", "Dt/DtTm").slice(0, 10));
    const balance: BalancePoint = printedBalance(amount, written.kind === "day" ? written.day : null);
    if (opens) part.opening = balance;
    else part.closing = balance;
  }

  #keepEntry(part: StatementPart): void {
    this.#row += 1;
    if (this.#row > statementLimits.lines) throw new Refusal(statementTexts.tooManyLines);
    const status = first(this.#values, "Sts/Cd", "Sts");
    const kind = statuses[status as keyof typeof statuses] as (typeof statuses)[keyof typeof statuses] | undefined;
    if (kind === undefined) this.#faults.add(this.#row, texts.badField("the status (Sts)", shown(status)));
    else if (kind === "pending") this.#pending += 1;
    else {
      const line = this.#lineOf(this.#row);
      if (line) part.lines.push(line);
    }
  }

  #lineOf(row: number): StatementLine | null {
    const values = this.#values;
    const amountKobo = this.#readAmount(row);
    const valueDate = this.#readDay(row, "ValDt");
    const date = this.#readDay(row, "BookgDt") ?? valueDate;
    if (date === null) this.#faults.add(row, texts.missingField("the booking date (BookgDt)"));
    if (amountKobo === null || date === null) return null;
    const details = "NtryDtls/TxDtls";
    const { narration, bankReference } = readTexts(this.#faults, row, {
      narration: textsWithin.reduce(
        (told, path) => addTexts(told, values.get(path.replace("TxDtls", details)) ?? []),
        "",
      ),
      bankReference: first(values, "AcctSvcrRef", `${details}/Refs/AcctSvcrRef`),
    });
    const other = amountKobo > 0n ? "Dbtr" : "Cdtr";
    const endToEnd = cleanText(first(values, `${details}/Refs/EndToEndId`));
    return {
      row,
      date,
      valueDate,
      amountKobo,
      balanceKobo: null,
      narration,
      bankReference,
      customerReference: endToEnd === "" || endToEnd === "NOTPROVIDED" ? null : endToEnd,
      counterparty:
        cleanText(first(values, `${details}/RltdPties/${other}/Nm`, `${details}/RltdPties/${other}/Pty/Nm`)) || null,
      sessionId: findSessionId(narration, bankReference, endToEnd),
      // The direction of a reversal is its own, not that of what it takes back.
      isReversal: ["true", "1"].includes(first(values, "RvslInd")),
    };
  }

  #readAmount(row: number | null): bigint | null {
    const text = first(this.#values, "Amt");
    const direction = first(this.#values, "CdtDbtInd");
    // A point, no separators of thousands, and no sign: the direction stands beside it.
    const kobo = /^\d{1,13}(?:\.\d{1,5})?$/.test(text)
      ? (readAmount(text.replace(/(\.\d\d)0+$/, "$1"))?.kobo ?? null)
      : null;
    if (kobo === null) this.#faults.add(row, texts.badAmount(shown(text)));
    else if (this.#currency === "") this.#faults.add(row, texts.missingField("the currency (Ccy)"));
    else if (this.#currency !== "NGN") refuseForeignCurrency(this.#currency);
    else if (direction !== "CRDT" && direction !== "DBIT") {
      this.#faults.add(row, texts.badField("the direction (CdtDbtInd)", shown(direction)));
    } else return direction === "CRDT" ? kobo : -kobo;
    return null;
  }

  #readDay(row: number, element: string): Day | null {
    const text = first(this.#values, `${element}/Dt`, `${element}/DtTm`);
    if (text === "") return null;
    const written = /^\d{4}-\d\d-\d\d/.test(text) ? readWrittenDay(text.slice(0, 10)) : null;
    if (written?.kind === "day") return written.day;
    this.#faults.add(row, texts.impossibleDay(shown(text)));
    return null;
  }
}
