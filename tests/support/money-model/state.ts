import { bankTexts } from "#shared/bank/texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import { type ErrorReason, errorTexts } from "#shared/errors.ts";
import type { NotificationKind } from "#shared/notifications/inputs.ts";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import type { PayoutRunState, PayoutState } from "#shared/payouts/texts.ts";
import { type Permission, permissionsOf, type Role } from "#shared/permissions.ts";
import type { Unit } from "#shared/projects/terms-texts.ts";
import { ownerLimits } from "#shared/second-person/texts.ts";
import type { BackingWeight } from "./backing-weights.ts";
import type { Cost, Harvest, Sale, Settlement } from "./harvests.ts";
import type { HolderChange } from "./holder-changes.ts";
import { makePaper, type Paper } from "./papers.ts";
import type { Ask, Skip } from "./release-parts.ts";
import type { Release } from "./releases.ts";
import type { Return } from "./returns.ts";
import type { Strike, StruckShare } from "./taken-out.ts";

/**
 * The marketplace as it was decided, small enough to be read in one go. People, projects, payments and receipts are
 * known by their place in a list. What follows from something else (who backs a project, its funding) is derived and
 * kept nowhere: the server, which keeps it, must arrive at the same.
 */
export type Model = {
  /** In milliseconds; moves on in whole minutes. */
  now: number;
  /** For how long lots are held (setting holdhours); 0 switches it off. */
  holdHours: number;
  people: Person[];
  projects: Project[];
  payments: Payment[];
  submits: Submit[];
  invites: Invite[];
  /** The names in the audit log, oldest first. */
  audit: string[];
  grants: Pairs;
  favorites: Pairs;
  references: Reference[];
  /** In the order in which they were made, within a project. */
  holds: Hold[];
  waiting: Waiting[];
  /** The lines of the one own account, oldest first. It is open from its first line on. */
  lines: Line[];
  /** When each statement was imported, and its day. */
  statements: { importedAt: number; day: string; isVoid: boolean }[];
  /** The day of the first line of the own account. */
  openedOn: string | null;
  matches: LineMatch[];
  refunds: Refund[];
  /** The asks for parts of rounds' money, and the parts that two owners left out. */
  asks: Ask[];
  skips: Skip[];
  releases: Release[];
  returns: Return[];
  /** Each is of one refund, settlement, release or return; one that failed is replaced by another. */
  payouts: Payout[];
  /** The accounts of all backers and farms, oldest first. */
  accounts: Account[];
  runs: Run[];
  /** The most that one transfer may have (setting maxtransfer). */
  maxTransferKobo: bigint;
  /** Who backs what, in the order in which they began to: harvests are divided by it. */
  backings: { project: number; person: number }[];
  /** The weights in the harvests of a round, from the first opening on. */
  roundWeights: BackingWeightAtHarvest[];
  /** The weights that owners gave to grants, until a harvest of the round opens. */
  backingWeights: BackingWeight[];
  harvests: Harvest[];
  costs: Cost[];
  sales: Sale[];
  settlements: Settlement[];
  /** Taxes in basis points, of the fee and of the share (settings vatpercent, withholdingpercent). */
  vatRate: number;
  whtRate: number;
  papers: Paper[];
  strikes: Strike[];
  takenOut: StruckShare[];
  changes: HolderChange[];
  /** Approvals by one owner alone that the bank didn't show, and matches of payments that one undid alone. */
  unseen: { person: number; kobo: bigint; at: number }[];
  undone: { person: number; payment: number; at: number }[];
};

/** `struckKobo` is of payments that were struck since. Its backing is named by whoever had it first, since it may pass on. */
type BackingWeightAtHarvest = BackingWeight & { struckKobo: bigint; backing: number };

/** Who is paid: a person by their place, a farm, or the sender of a line. */
export type Payee = number;
export const farmPayee = (farm: number): Payee => -1 - farm;
/** Null where nobody is said to run the project. */
export const farmOf = (model: Readonly<Model>, project: number): Payee | null => {
  const { farm } = at(model.projects, project);
  return farm === null ? null : farmPayee(farm);
};
/** The project that a farm's payout is of; null for other payouts. */
export function projectOfFarmPayout(model: Readonly<Model>, { payee, release, settlement }: Payout): number | null {
  if (payee >= 0) return null;
  if (release !== null) return at(model.releases, release).project;
  return settlement === null ? null : at(model.harvests, at(model.settlements, settlement).harvest).project;
}
/** Whoever sent us the money of a line that is nobody's here. */
export const senderOf = (line: number): Payee => -1_000_000 - line;

