import { sql } from "drizzle-orm";
import type { Deps } from "#server/platform/deps.ts";
import type { PaperKind } from "#shared/papers/kinds.ts";
import { preparedRows } from "#tests/support/prepared.ts";
import type { Part } from "./harvests.ts";
import { goneKobo } from "./releases.ts";
import { booksOf } from "./settlements.ts";
import {
  at,
  backersOf,
  farmPayee,
  fundingKobo,
  keptKobo,
  type Model,
  outcomeOf,
  type Payout,
  projectOfFarmPayout,
  restKobo,
  senderOf,
  unallocatedKobo,
  unseenOf,
  unsoldLots,
} from "./state.ts";
import { takenFrom } from "./taken-out.ts";
import { taxes, taxOwedKobo } from "./taxes.ts";

/** The visible state of the marketplace, told by the model and by the database in the same words. */

export type Ids = { people: string[]; projects: number[]; farms: number[]; payments: number[] };

export function shownByModel(model: Model) {
  return {
    audit: model.audit,
    people: model.people.map(({ told, isVerified, fullName, isAdmin, roles, isBlocked, isClosed, isSignedIn }) => ({
      isVerified,
      fullName,
      isAdmin,
      isBlocked,
      isClosed,
      isSignedIn,
      roles: [...roles].sort(),
      told: told.map(({ kind }) => kind).sort(),
    })),
    projects: model.projects.map((project, index) => {
      if (project.isRemoved) return null;
      const { title, goalKobo, round, rounds, isClosed } = project;
      const backers = backersOf(model, index);
      return {
        title,
        round,
        isClosed,
        backers,
        backersCount: backers.length,
        goalKobo: Number(goalKobo),
        fundingKobo: Number(fundingKobo(model, index)),
        favorites: model.favorites.of(index),
        references: model.references
          .filter((it) => it.project === index)
          .map(({ person, isRetired }) => [person, isRetired])
          .sort(byText),
        rounds: rounds.map(({ lots, minimumLots, lotPriceKobo, terms }, place) => ({
          lots,
          terms,
          minimumLots,
          lotPriceKobo: Number(lotPriceKobo),
          outcome: outcomeOf(model, index, place + 1),
          approvedLots: lots - unsoldLots(model, index, place + 1),
          goneKobo: Number(goneKobo(model, { project: index, round: place + 1 })),
        })),
      };
    }),
    holds: inProjects(
      model.holds.map((hold) => {
        const { reference, until, isWarned: _, untilBeforeReceipt: _before, madeAt: _made, ...kept } = hold;
        const isOver = hold.state === "live" && until <= model.now;
        return {
          ...kept,
          state: isOver ? "lapsed" : hold.state,
          isOffer: reference === null,
          // What was used, released or ended by hand has no end of its own any more.
          until: isOver || ["live", "lapsed"].includes(hold.state) ? until : null,
        };
      }),
    ),
    waiting: inProjects(model.waiting),
    lines: model.lines.map(({ amountKobo, gapKobo, isVoid }, line) => [
      Number(amountKobo),
      Number(restKobo(model, line)),
      Number(gapKobo),
      isVoid,
    ]),
    matches: model.matches.map(
      ({
        amountKobo,
        isTwice = false,
        isByTwo = false,
        credit: __,
        raisedKobo: ___,
        order: ____,
        isNamed: _____,
        at: _,
        ...match
      }) => ({
        ...match,
        receivableKobo: Number(match.receivableKobo ?? 0n),
        isTwice,
        isOfSecond: match.isOfSecond ?? false,
        isByTwo,
        amountKobo: Number(amountKobo),
      }),
    ),
    refunds: model.refunds.map(({ amountKobo, ...refund }) => ({ ...refund, amountKobo: Number(amountKobo) })),
    payouts: model.payouts.map(
      ({ amountKobo, sentAt, paidReaders: _, failedAt: __, isFailedByPeople: ___, ...payout }) => ({
        ...payout,
        amountKobo: Number(amountKobo),
        isSent: sentAt !== null,
      }),
    ),
    accounts: model.accounts.map(({ replacedAt: _, ...account }) => account),
    runs: model.runs.map(({ exportedAt, madeAt: _, isDownloaded: __, ...run }) => ({
      ...run,
      isExported: exportedAt !== null,
    })),
    asks: model.asks,
    skips: model.skips,
    releases: model.releases.map(({ amountKobo, ...release }) => ({ ...release, amountKobo: Number(amountKobo) })),
    returns: model.returns.map(({ amountKobo, parts: _, ...one }) => ({ ...one, amountKobo: Number(amountKobo) })),
    taxes: taxes.map((tax) => Number(taxOwedKobo(model, tax))),
    changes: model.changes.map(({ project, round, from, to, outcome, payments }) => ({
      project,
      round,
      from,
      to,
      outcome,
      payments: [...payments].sort((a, b) => a - b),
    })),
    weights: {
      granted: weightsIn(model, model.backingWeights),
      frozen: weightsIn(
        model,
        model.roundWeights.map((it) => ({ ...it, weightKobo: it.weightKobo - it.struckKobo })),
      ),
    },
    farms: model.projects.map((_, project) => openKobo(model, (it) => projectOfFarmPayout(model, it) === project)),
    harvests: model.harvests.map((harvest, index) => {
      const { project, round, state, isInsurance, farmQuantity, areCostsLost, isRestLost, filesAt, parts } = harvest;
      const quantity = isInsurance ? null : Number(harvest.quantity);
      return {
        project,
        round,
        state,
        isInsurance,
        areCostsLost,
        isRestLost,
        files: filesAt.length,
        quantity,
        farmQuantity: farmQuantity === null ? null : Number(farmQuantity),
        books: numbersOf(booksOf(model, index)),
        parts: parts.map(({ choice: _, backing: __, ...part }) => ({ ...part, ...numbersOf(kilosOf(part)) })),
      };
    }),
    costs: model.costs.map(({ recordedBy: _, removed: __, ...cost }) => ({
      ...cost,
      amountKobo: Number(cost.amountKobo),
    })),
    sales: model.sales.map(({ declaredAt, declaredOrder: _, recordedBy: __, ...sale }) => ({
      ...sale,
      lostKobo: Number(sale.lostKobo),
      isDeclared: declaredAt !== null,
      amountKobo: Number(sale.amountKobo),
      quantity: sale.quantity === null ? null : Number(sale.quantity),
    })),
    settlements: model.settlements.map(
      ({ harvest, pool, isReversed, proceedsKobo, farmKobo, deductedKobo, ...rest }, place) => ({
        harvest,
        pool,
        isReversed,
        ...numbersOf({ proceedsKobo, farmKobo, deductedKobo }),
        costs: rest.costs.map(({ cost, amountKobo }) => ({ cost, amountKobo: Number(amountKobo) })),
        parts: rest.parts.map(({ person, backing, ...kobo }) => {
          const taken = takenFrom(model, place, backing).map(({ netKobo }) => Number(netKobo));
          return { person, ...numbersOf(kobo), struckKobo: taken.reduce((sum, one) => sum + one, 0) };
        }),
      }),
    ),
    takenOut: model.takenOut.map(({ settlement, person, payout, backing: _, settledFor: __, ...kobo }) => ({
      settlement,
      person,
      payout,
      ...numbersOf(kobo),
    })),
    papers: [...model.papers].sort(byNumber).map((paper) => ({ ...paper, amountKobo: Number(paper.amountKobo) })),
    payments: model.payments.map((payment) => {
      const { amountKobo, dueKobo, receipts, decidedBy, project, projectTitle, person, lots, status, round } = payment;
      const { terms, reason, keepsAddress, approvedFor } = payment;
      return {
        project,
        projectTitle,
        person,
        lots,
        status,
        round,
        terms,
        reason,
        keepsAddress,
        decidedBy,
        approvedFor: status === "approved" ? approvedFor : null,
        amountKobo: Number(amountKobo),
        dueKobo: Number(dueKobo),
        unallocatedKobo: Number(unallocatedKobo(payment)),
        keptKobo: Number(keptKobo(payment)),
        lostKobo: Number(payment.lostKobo),
        ...numbersOf(unseenOf(model, payment)),
        receipts: receipts.length,
        latest: receipts.at(-1) ?? -1,
      };
    }),
  };
}

