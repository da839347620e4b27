import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/**
 * Recomputes an exported ledger on anybody's machine: needs Node and the file "ledger.json" of the books' export, no server, no
 * database and no package.
 *
 *   node verify-ledger.mjs ledger.json
 *   node verify-ledger.mjs ledger.json "48,213 7f3a 91c0"     whether the head that a paper prints is in the chain
 *
 * Each head is the sha256 of the one before it, a line feed, and a line for each entry since, which ends with a line feed. A line has
 * the values below, separated by "|". A month's hash is the same of the month before it and of the entries that are dated in it.
 */
const valuesOf = (entry) => [
  entry.id,
  entry.transactionId,
  new Date(entry.createdAt).toISOString(),
  entry.kind,
  entry.account,
  entry.amountKobo,
  entry.paymentId,
  entry.projectId,
  entry.round,
  entry.userId,
  entry.ownAccountId,
  entry.lineId,
  entry.matchId,
  entry.payoutId,
  entry.harvestId,
  entry.settlementId,
  entry.saleId,
  entry.releaseId,
  entry.returnId,
  entry.holderChangeId,
  entry.reversesId,
  entry.actorId,
];
const lineOf = (entry) =>
  `${valuesOf(entry)
    .map((value) => value ?? "")
    .join("|")}\n`;

const faults = [];
const heads = new Map();
const balances = new Map();
const open = new Map();
/** The lines of each month of Lagos, as a hash that waits for that of the month before. */
const months = new Map();

let hash = "";
let since = createHash("sha256").update("\n");
let lastId = 0;
let count = 0;

function read(entry) {
  count += 1;
  if (entry.id <= lastId) faults.push(`Entry ${entry.id} is out of order.`);
  lastId = entry.id;
  const amount = BigInt(entry.amountKobo);
  balances.set(entry.account, (balances.get(entry.account) ?? 0n) + amount);
  if (balances.get(entry.account) !== BigInt(entry.balanceKobo))
    faults.push(`Entry ${entry.id} says another balance of ${entry.account} than its entries give.`);
  const sum = (open.get(entry.transactionId) ?? 0n) + amount;
  if (sum === 0n) open.delete(entry.transactionId);
  else open.set(entry.transactionId, sum);
  const line = lineOf(entry);
  since.update(line);
  const month = entry.createdAt.slice(0, 7);
  if (!months.has(month)) months.set(month, []);
  months.get(month).push(line);
  if (entry.headN === null) return;
  hash = since.digest("hex");
  if (entry.headN !== heads.size + 1) faults.push(`Head ${entry.headN} is out of order.`);
  if (entry.headHash !== hash) faults.push(`Head ${entry.headN} is ${entry.headHash}, but its entries give ${hash}.`);
  heads.set(entry.headN, hash);
  since = createHash("sha256").update(`${hash}\n`);
}

/** 1,250.50 of kobo. */
function naira(kobo) {
  const absolute = kobo < 0n ? -kobo : kobo;
  const cents = String(absolute % 100n).padStart(2, "0");
  return `${kobo < 0n ? "-" : ""}${(absolute / 100n).toLocaleString("en")}.${cents}`;
}

const short = (whole) => `${whole.slice(0, 4)} ${whole.slice(4, 8)}`;

/** Each month's hash, in order, also of months without entries. */
function* hashesOfMonths() {
  const named = [...months.keys()].sort();
  let [month] = named;
  let before = "";
  while (month !== undefined && month <= named.at(-1)) {
    const lines = months.get(month) ?? [];
    const hashing = createHash("sha256").update(`${before}\n`);
    for (const line of lines) hashing.update(line);
    before = hashing.digest("hex");
    yield { month, entries: lines.length, hash: before };
    const [year, number] = month.split("-").map(Number);
    month = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
  }
}

/** "48,213 7f3a 91c0", as a paper prints it. */
function checkPrinted(printed) {
  const found = /^\D*([\d,]+)\D+?([0-9a-f]{4}) ?([0-9a-f]{4})$/.exec(printed.trim().toLowerCase());
  if (!found) return faults.push(`"${printed}" is no head. Type it as the paper prints it: "48,213 7f3a 91c0".`);
  const n = Number(found[1].replaceAll(",", ""));
  if (heads.get(n)?.slice(0, 8) !== found[2] + found[3])
    faults.push(`The paper's head ${found[0]} is not in this chain.`);
  else console.log(`The paper's head ${n} is in this chain.`);
}

const [file, ...printed] = process.argv.slice(2);
if (!file) {
  console.error('Usage: node verify-ledger.mjs ledger.json ["48,213 7f3a 91c0" …]');
  process.exit(2);
}
// The export has a line for each entry, so that a large one needn't be in memory.
for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
  const text = line.trim().replace(/,$/, "");
  if (text !== "" && text !== "[" && text !== "]") read(JSON.parse(text));
}
for (const [transaction, sum] of open) faults.push(`Transaction ${transaction} sums to ${naira(sum)}, not to zero.`);
for (const head of printed) checkPrinted(head);

console.log(`${count} entries, ${heads.size} heads, the last is ${heads.size} ${short(hash)}`);
for (const [account, balance] of [...balances].sort())
  console.log(`  ${account.padEnd(20)} ${naira(balance).padStart(24)}`);
const total = [...balances.values()].reduce((sum, balance) => sum + balance, 0n);
console.log(`  ${"all accounts".padEnd(20)} ${naira(total).padStart(24)}`);
for (const { month, entries, hash: whole } of hashesOfMonths()) console.log(`  ${month}  ${entries} entries  ${whole}`);
if (faults.length > 0) {
  for (const fault of faults.slice(0, 20)) console.error(fault);
  console.error(`${faults.length} faults. A file with "from" or "to" is a part of the ledger: export the whole of it.`);
  process.exit(1);
}
console.log("The chain and all sums are right.");