export type Payout = {
  payee: Payee;
  /** To whom it was owed before it passed on to somebody else. */
  former: number | null;
  /** The source of its money: one of the four, or none of them where it goes back to a sender. */
  refund: number | null;
  settlement: number | null;
  release: number | null;
  returned: number | null;
  /** The payment that a part of a return is of. */
  payment: number | null;
  amountKobo: bigint;
  part: number;
  parts: number;
  state: PayoutState;
  run: number | null;
  replaces: number | null;
  sentAt: number | null;
  isByHand: boolean;
  isWithheld: boolean;
  failedAt: number | null;
  /** People said that it never left, or that the bank refused it. */
  isFailedByPeople: boolean;
  /** Who was told that it was paid. Nobody is twice, also where a match was undone in between. */
  paidReaders: number[];
};
export type Account = { payee: Payee; usableFrom: number; isReplaced: boolean; replacedAt?: number };
/** The accounts are those of the payouts, in the same order. */
export type Run = {
  state: PayoutRunState;
  madeBy: number;
  payouts: number[];
  accounts: number[];
  madeAt: number;
  exportedAt: number | null;
  isDownloaded: boolean;
  /** An owner said that the bank has its file. */
  isGiven: boolean;
};

/** A movement that the bank's statement shows; money in is positive. */
export type Line = {
  amountKobo: bigint;
  day: string;
  /** By its place. */
  statement: number;
  /** Its place in the bank's order: a later file may show what another left out. */
  position: number;
  /** As the bank printed it after the line. */
  balanceKobo: bigint;
  /** The gap before it, because lines are void. */
  gapKobo: bigint;
  isVoid: boolean;
};
type OtherKind = "payment" | "taken_back" | "operator" | "bank_charges" | "vat" | "wht";
/** An explanation of a line, or of a part of it. */
export type LineMatch = {
  line: number;
  kind:
    | OtherKind
    | "payout"
    | "returned"
    | "sale"
    | "sale_taken_back"
    | "harvest_cost"
    | "farm_paid_back"
    | "sent_back";
  payment: number | null;
  payout: number | null;
  sale: number | null;
  harvest: number | null;
  release: number | null;
  amountKobo: bigint;
  isUndone: boolean;
  /** When it was made. */
  at: number;
  /** For money that was taken back: the match of the credit that brought it. */
  credit?: number;
  isByTwo?: boolean;
  /** True if it was known whose the money is, because it was another payment's of the same backer. */
  isNamed?: true;
  /** The debit of a payout that was declared failed, of which two people said that it was paid out twice. */
  isTwice?: true;
  /** By how much a sale's amount rose with it. */
  raisedKobo?: bigint;
  /** For a sale: the settled money that the bank took back, or that came again. */
  receivableKobo?: bigint;
  /** For a sale: its place among all acts. */
  order?: number;
  /** True if the returned money gives such a second debit back. */
  isOfSecond?: true;
};
/** `person` is to whom it was made due first. */
export type Refund = { payment: number; person: number; amountKobo: bigint; isSurplus: boolean; isTakenBack: boolean };

export const dayOf = (moment: number): string => dayInLagos(new Date(moment));
export const today = ({ now }: Model): string => dayOf(now);

/**
 * Returns true if a statement was imported: approving what none shows takes a reason then, and what lines show is given
 * back.
 */
export const isOpened = ({ openedOn }: Model): boolean => openedOn !== null;

/** The places of lines that aren't void, in the bank's order. */
export const standingLines = ({ lines }: Readonly<Model>): number[] =>
  lines
    .flatMap(({ isVoid }, line) => (isVoid ? [] : [line]))
    .sort((one, other) => at(lines, one).position - at(lines, other).position);

export function requireStandingLine(model: Model, line: number): void {
  if (at(model.lines, line).isVoid) throw new Refused("not_found", bankTexts.lineGone);
}

/** The balance before the next line that the bank prints. */
export function balanceKobo(model: Readonly<Model>): bigint {
  const last = standingLines(model).at(-1);
  return last === undefined ? 0n : at(model.lines, last).balanceKobo;
}