type Numbered = { kind: string; year: number; sequence: number };
const byNumber = (one: Numbered, other: Numbered) =>
  one.kind === other.kind ? one.year - other.year || one.sequence - other.sequence : one.kind < other.kind ? -1 : 1;

const numbersOf = <Key extends string>(kobo: Record<Key, bigint>) =>
  Object.fromEntries(Object.entries<bigint>(kobo).map(([key, value]) => [key, Number(value)])) as Record<Key, number>;

/** Sums the open payouts that fulfil a condition, in kobo. */
const openKobo = (model: Model, isIt: (payout: Payout) => boolean): number =>
  model.payouts
    .filter((it) => isIt(it) && ["waiting", "due", "in_run"].includes(it.state))
    .reduce((sum, { amountKobo }) => sum + Number(amountKobo), 0);

const kilosOf = ({ weightKobo, struckKobo, taken, given, sold }: Omit<Part, "choice" | "backing">) => ({
  weightKobo,
  struckKobo,
  taken,
  given,
  sold,
});

/** Returns the weights of projects that are still there. */
const weightsIn = (model: Model, list: Model["backingWeights"]) =>
  list
    .filter(({ project }) => !at(model.projects, project).isRemoved)
    .map(({ project, round, person, weightKobo }) => [project, round, person, Number(weightKobo)])
    .sort(byText);

