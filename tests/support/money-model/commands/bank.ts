import fc from "fast-check";
import * as bank from "#tests/support/money-model/bank.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as payments from "#tests/support/money-model/payments.ts";
import { areTwoThere } from "#tests/support/money-model/second-person.ts";
import * as senders from "#tests/support/money-model/senders.ts";
import {
  at,
  hasRoom,
  type LineMatch,
  type Model,
  restKobo,
  standingLines,
  unallocatedKobo,
} from "#tests/support/money-model/state.ts";
import { taxes } from "#tests/support/money-model/taxes.ts";
import { mostly, owner, paymentsThat, place, placesOf, type Weighted } from "./drawn.ts";

/** The bank's statement, and an owner's explanations of it. */

/** Amounts of one, two and half a lot, of the whole farm, a little less or more, and a charge; and some that go out. */
const movedKobo = fc.constantFrom(
  ...[12_500_000n, 25_000_000n, 6_250_000n, 30_000_000n, 12_495_000n, 12_600_000n, 12_505_000n, 12_500_000n],
  ...[-12_500_000n, -5_000n],
);
const lineMatch = (...kinds: bank.OtherMatch[]) =>
  fc.record({
    caller: owner,
    line: place,
    payment: place,
    kind: fc.constantFrom(...kinds),
    share: fc.constantFrom<bank.Matching["share"]>("rest", "rest", "rest", "half", "more"),
  });
export const openLines = (isIt: (amountKobo: bigint) => boolean) => (model: Model) =>
  standingLines(model).filter((line) => isIt(at(model.lines, line).amountKobo) && restKobo(model, line) > 0n);
/** A match of a tax with the amount owed or, as often, with the line's whole rest; less often with half of it. */
const taxMatch = fc.record({
  caller: owner,
  line: place,
  payment: place,
  kind: fc.constantFrom(...taxes),
  share: fc.constantFrom<bank.Matching["share"]>("owed", "owed", "half", "rest", "rest"),
});
/** Also where nothing is owed, or no more: it is refused then. */
const taxesOfSettlements = (model: Model) =>
  model.settlements.length === 0
    ? []
    : openLines((amountKobo) => amountKobo < 0n)(model).flatMap((line) => taxes.map((kind) => ({ line, kind })));
const matching = { call: calls.matchLine, rule: bank.matchLine };
/** Pending payments whose lots are held: what the bank shows of them decides how long. */
const keptByHolds = ({ payments, holds }: Model): number[] =>
  placesOf(
    payments,
    ({ status, reference }) =>
      status === "pending" &&
      holds.some((it) => it.reference === reference && (it.state === "live" || it.state === "claimed")),
  );
const isPaid = ({ payments, lines }: Model) => payments.length > 0 && lines.length > 0;