/** Returns the unexplained rest of a line. */
export const restKobo = (model: Model, line: number): bigint =>
  model.matches
    .filter((it) => it.line === line && !it.isUndone)
    .reduce((rest, { amountKobo }) => rest - amountKobo, size(at(model.lines, line).amountKobo));
const size = (kobo: bigint): bigint => (kobo < 0n ? -kobo : kobo);

/** Owes money of a payment to its backer. */
export function oweBack(
  model: Model,
  payment: Payment,
  amountKobo: bigint,
  { isSurplus }: { isSurplus: boolean },
): void {
  payment.arrivedKobo -= amountKobo;
  payment.dueKobo += amountKobo;
  const refund = model.refunds.length;
  const { person } = payment;
  model.refunds.push({ payment: model.payments.indexOf(payment), person, amountKobo, isSurplus, isTakenBack: false });
  owe(model, { refund, payee: payment.person, amountKobo });
  makePaper(model, { kind: "refund_note", about: refund, person: payment.person, amountKobo });
}

type Owed = { payee: Payee; former?: number | null; amountKobo: bigint } & (
  | { refund: number }
  | { settlement: number }
  | { release: number }
  | { release: null }
  | { returned: number; payment: number }
);

/** The payouts of a sum, of at most what one transfer may have. Of nothing there is none. */
export function owe(model: Model, { payee, former = null, amountKobo, ...of }: Owed): void {
  const parts = Number((amountKobo + model.maxTransferKobo - 1n) / model.maxTransferKobo);
  const state = currentAccount(model, payee) === null ? ("waiting" as const) : ("due" as const);
  for (let part = 1; part <= parts; part++) {
    const rest = amountKobo - model.maxTransferKobo * BigInt(part - 1);
    const kobo = rest < model.maxTransferKobo ? rest : model.maxTransferKobo;
    const source = { refund: null, settlement: null, release: null, returned: null, payment: null, ...of };
    model.payouts.push({ ...newPayout({ payee, former, ...source, amountKobo: kobo, part, parts }), state });
  }
}

export const newPayout = (
  values: Omit<
    Payout,
    | "state"
    | "run"
    | "replaces"
    | "sentAt"
    | "isByHand"
    | "isWithheld"
    | "failedAt"
    | "isFailedByPeople"
    | "paidReaders"
  >,
): Payout => ({
  ...values,
  state: "waiting",
  run: null,
  replaces: null,
  sentAt: null,
  isByHand: false,
  isWithheld: false,
  failedAt: null,
  isFailedByPeople: false,
  paidReaders: [],
});

/** Who reads of a payout: whose money it is, or the owners for a farm. */
export const readersOf = (model: Model, { payee }: Payout): number[] =>
  payee >= 0 ? [payee] : model.people.flatMap((person, index) => (isActiveOwner(person) ? [index] : []));

export const isActiveOwner = (person: Person): boolean =>
  person.isAdmin && !person.isBlocked && !person.isClosed && person.roles.includes("owner");

/** Returns true if there are two owners, or were within a week: then nobody is alone. */
export const areTwoOwners = ({ people, now }: Model): boolean =>
  people.filter(
    (person) =>
      isActiveOwner(person) ||
      (person.ownerUntil !== null && person.ownerUntil > now - ownerLimits.aloneHours * 3_600_000),
  ).length > 1;

/** The account that is used for somebody now, by its place; null without one. */
export const currentAccount = (model: Model, payee: Payee): number | null => {
  const index = model.accounts.findIndex((it) => it.payee === payee && !it.isReplaced);
  return index < 0 ? null : index;
};

export const hasRefund = (model: Model, payment: Payment): boolean =>
  model.refunds.some((it) => at(model.payments, it.payment) === payment && !it.isTakenBack);

/** Lots that one person may pay for until the end. An offer to somebody who waited has no reference yet. */
export type Hold = {
  project: number;
  round: number;
  person: number;
  lots: number;
  reference: number | null;
  /** As it is written down: one that is over may still be "live" here, and nobody reads it so. */
  state: "live" | "claimed" | "used" | "lapsed" | "released" | "ended";
  /** Not read while the hold is claimed: it has no end then. */
  until: number;
  madeAt: number;
  hasReceipt: boolean;
  /** The end that a receipt or a line of the bank moved. */
  untilBeforeReceipt: number;
  isExtended: boolean;
  isWarned: boolean;
};