const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

const inProjects = <Row extends { project: number }>(list: readonly Row[]) =>
  [...list].sort((one, other) => one.project - other.project);

/** To whom: a person, a farm, or the sender of a line. */
type Payable = { person: string | null; farm: number | null; line: number | null };
type Placed = { project: number; person: string };
type FoundPart = { project: number; round: number; part: number };
type FoundWeight = [project: number, round: number, person: string, weightKobo: number];
type Found = {
  holds: (Placed & { state: string; until: string | null; endedAt: string | null })[];
  waiting: Placed[];
  audit: string[] | null;
  people: { id: string; told: string[] }[];
  projects: { id: number; backers: string[]; favorites: string[]; references: [string, boolean][] }[];
  lines: [id: number, amountKobo: number, restKobo: number, gapKobo: number, isVoid: boolean][];
  matches: {
    line: number;
    payment: number | null;
    payout: number | null;
    sale: number | null;
    harvest: number | null;
    release: number | null;
  }[];
  refunds: { id: number; payment: number; person: string; amountKobo: number; isTakenBack: boolean }[];
  changes: { project: number; from: string; to: string; payments: number[] }[];
  asks: (FoundPart & { id: number; askedBy: string; verdict: string | null; decidedBy: string | null })[];
  skips: (FoundPart & { isTakenBack: boolean })[];
  releases: (FoundPart & {
    id: number;
    ask: number | null;
    isByTwo: boolean;
    amountKobo: number;
    isTakenBack: boolean;
  })[];
  returns: { id: number; project: number; round: number; amountKobo: number; isTakenBack: boolean }[];
  taxes: number[];
  granted: FoundWeight[];
  frozen: FoundWeight[];
  payouts: ({ id: number; refund: number | null; settlement: number | null; release: number | null } & {
    returned: number | null;
    payment: number | null;
    former: string | null;
    amountKobo: number;
    run: number | null;
    replaces: number | null;
  } & Payable)[];
  accounts: ({ id: number; usableFrom: string } & Payable)[];
  farms: { project: number; dueKobo: number }[];
  harvests: { id: number; project: number; parts: { person: string }[] }[];
  costs: { id: number; harvest: number }[];
  sales: { id: number; harvest: number }[];
  settlements: {
    id: number;
    harvest: number;
    isReversed: boolean;
    costs: { cost: number; amountKobo: number }[];
    parts: { person: string; netKobo: number; struckKobo: number }[];
  }[];
  takenOut: { settlement: number; person: string; payout: number | null; netKobo: number }[];
  papers: ({
    kind: PaperKind;
    amountKobo: number;
    isReplaced: boolean;
    person: string | null;
    payment: number | null;
    refund: number | null;
    settlement: number | null;
    run: number | null;
  } & Numbered)[];
  runs: { id: number; madeBy: string; isExported: boolean; payouts: number[]; accounts: number[] }[];
  payments: {
    id: number;
    status: string;
    amountKobo: number;
    lostKobo: number;
    project: number | null;
    person: string;
    decidedBy: string | null;
    approvedFor: string | null;
    latest: string;
  }[];
};

