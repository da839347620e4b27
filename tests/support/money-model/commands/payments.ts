import fc from "fast-check";
import type { PaymentStatus } from "#shared/payments/statuses.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as payments from "#tests/support/money-model/payments.ts";
import { unseenKobo } from "#tests/support/money-model/releases.ts";
import { areTwoThere } from "#tests/support/money-model/second-person.ts";
import { at, isActiveOwner, type Model, outcomeOf } from "#tests/support/money-model/state.ts";
import * as strikes from "#tests/support/money-model/strikes.ts";
import { hasJustBought, surplusKobo, useSurplus } from "#tests/support/money-model/surplus.ts";
import {
  anyBacker,
  byBackerOnProject,
  look,
  lots,
  mostly,
  often,
  owner,
  paymentsThat,
  place,
  placesOf,
  placesToHold,
  project,
  projectsThat,
  type Weighted,
} from "./drawn.ts";

/** Buying lots, and what owners decide of payments and rounds. */

const decision = <Status extends PaymentStatus>(...statuses: Status[]) =>
  fc.record({
    caller: owner,
    payment: place,
    look,
    status: fc.constantFrom(...statuses),
    reason: fc.constant("Blurred"),
    unseenReason: often(3, fc.constant("The payer is known"), fc.constant("")),
    isGivenBack: fc.boolean(),
  });

/** Each receipt is another file, and goes with another key. */
function freshReceipt(
  args: { caller: number; project: number; lots: number },
  { submits }: Readonly<Model>,
): payments.Sending {
  return { ...args, key: submits.length, receipt: submits.length };
}

/** The answer was lost, so the browser sends the same once more: by mistake, perhaps, for another project. */
function sentAgain(
  { again, project, lots, isElsewhere }: { again: number; project: number; lots: number; isElsewhere: boolean },
  model: Readonly<Model>,
): payments.Sending {
  const { person, key, receipt, payment } = at(model.submits, again % model.submits.length);
  const { project: paidFor } = at(model.payments, payment);
  return { caller: person, key, receipt, lots, project: isElsewhere || paidFor === null ? project : paidFor };
}

const decide = { call: calls.decide, rule: payments.setStatus };
const undecided = (model: Model) =>
  projectsThat((it) => it.isClosed && !it.isRemoved)(model).filter(
    ({ project: index }) => outcomeOf(model, index) === null,
  );

export const ofPayments = {
  "visit the payment page": command(3, byBackerOnProject, { call: calls.visit, rule: payments.visit }),
  "begin a purchase": command(10, fc.record({ caller: anyBacker, project, lots, look }), {
    // Nobody decides on their own money, which other tests tell: owners buy nothing.
    isPossible: (model, args) =>
      !isActiveOwner(at(model.people, args.caller)) &&
      (!at(model.projects, args.project).isRemoved || args.look === "first") &&
      !payments.hasJustAgreedToOther(model, args),
    needs: placesToHold(({ free }) => free > 0),
    call: calls.begin,
    rule: payments.begin,
  }),
  "send a receipt": command(9, fc.record({ caller: anyBacker, project, lots }), {
    needs: ({ references }) =>
      references.filter((it) => !it.isRetired).map(({ person: caller, project }) => ({ caller, project })),
    call: (real, args, model) => calls.send(real, freshReceipt(args, model)),
    rule: (model, args) => payments.submit(model, freshReceipt(args, model)),
  }),
  "send a receipt again with its key": command(
    3,
    fc.record({ again: place, project, lots, isElsewhere: fc.boolean() }),
    {
      isPossible: (model) => model.submits.length > 0,
      call: (real, args, model) => calls.send(real, sentAgain(args, model)),
      rule: (model, args) => payments.submit(model, sentAgain(args, model)),
    },
  ),
  approve: command(8, decision("approved"), { ...decide, needs: paymentsThat((it) => it.status === "pending") }),
  reject: command(3, decision("rejected"), decide),
  "take an approval back": command(4, decision("pending", "rejected"), {
    ...decide,
    isPossible: (model, { payment }) => at(model.payments, payment).status === "approved",
    needs: (model) =>
      paymentsThat(({ status, origin, round }) => {
        const isBegun = model.roundWeights.some((it) => it.project === origin && it.round === round);
        return status === "approved" && !isBegun;
      })(model),
  }),
  "decide on a round": command(
    4,
    fc.record({ caller: owner, project, outcome: fc.constantFrom("funded" as const, "not_funded" as const), look }),
    {
      call: calls.decideRound,
      rule: payments.decideRound,
      isPossible: (model, args) => !at(model.projects, args.project).isRemoved,
      needs: undecided,
    },
  ),
  "strike a payment": command(6, fc.record({ payment: place, isSeen: mostly(9) }), {
    isPossible: (model) => areTwoThere(model) && model.payments.length > 0,
    needs: (model) =>
      paymentsThat(
        (it) =>
          it.status === "approved" &&
          it.lostKobo === 0n &&
          unseenKobo(model, it) > 0n &&
          !strikes.canLeaveApproved(model, it),
      )(model),
    call: calls.strike,
    rule: strikes.strike,
  }),
  "use a surplus for other lots": command(5, fc.record({ caller: anyBacker, payment: place, lots, look }), {
    isPossible: (model, args) => model.payments.length > 0 && !hasJustBought(model, args),
    needs: (model) =>
      placesOf([...model.payments.keys()], (payment) => surplusKobo(model, payment) > 0n).map((payment) => ({
        payment,
        caller: at(model.payments, payment).person,
      })),
    call: calls.useSurplus,
    rule: useSurplus,
  }),
  "set pending again": command(4, decision("pending"), {
    ...decide,
    needs: paymentsThat((it) => it.status !== "pending"),
  }),
} satisfies Weighted;