export type Waiting = {
  project: number;
  round: number;
  person: number;
  lots: number;
  state: "waits" | "offered" | "left";
};

/** The reference on a transfer. It belongs to one purchase; an approval retires it, unless lots are held under it. */
export type Reference = {
  project: number;
  person: number;
  isRetired: boolean;
  /** The lots that somebody agreed to buy, of which round, at which price, under which version of the terms, and when. */
  agreed: { round: number; terms: number; lots: number; priceKobo: bigint; at: number };
};

export type Person = {
  email: string;
  fullName: string;
  isVerified: boolean;
  isAdmin: boolean;
  roles: Role[];
  isBlocked: boolean;
  /** When somebody blocked them last. */
  blockedAt: number | null;
  /** When they became an owner last; 0 for those of the beginning. */
  ownerSince: number;
  /** When they ceased to be an owner last. */
  ownerUntil: number | null;
  isClosed: boolean;
  isSignedIn: boolean;
  /** The notifications they got, and whose name stands in them. */
  told: { kind: NotificationKind; about: number | null }[];
};

export type Project = {
  title: string;
  /** Who runs it; null for the operator. */
  farm: number | null;
  goalKobo: bigint;
  /** Starts at 1: the place in `rounds`, plus one. */
  round: number;
  rounds: Round[];
  isClosed: boolean;
  endsAt: number;
  /** Moves on with every change that an editor must not overwrite. */
  version: number;
  isRemoved: boolean;
};

/** A round's offer, and a person's decision on it when its time was over. */
export type Round = {
  lots: number;
  minimumLots: number;
  lotPriceKobo: bigint;
  /** The version of the terms that it is sold by, and what they say. */
  terms: number;
  says: Terms;
  decided: Outcome | null;
};
/** The farm's part and the fee in basis points; whether costs come off the sales. */
export type Terms = {
  unit: Unit;
  farmPart: number;
  fee: number;
  hasCosts: boolean;
  choiceDays: number;
  collectionDays: number;
  /** The rates of the parts in which the farm gets what is raised; without any it gets all at once. */
  parts: readonly number[];
  /** The planned quantity of each harvest; empty for one harvest of no planned quantity. */
  plan: readonly bigint[];
};
export const termsAtFirst: Terms = {
  unit: "share",
  farmPart: 0,
  fee: 500,
  hasCosts: false,
  choiceDays: 14,
  collectionDays: 7,
  parts: [],
  plan: [],
};
export const termsEdited: Terms = {
  unit: "kg",
  farmPart: 1000,
  fee: 750,
  hasCosts: true,
  choiceDays: 10,
  collectionDays: 5,
  parts: [],
  plan: [],
};
/** The same, and the farm gets what is raised in three parts. */
export const termsInSteps: Terms = { ...termsEdited, parts: [3333, 3333, 3334] };
/** A plan of two harvests, where the second is smaller by nature. */
export const fallingPlan: readonly bigint[] = [700_123n, 100_000n];
export type Outcome = "funded" | "not_funded";

export type Payment = {
  /** Null once the project was removed. */
  project: number | null;
  /** The project that it was sent for. */
  origin: number;
  projectTitle: string;
  person: number;
  lots: number;
  amountKobo: bigint;
  status: PaymentStatus;
  /** The only one that it can be approved in. */
  round: number;
  /** The version that its payer agreed to. */
  terms: number;
  reference: number;
  /** When its latest receipt came. */
  sentAt: number;
  /** When its first receipt came. */
  receivedAt: number;
  /** The arrived money, less what is owed to the backer. */
  arrivedKobo: bigint;
  /** The small rest that its approval wrote off. */
  writtenOffKobo: bigint;
  /** The money missing of it when it was struck; zero for one that wasn't. */
  lostKobo: bigint;
  /** The amounts that people said had arrived, each after so many matches of lines. */
  words: { amountKobo: bigint; after: number }[];
  wasSaid: boolean;
  /** How many matches there were when it was approved last, and whose it was then. */
  approvedAfter: number;
  approvedFor: number;
  /** The money owed to the backer. */
  dueKobo: bigint;
  reason: string | null;
  decidedBy: number | null;
  /** The address of a closed account is kept with it. */
  keepsAddress: boolean;
  receipts: number[];
};