/** `receiptOf` finds a receipt by its hash. */
export async function shownByDatabase(
  { db, clock }: Pick<Deps, "db" | "clock">,
  ids: Ids,
  receiptOf: (sha256: string) => number,
) {
  const now = clock.now().getTime();
  const [found] = await preparedRows<Found>(db, everything);
  if (!found) throw new Error("nothing was found");
  const personOf = (id: string) => ids.people.indexOf(id);
  const payeeOf = ({ person, farm, line }: Payable) => {
    if (line !== null) return senderOf(found.lines.findIndex(([id]) => id === line));
    return person === null ? farmPayee(ids.farms.indexOf(farm ?? -1)) : personOf(person);
  };
  const peopleOf = (list: string[]) => list.map(personOf).sort((a, b) => a - b);
  const placed = <Row extends Placed>(row: Row) => ({
    ...row,
    project: ids.projects.indexOf(row.project),
    person: personOf(row.person),
  });
  const weighed = (list: FoundWeight[]) =>
    list
      .filter(([project]) => found.projects.some(({ id }) => id === project))
      .map(([project, round, person, kobo]) => [ids.projects.indexOf(project), round, personOf(person), kobo])
      .sort(byText);
  const withoutId = <Row extends { id: unknown }>({ id: _, ...row }: Row) => row;
  /** In the places that the model knows, null where one is gone; those that it doesn't know at the end. */
  const inOrder = <Row extends { id: unknown }>(list: Row[], order: unknown[]) => {
    const known = order.map((id) => list.find((row) => row.id === id));
    const strangers = list.filter((row) => !order.includes(row.id));
    return [...known, ...strangers].map((row) => (row ? withoutId(row) : null));
  };
  const projects = found.projects.map((project) => ({
    ...project,
    backers: peopleOf(project.backers),
    favorites: peopleOf(project.favorites),
    references: project.references.map(([id, isRetired]) => [personOf(id), isRetired] as const).sort(byText),
  }));
  const payments = found.payments.map(({ project, person, decidedBy, approvedFor, latest, ...payment }) => ({
    ...payment,
    project: project === null ? null : ids.projects.indexOf(project),
    person: personOf(person),
    decidedBy: decidedBy === null ? null : personOf(decidedBy),
    approvedFor: approvedFor === null ? null : personOf(approvedFor),
    latest: receiptOf(latest),
  }));
  return {
    audit: found.audit ?? [],
    people: inOrder(found.people, ids.people),
    projects: inOrder(projects, ids.projects),
    holds: inProjects(
      found.holds.map(({ endedAt, ...hold }) => {
        const until = hold.until === null ? null : Date.parse(hold.until);
        const isOver = until !== null && until <= now;
        const end = hold.state === "lapsed" && endedAt !== null ? Date.parse(endedAt) : until;
        return { ...placed(hold), state: isOver ? "lapsed" : hold.state, until: end };
      }),
    ),
    waiting: inProjects(found.waiting.map(placed)),
    lines: found.lines.map(([, ...line]) => line),
    matches: found.matches.map(({ line, payment, payout, sale, harvest, release, ...match }) => ({
      ...match,
      release: placeOf(found.releases, release),
      sale: placeOf(found.sales, sale),
      harvest: placeOf(found.harvests, harvest),
      payout: placeOf(found.payouts, payout),
      line: found.lines.findIndex(([id]) => id === line),
      payment: payment === null ? null : ids.payments.indexOf(payment),
    })),
    changes: found.changes.map(({ project, from, to, payments: passed, ...change }) => ({
      ...change,
      project: ids.projects.indexOf(project),
      from: personOf(from),
      to: personOf(to),
      payments: passed.map((id) => ids.payments.indexOf(id)).sort((a, b) => a - b),
    })),
    refunds: found.refunds.map(({ id: _, payment, person, ...refund }) => ({
      ...refund,
      person: personOf(person),
      payment: ids.payments.indexOf(payment),
    })),
    asks: found.asks.map(({ id: _, project, askedBy, decidedBy, ...ask }) => ({
      ...ask,
      project: ids.projects.indexOf(project),
      askedBy: personOf(askedBy),
      decidedBy: decidedBy === null ? null : personOf(decidedBy),
    })),
    skips: found.skips.map(({ project, ...skip }) => ({ ...skip, project: ids.projects.indexOf(project) })),
    releases: found.releases.map(({ id: _, project, ask, ...release }) => ({
      ...release,
      project: ids.projects.indexOf(project),
      ask: placeOf(found.asks, ask),
    })),
    returns: found.returns.map(({ id: _, project, ...one }) => ({ ...one, project: ids.projects.indexOf(project) })),
    taxes: found.taxes,
    weights: { granted: weighed(found.granted), frozen: weighed(found.frozen) },
    payouts: found.payouts.map(({ id: _, person, farm, line, former, ...payout }) => ({
      ...payout,
      former: former === null ? null : personOf(former),
      payee: payeeOf({ person, farm, line }),
      refund: placeOf(found.refunds, payout.refund),
      settlement: placeOf(found.settlements, payout.settlement),
      release: placeOf(found.releases, payout.release),
      returned: placeOf(found.returns, payout.returned),
      payment: payout.payment === null ? null : ids.payments.indexOf(payout.payment),
      run: placeOf(found.runs, payout.run),
      replaces: placeOf(found.payouts, payout.replaces),
    })),
    accounts: found.accounts.map(({ id: _, person, farm, line, usableFrom, ...account }) => ({
      ...account,
      payee: payeeOf({ person, farm, line }),
      usableFrom: Date.parse(usableFrom),
    })),
    farms: ids.projects.map((id) => found.farms.find(({ project }) => project === id)?.dueKobo ?? 0),
    harvests: found.harvests.map(({ id: _, project, parts, ...harvest }) => ({
      ...harvest,
      project: ids.projects.indexOf(project),
      parts: parts.map(({ person, ...part }) => ({ ...part, person: personOf(person) })),
    })),
    costs: found.costs.map(({ id: _, harvest, ...cost }) => ({
      ...cost,
      harvest: found.harvests.findIndex(({ id }) => id === harvest),
    })),
    sales: found.sales.map(({ id: _, harvest, ...sale }) => ({
      ...sale,
      harvest: found.harvests.findIndex(({ id }) => id === harvest),
    })),
    settlements: found.settlements.map(({ id: _, harvest, costs, parts, ...settlement }) => ({
      ...settlement,
      harvest: found.harvests.findIndex(({ id }) => id === harvest),
      costs: costs.map(({ cost, amountKobo }) => ({
        cost: found.costs.findIndex(({ id }) => id === cost),
        amountKobo,
      })),
      parts: parts.map(({ person, ...part }) => ({ ...part, person: personOf(person) })),
    })),
    takenOut: found.takenOut.map(({ settlement, person, payout, ...kobo }) => ({
      ...kobo,
      settlement: placeOf(found.settlements, settlement),
      person: personOf(person),
      payout: placeOf(found.payouts, payout),
    })),
    papers: found.papers
      .map(({ person, payment, refund, settlement, run, ...paper }) => ({
        ...paper,
        person: person === null ? null : personOf(person),
        about:
          (payment === null ? null : ids.payments.indexOf(payment)) ??
          placeOf(found.refunds, refund) ??
          placeOf(found.settlements, settlement) ??
          placeOf(found.runs, run) ??
          -1,
      }))
      .sort(byNumber),
    runs: found.runs.map(({ id: _, madeBy, payouts: paid, accounts, ...run }) => ({
      ...run,
      madeBy: personOf(madeBy),
      payouts: paid.map((id) => placeOf(found.payouts, id)),
      accounts: accounts.map((id) => placeOf(found.accounts, id)),
    })),
    payments: inOrder(payments, ids.payments),
  };
}