export const ofBank = {
  "import a statement": command(
    7,
    fc.record({ caller: owner, amountsKobo: fc.array(movedKobo, { minLength: 1, maxLength: 4 }) }),
    { call: calls.importLines, rule: bank.importLines },
  ),
  "match money in": command(12, lineMatch("payment", "payment", "payment", "operator"), {
    ...matching,
    isPossible: isPaid,
    needs: (model) =>
      openLines((amountKobo) => amountKobo > 0n)(model).flatMap((line) =>
        [...model.payments.keys(), ...keptByHolds(model), ...keptByHolds(model)].map((payment) => ({
          line,
          payment,
        })),
      ),
  }),
  "two match money in": command(
    6,
    lineMatch("payment").map((args) => ({ ...args, isByTwo: true })),
    {
      ...matching,
      isPossible: (model) => areTwoThere(model) && isPaid(model),
      needs: (model) =>
        openLines((amountKobo) => amountKobo > 0n)(model).flatMap((line) =>
          [...model.payments.keys()].map((payment) => ({ line, payment })),
        ),
    },
  ),
  "match money out": command(5, lineMatch("taken_back", "taken_back", "bank_charges", "operator"), {
    ...matching,
    isPossible: isPaid,
    needs: (model) =>
      openLines((amountKobo) => amountKobo < 0n)(model).flatMap((line) =>
        placesOf(model.payments, ({ arrivedKobo }) => arrivedKobo > 0n).map((payment) => ({ line, payment })),
      ),
  }),
  "two say that the bank took money back": command(
    5,
    lineMatch("taken_back").map((args) => ({ ...args, isByTwo: true })),
    {
      ...matching,
      isPossible: (model) => areTwoThere(model) && isPaid(model),
      needs: (model) =>
        openLines((amountKobo) => amountKobo < 0n)(model).flatMap((line) =>
          placesOf(model.payments, ({ arrivedKobo }) => arrivedKobo > 0n).map((payment) => ({ line, payment })),
        ),
    },
  ),
  "two undo a match": command(
    2,
    fc.record({ caller: owner, match: place }).map((args) => ({ ...args, isByTwo: true })),
    {
      isPossible: (model) => areTwoThere(model) && model.matches.length > 0,
      needs: (model) =>
        placesOf(model.matches, ({ isUndone, kind }) => !isUndone && ["payment", "harvest_cost"].includes(kind)).map(
          (match) => ({ match }),
        ),
      call: calls.undoMatch,
      rule: bank.undoMatch,
    },
  ),
  "pass a tax on": command(4, taxMatch, { ...matching, isPossible: isPaid, needs: taxesOfSettlements }),
  "undo a match": command(4, fc.record({ caller: owner, match: place }), {
    isPossible: ({ matches }) => matches.length > 0,
    needs: (model) => {
      const kept = keptByHolds(model);
      const isOfKept = ({ payment }: LineMatch) => payment !== null && kept.includes(payment);
      const standing = (isIt: (match: LineMatch) => boolean) =>
        placesOf(model.matches, (match) => !match.isUndone && isIt(match)).map((match) => ({ match }));
      return [...standing(() => true), ...standing(isOfKept), ...standing(isOfKept)];
    },
    call: calls.undoMatch,
    rule: bank.undoMatch,
  }),
  "send money back to its sender": command(
    4,
    fc.record({
      caller: owner,
      line: place,
      share: fc.constantFrom<senders.SendingBack["share"]>("rest", "rest", "half", "more"),
    }),
    {
      isPossible: ({ lines }) => lines.length > 0,
      needs: (model) => openLines((amountKobo) => amountKobo > 0n)(model).map((line) => ({ line })),
      call: calls.sendBack,
      rule: senders.sendBack,
    },
  ),
  "two enter a sender's account": command(4, fc.record({ line: place }), {
    isPossible: (model) => areTwoThere(model) && model.lines.length > 0,
    needs: (model) =>
      placesOf([...model.lines.keys()], (line) => senders.isOwedToSender(model, line)).map((line) => ({ line })),
    call: calls.giveSenderAccount,
    rule: senders.giveSenderAccount,
  }),
  "give back what is held": command(4, fc.record({ caller: owner, payment: place, isSeen: mostly(5) }), {
    isPossible: ({ payments }) => payments.length > 0,
    needs: paymentsThat((it) => unallocatedKobo(it) > 0n && it.status !== "pending"),
    call: calls.giveUnallocatedBack,
    rule: bank.giveUnallocatedBack,
  }),
  "two give back what is held": command(
    4,
    fc.record({ caller: owner, payment: place, isSeen: mostly(5) }).map((args) => ({ ...args, isByTwo: true })),
    {
      isPossible: (model) => areTwoThere(model) && model.payments.length > 0,
      needs: paymentsThat((it) => unallocatedKobo(it) > 0n && it.status !== "pending"),
      call: calls.giveUnallocatedBack,
      rule: bank.giveUnallocatedBack,
    },
  ),
  "take a refund back": command(3, fc.record({ caller: owner, refund: place }), {
    isPossible: ({ refunds }) => refunds.length > 0,
    needs: ({ refunds }) => placesOf(refunds, ({ isTakenBack }) => !isTakenBack).map((refund) => ({ refund })),
    call: calls.takeRefundBack,
    rule: bank.takeRefundBack,
  }),
  "declare money as arrived": command(
    3,
    fc.record({ payment: place, amountKobo: fc.constantFrom(12_500_000n, 5_000_000n, 1n) }),
    {
      isPossible: (model, { payment: index }) => {
        const payment = model.payments[index];
        // One that can't be approved any more is rejected by it, which another test tells.
        return areTwoThere(model) && payment !== undefined && (payment.status !== "pending" || hasRoom(model, payment));
      },
      needs: paymentsThat((it) => it.status !== "approved"),
      call: calls.declareArrived,
      rule: payments.declareArrived,
    },
  ),
} satisfies Weighted;