/** A receipt that was kept, and the key it was sent with. */
export type Submit = { person: number; key: number; payment: number; receipt: number };
export type Invite = { email: string; role: Role; invitedBy: number; at: number; isUsed: boolean };

/** Returns the arrived money that is neither approved nor given back. */
export const unallocatedKobo = (payment: Payment): bigint =>
  payment.status === "approved" ? beyondKobo(payment) - keptKobo(payment) : payment.arrivedKobo;

const beyondKobo = ({ amountKobo, arrivedKobo, writtenOffKobo, lostKobo }: Payment): bigint =>
  atLeastNothing(arrivedKobo + writtenOffKobo + lostKobo - amountKobo);

/** Returns an approved payment's surplus if it is below ₦100 and therefore kept, or zero. */
export const keptKobo = (payment: Payment): bigint =>
  payment.status === "approved" && beyondKobo(payment) < 100_00n ? beyondKobo(payment) : 0n;

/** Returns the money of a payment that has not arrived. */
export const missingKobo = ({ amountKobo, arrivedKobo, writtenOffKobo, lostKobo }: Payment): bigint =>
  atLeastNothing(amountKobo - arrivedKobo - writtenOffKobo - lostKobo);

/**
 * Returns the money that people said had arrived, and no line has shown since: each line takes the place of what was
 * said until then.
 */
export function saidKobo({ matches }: Pick<Model, "matches">, payment: Payment, index: number): bigint {
  let said = 0n;
  for (let place = 0; place <= matches.length; place++) {
    for (const word of payment.words) if (word.after === place) said += word.amountKobo;
    const match = matches[place];
    if (match?.kind !== "payment" || match.payment !== index || match.isUndone) continue;
    said = atLeastNothing(said - match.amountKobo);
  }
  return said;
}

/** Where a payment's money stands that nobody sees at the bank: what was taken back of an approved one isn't on its way. */
export function unseenOf(model: Model, payment: Payment) {
  const index = model.payments.indexOf(payment);
  const said = saidKobo(model, payment, index);
  if (payment.status !== "approved") return { inTransitKobo: said, receivableKobo: 0n };
  const missing = missingKobo(payment);
  const takenBack = model.matches
    .slice(payment.approvedAfter)
    .filter((it) => it.kind === "taken_back" && it.payment === index && !it.isUndone)
    .reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  const onItsWay = atLeastNothing(missing - takenBack);
  return { inTransitKobo: onItsWay + said, receivableKobo: missing - onItsWay };
}

const atLeastNothing = (kobo: bigint): bigint => (kobo > 0n ? kobo : 0n);