/** The place of a row in its list; null for none. */
const placeOf = (list: readonly { id: number }[], id: number | null): number | null =>
  id === null ? null : list.findIndex((row) => row.id === id);

const listOf = (column: string, table: string, condition: string) =>
  sql.raw(`array(select ${column}::text from ${table} where ${condition})`);

/** The sum of a harvest's entries that a condition chooses. */
const ofHarvest = (sign: string, condition: string) =>
  sql.raw(`(select coalesce(${sign}sum(e.amount_kobo), 0) from ledger_entries e
    join ledger_transactions t on t.id = e.transaction_id where ${condition})`);

/** The sum of a payment's entries on an account, as what is owed. */
const owedOf = (account: string, sign = "-") =>
  sql.raw(
    `(select coalesce(${sign}sum(e.amount_kobo), 0) from ledger_entries e where e.account = '${account}' and e.payment_id = y.id)`,
  );

/** The sum of a payment's transactions that is the company's own. */
const keptOf = sql.raw(`(select coalesce(-sum(e.amount_kobo), 0) from ledger_transactions t
  join ledger_entries e on e.transaction_id = t.id where e.account = 'operator' and t.payment_id = y.id)`);

const everything = sql`select
  (select jsonb_agg(action_type order by id) from audit_logs) as audit,
  (select coalesce(jsonb_agg(jsonb_build_object(
    'id', u.id, 'fullName', u.full_name, 'isVerified', u.email_verified_at is not null, 'isAdmin', u.is_admin,
    'isBlocked', u.is_blocked, 'isClosed', u.closed_at is not null,
    'isSignedIn', exists (select from sessions s where s.user_id = u.id),
    'roles', ${listOf("role", "user_roles", "user_id = u.id order by role")},
    'told', ${listOf("kind", "notifications", 'user_id = u.id order by kind collate "C"')})), '[]') from users u) as people,
  (select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'title', p.title, 'goalKobo', p.funding_goal_kobo, 'fundingKobo', p.current_funding_kobo,
    'backersCount', p.backers_count, 'round', p.round, 'isClosed', p.is_closed,
    'backers', ${listOf("user_id", "project_backings", "project_id = p.id")},
    'favorites', ${listOf("user_id", "project_favorites", "project_id = p.id")},
    'rounds', (select jsonb_agg(jsonb_build_object('lots', r.lots, 'minimumLots', r.minimum_lots,
      'lotPriceKobo', r.lot_price_kobo, 'terms', r.terms_version, 'outcome', r.outcome, 'approvedLots', r.approved_lots,
      'goneKobo', (select coalesce(sum(e.amount_kobo), 0) from ledger_entries e
        where e.account = 'farm_released' and e.project_id = p.id and e.round = r.round)) order by r.round)
      from project_rounds r where r.project_id = p.id),
    'references', coalesce((select jsonb_agg(jsonb_build_array(f.user_id, f.retired_at is not null))
      from payment_references f where f.project_id = p.id), '[]'))), '[]') from projects p) as projects,
  (select coalesce(jsonb_agg(jsonb_build_object('project', h.project_id, 'round', h.round, 'person', h.user_id,
    'lots', h.lots, 'isOffer', h.reference is null, 'state', h.state, 'until', h.until, 'endedAt', h.ended_at,
    'hasReceipt', h.has_receipt, 'isExtended', h.is_extended) order by h.id), '[]') from holds h) as holds,
  (select coalesce(jsonb_agg(jsonb_build_object('project', w.project_id, 'round', w.round, 'person', w.user_id,
    'lots', w.lots, 'state', case when w.offered_at is not null then 'offered' when w.left_at is not null then 'left'
    else 'waits' end) order by w.id), '[]') from waiting_list w) as waiting,
  (select coalesce(jsonb_agg(jsonb_build_array(l.id, l.amount_kobo, abs(l.amount_kobo) - l.matched_kobo,
    coalesce(l.gap_kobo, 0), l.void_id is not null) order by l.id), '[]')
    from statement_lines l) as lines,
  (select coalesce(jsonb_agg(jsonb_build_object('line', m.line_id, 'kind', m.kind, 'payment', m.payment_id, 'payout', m.payout_id,
    'sale', m.sale_id, 'harvest', m.harvest_id, 'release', m.release_id,
    'amountKobo', m.amount_kobo, 'isUndone', m.undone_at is not null, 'isByTwo', m.request_id is not null,
    'receivableKobo', case when m.sale_id is null then 0 else m.receivable_kobo end,
    'isTwice', m.kind = 'payout' and m.reason is not null,
    'isOfSecond', m.kind = 'returned' and m.receivable_kobo is not null) order by m.id), '[]')
    from line_matches m) as matches,
  (select coalesce(jsonb_agg(jsonb_build_object('project', e.project_id, 'dueKobo', e.due)), '[]') from (
    select project_id, -sum(amount_kobo) as due from ledger_entries where account = 'farm_due' group by project_id) e) as farms,
  (select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'project', h.project_id, 'round', h.round, 'state', h.state, 'isInsurance', h.is_insurance,
    'quantity', h.quantity, 'farmQuantity', h.farm_quantity, 'areCostsLost', h.costs_lost_at is not null,
    'isRestLost', h.rest_lost_at is not null,
    'files', (select count(*) from harvest_files f where f.harvest_id = h.id and f.purpose = 'harvest'),
    'books', jsonb_build_object('proceedsKobo', ${ofHarvest("-", "e.account = 'harvest_proceeds' and e.harvest_id = h.id")},
      'costsKobo', ${ofHarvest("", "e.account = 'harvest_costs' and e.harvest_id = h.id")},
      'lostKobo', ${ofHarvest("", "e.account = 'losses' and t.harvest_id = h.id")},
      'feeKobo', ${ofHarvest("-", "e.account = 'fee_income' and t.harvest_id = h.id")},
      'vatKobo', ${ofHarvest("-", "e.account = 'vat_due' and t.harvest_id = h.id")},
      'whtKobo', ${ofHarvest("-", "e.account = 'wht_due' and t.harvest_id = h.id")},
      'produceKobo', ${ofHarvest("", "e.account = 'produce_stock' and e.harvest_id = h.id")},
      'dueKobo', ${ofHarvest("-", "e.account = 'backer_due' and e.harvest_id = h.id")}),
    'parts', coalesce((select jsonb_agg(jsonb_build_object('person', p.user_id, 'weightKobo', p.weight_kobo, 'struckKobo', p.struck_kobo,
      'taken', coalesce(p.taken, 0), 'given', coalesce(p.given, 0), 'sold', coalesce(p.sold, 0),
      'isCollected', p.collected_at is not null, 'isUncollected', p.uncollected_at is not null) order by p.backing_id)
      from harvest_parts p where p.harvest_id = h.id), '[]')) order by h.id), '[]') from harvests h) as harvests,
  (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'project', a.project_id, 'round', a.round, 'part', a.part,
    'askedBy', a.asked_by, 'verdict', a.verdict, 'decidedBy', a.decided_by) order by a.id), '[]') from release_asks a) as asks,
  (select coalesce(jsonb_agg(jsonb_build_object('project', s.project_id, 'round', s.round, 'part', s.part,
    'isTakenBack', s.taken_back_at is not null) order by s.id), '[]') from release_skips s) as skips,
  (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'project', l.project_id, 'round', l.round, 'part', l.part,
    'ask', l.ask_id, 'isByTwo', l.request_id is not null, 'amountKobo', l.amount_kobo,
    'isTakenBack', l.taken_back_at is not null) order by l.id), '[]') from farm_releases l) as releases,
  (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'project', b.project_id, 'round', b.round, 'amountKobo', b.amount_kobo,
    'isTakenBack', b.taken_back_at is not null) order by b.id), '[]') from round_returns b) as returns,
  (select jsonb_agg(-coalesce((select sum(e.amount_kobo) from ledger_entries e where e.account = tax || '_due'), 0) order by tax)
    from unnest(array['vat', 'wht']) as tax) as taxes,
  (select coalesce(jsonb_agg(jsonb_build_array(b.project_id, w.round, b.user_id, w.weight_kobo)), '[]')
    from backing_weights w join project_backings b on b.id = w.backing_id) as granted,
  (select coalesce(jsonb_agg(jsonb_build_array(w.project_id, w.round, w.user_id, w.weight_kobo - w.struck_kobo)), '[]')
    from round_weights w) as frozen,
  (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'harvest', c.harvest_id, 'amountKobo', c.amount_kobo,
    'paidBy', c.paid_by, 'isCounted', c.paid_by = 'platform' or c.request_id is not null, 'isRemoved', c.removed_at is not null) order by c.id), '[]') from harvest_costs c) as costs,
  (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'harvest', s.harvest_id, 'pool', s.pool, 'quantity', s.quantity,
    'amountKobo', s.amount_kobo, 'lostKobo', s.lost_kobo, 'isDeclared', s.declared_at is not null, 'isTakenBack', s.taken_back_at is not null,
    'isRemoved', s.removed_at is not null) order by s.id), '[]') from harvest_sales s) as sales,
  (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'harvest', s.harvest_id, 'pool', s.pool,
    'proceedsKobo', s.proceeds_kobo, 'farmKobo', s.farm_kobo, 'deductedKobo', s.farm_deducted_kobo,
    'isReversed', s.reversed_at is not null,
    'costs', coalesce((select jsonb_agg(jsonb_build_object('cost', c.cost_id, 'amountKobo', c.amount_kobo) order by c.cost_id)
      from settlement_costs c where c.settlement_id = s.id), '[]'),
    'parts', coalesce((select jsonb_agg(jsonb_build_object('person', p.user_id, 'shareKobo', p.share_kobo, 'feeKobo', p.fee_kobo,
      'vatKobo', p.vat_kobo, 'whtKobo', p.wht_kobo, 'netKobo', p.net_kobo,
      'struckKobo', (select coalesce(sum(k.net_kobo), 0) from settlement_strikes k
        where k.settlement_id = p.settlement_id and k.backing_id = p.backing_id)) order by p.backing_id)
      from settlement_parts p where p.settlement_id = s.id), '[]')) order by s.id), '[]') from settlements s) as settlements,
  (select coalesce(jsonb_agg(jsonb_build_object('settlement', k.settlement_id, 'person', k.user_id, 'payout', k.payout_id,
    'shareKobo', k.share_kobo, 'feeKobo', k.fee_kobo, 'vatKobo', k.vat_kobo, 'whtKobo', k.wht_kobo, 'netKobo', k.net_kobo)
    order by k.id), '[]') from settlement_strikes k) as "takenOut",
  (select coalesce(jsonb_agg(jsonb_build_object('kind', r.kind, 'year', r.year, 'sequence', r.sequence, 'person', r.user_id,
    'amountKobo', r.amount_kobo, 'isReplaced', r.replaced_at is not null, 'payment', r.payment_id, 'refund', r.refund_id,
    'settlement', r.settlement_id, 'run', r.run_id)), '[]') from papers r) as papers,
  (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'payment', f.payment_id, 'person', f.user_id, 'amountKobo', f.amount_kobo,
    'isSurplus', f.reason = 'surplus', 'isTakenBack', f.taken_back_at is not null) order by f.id), '[]') from refunds f)
    as refunds,
  (select coalesce(jsonb_agg(jsonb_build_object('project', c.project_id, 'round', c.round, 'from', c.from_user_id, 'to', c.to_user_id,
    'outcome', c.outcome, 'payments', array(select m.payment_id from holder_change_payments m where m.change_id = c.id))
    order by c.id), '[]') from holder_changes c) as changes,
  (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'person', o.user_id, 'farm', o.farm_id, 'line', o.line_id,
    'refund', o.refund_id, 'settlement', o.settlement_id, 'release', o.release_id, 'returned', o.return_id,
    'payment', case when o.return_id is not null then o.payment_id end, 'former', o.former_user_id, 'amountKobo', o.amount_kobo, 'part', o.part,
    'parts', o.parts, 'state', o.state, 'run', o.run_id, 'replaces', o.replaces_id, 'isSent', o.sent_at is not null,
    'isByHand', o.paid_by is not null,
    'isWithheld', o.withheld_at is not null and o.let_go_request_id is null) order by o.id), '[]') from payouts o) as payouts,
  (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'person', a.user_id, 'farm', a.farm_id, 'line', a.line_id, 'usableFrom', a.usable_from,
    'isReplaced', a.replaced_at is not null) order by a.id), '[]') from payee_accounts a) as accounts,
  (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'state', r.state, 'madeBy', r.made_by, 'isExported', r.exported_at is not null, 'isGiven', r.given_at is not null,
    'payouts', array(select l.payout_id from payout_run_lines l where l.run_id = r.id order by l.position),
    'accounts', array(select l.payee_account_id from payout_run_lines l where l.run_id = r.id order by l.position))
    order by r.id), '[]') from payout_runs r) as runs,
  (select coalesce(jsonb_agg(jsonb_build_object(
    'id', y.id, 'project', y.project_id, 'projectTitle', y.project_title, 'person', y.user_id,
    'lots', y.lots, 'amountKobo', y.amount_kobo, 'unallocatedKobo', ${owedOf("unallocated")}, 'keptKobo', ${keptOf}, 'dueKobo', ${owedOf("backer_due")},
    'lostKobo', coalesce((select k.lost_kobo from payment_strikes k where k.payment_id = y.id), 0),
    'inTransitKobo', ${owedOf("in_transit", "")}, 'receivableKobo', ${owedOf("receivable", "")}, 'status', y.status, 'round', y.round, 'terms', y.terms_version, 'reason', y.rejection_reason,
    'decidedBy', y.decided_by, 'approvedFor', (select t.user_id from ledger_transactions t where t.payment_id = y.id and t.kind = 'approval'
      and not exists (select from ledger_transactions r where r.reverses_id = t.id)), 'keepsAddress', y.refund_email is not null,
    'receipts', (select count(*) from payment_receipts r where r.payment_id = y.id),
    'latest', (select sha256 from payment_receipts r where r.id = y.current_receipt_id))), '[]')
    from project_payments y) as payments`;