/** (project, person) pairs. */
export class Pairs {
  #pairs = new Set<string>();
  has = (project: number, person: number) => this.#pairs.has(`${project}:${person}`);
  add = (project: number, person: number) => void this.#pairs.add(`${project}:${person}`);
  remove = (project: number, person: number) => this.#pairs.delete(`${project}:${person}`);
  /** The people paired with a project. */
  of = (project: number) =>
    [...this.#pairs]
      .filter((pair) => pair.startsWith(`${project}:`))
      .map((pair) => Number(pair.split(":")[1]))
      .sort((a, b) => a - b);
}

/** The answer of a call: its result, or the reason for its refusal. */
export type Answer = { done: Record<string, unknown> } | { refused: { reason: ErrorReason; message: string } };

export class Refused extends Error {
  readonly reason: ErrorReason;
  constructor(reason: ErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A rule changes nothing before its last refusal, but for holds that are over and what is offered then: undone with it. */
export function answerOf(model: Model, rule: () => Record<string, unknown> | undefined): Answer {
  const { holds, waiting, people } = structuredClone({
    holds: model.holds,
    waiting: model.waiting,
    people: model.people,
  });
  try {
    const done = rule() ?? {};
    followBackings(model);
    return { done };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    Object.assign(model, { holds, waiting, people });
    return { refused: { reason: error.reason, message: error.message } };
  }
}

/** Who stops backing a project, and begins again, comes last. */
export function followBackings(model: Model): void {
  const now = [...model.projects.keys()].flatMap((project) =>
    backersOf(model, project).map((person) => ({ project, person })),
  );
  const isIn = (list: readonly { project: number; person: number }[], one: { project: number; person: number }) =>
    list.some((it) => it.project === one.project && it.person === one.person);
  const kept = model.backings.filter((it) => isIn(now, it));
  model.backings = [...kept, ...now.filter((it) => !isIn(kept, it))];
}

export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
}

export function requireSignedIn(model: Model, caller: number): Person {
  const person = at(model.people, caller);
  if (!person.isSignedIn) throw new Refused("unauthenticated", errorTexts.signInRequired);
  return person;
}

export function require(model: Model, caller: number, permission: Permission): Person {
  const person = requireSignedIn(model, caller);
  if (!permissionsOf(person).includes(permission)) throw new Refused("forbidden", errorTexts.adminRequired);
  return person;
}

export const newPerson = (email: string, fullName: string, values: Partial<Person> = {}): Person => ({
  email,
  fullName,
  isVerified: true,
  isAdmin: false,
  roles: [],
  isBlocked: false,
  blockedAt: null,
  ownerSince: 0,
  ownerUntil: null,
  isClosed: false,
  isSignedIn: true,
  told: [],
  ...values,
});

const roundNow = (model: Model, project: number) => at(model.projects, project).round;

/** The payments that take lots of a round, by default of the current one. */
export const approvedIn = (model: Model, project: number, round = roundNow(model, project)) =>
  model.payments.filter((it) => it.project === project && it.status === "approved" && it.round === round);

export const findRound = (model: Model, project: number, round: number) =>
  at(at(model.projects, project).rounds, round - 1);

export const roundOf = (model: Model, project: number, round = roundNow(model, project)) =>
  findRound(model, project, round);

export const unsoldLots = (model: Model, project: number, round?: number) =>
  approvedIn(model, project, round).reduce((free, { lots }) => free - lots, roundOf(model, project, round).lots);

/** The last lot funds a round by itself, until one is taken back before the next round began; otherwise a person decides. */
export const outcomeOf = (model: Model, project: number, round = roundNow(model, project)): Outcome | null => {
  const isFunded = round < roundNow(model, project) || unsoldLots(model, project, round) === 0;
  return roundOf(model, project, round).decided ?? (isFunded ? "funded" : null);
};

/** Returns true if a payment would fit into its round if nobody held lots of it. */
export const hasRoom = (model: Model, { project, round, lots }: Payment) =>
  project !== null && outcomeOf(model, project, round) !== "not_funded" && lots <= unsoldLots(model, project, round);

export const fundingKobo = (model: Model, project: number) =>
  approvedIn(model, project).reduce((sum, { amountKobo }) => sum + amountKobo, 0n);

export const hasApproved = (model: Model, project: number, person: number) =>
  model.payments.some(
    (payment) =>
      payment.project === project &&
      payment.person === person &&
      payment.status === "approved" &&
      payment.lostKobo === 0n,
  );

/** Product decision 1.3: a backing stands while a grant or an approved payment that wasn't struck supports it. */
export const backs = (model: Model, project: number, person: number) =>
  model.grants.has(project, person) || hasApproved(model, project, person);

export const backersOf = (model: Model, project: number) =>
  model.people.flatMap((_, person) => (backs(model, project, person) ? [person] : []));

/** One notification each, but for closed accounts. */
export function tell(
  model: Model,
  people: readonly number[],
  kind: NotificationKind,
  about: number | null = null,
): void {
  for (const index of new Set(people)) {
    const person = at(model.people, index);
    if (!person.isClosed) person.told.push({ kind, about });
  }
}

/** News of a project goes to its backers, but for blocked ones. */
export const notifyBackers = (model: Model, project: number, kind: NotificationKind, except?: number): void =>
  tell(
    model,
    backersOf(model, project).filter((person) => person !== except && !at(model.people, person).isBlocked),
    kind,
  );

/** Most lots of a round for one person (setting maxlots). */
const maxLots = 20;

/** The most for one person and round, without those that they buy already. */
export function allowedLots(model: Model, { project, round }: { project: number; round: number }, person: number) {
  const own = model.payments.filter(
    (it) => it.project === project && it.round === round && it.person === person && it.status !== "rejected",
  );
  return Math.max(
    0,
    own.reduce((left, { lots }) => left - lots, maxLots),
  );
}
