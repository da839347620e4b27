import type { PaymentStatus } from "#shared/payment-statuses.ts";
import { paymentTexts } from "#shared/payments-texts.ts";
import { permissionsOf } from "#shared/permissions.ts";
import { closeProject } from "./projects.ts";
import {
  approvedInRound,
  at,
  type Model,
  type Payment,
  type Project,
  Refused,
  require,
  requireSignedIn,
  tell,
} from "./state.ts";

/** Paying by bank transfer, as product decisions 1.2 and 1.3 have it. */

function findProject(model: Model, project: number): Project {
  const found = at(model.projects, project);
  if (found.isRemoved) throw new Refused("not_found", paymentTexts.projectNotFound);
  return found;
}

const pendingOf = (model: Model, project: number, person: number) =>
  model.payments.find((it) => it.project === project && it.person === person && it.status === "pending");

/** Whoever holds a reference may send a receipt after the closing too: they may have paid already. */
function reserve(model: Model, project: number, person: number): boolean {
  if (!at(model.projects, project).isClosed) model.references.add(project, person);
  return model.references.has(project, person);
}

export function visit(model: Model, { caller, project }: { caller: number; project: number }) {
  requireSignedIn(model, caller);
  const { goalKobo, isClosed } = findProject(model, project);
  const hasReference = reserve(model, project, caller);
  const own = pendingOf(model, project, caller);
  const latest = model.payments.findLast((it) => it.project === project && it.person === caller);
  const approved = approvedInRound(model, project);
  return {
    amountKobo: own?.amountKobo ?? goalKobo,
    hasReference,
    ownStatus: (own ?? latest)?.status ?? null,
    isRefundDue: own !== undefined && approved !== undefined,
    isOtherUnderReview: model.payments.some(
      (it) => it.project === project && it.person !== caller && it.status === "pending",
    ),
    isTakenByOther: approved !== undefined && approved.person !== caller,
    blockedBy: isClosed && !hasReference ? "closed" : null,
  };
}

export type Sending = { caller: number; project: number; key: number; receipt: number };

/** The same key gives the same reply and one row; another receipt while one waits takes its place. */
export function submit(model: Model, { caller, project, key, receipt }: Sending) {
  requireSignedIn(model, caller);
  const earlier = model.submits.find((it) => it.person === caller && it.key === key);
  if (earlier) {
    const payment = at(model.payments, earlier.payment);
    if (payment.project !== null && payment.project !== project) {
      throw new Refused("conflict", paymentTexts.keyUsedElsewhere);
    }
    return { payment: earlier.payment, amountKobo: payment.amountKobo, isFirst: false };
  }
  const { title, goalKobo } = findProject(model, project);
  if (!reserve(model, project, caller)) throw new Refused("conflict", paymentTexts.projectClosed);
  let payment = pendingOf(model, project, caller);
  if (!payment) {
    payment = newPayment({ project, projectTitle: title, person: caller, amountKobo: goalKobo });
    model.payments.push(payment);
  }
  payment.receipts.push(receipt);
  const index = model.payments.indexOf(payment);
  model.submits.push({ person: caller, key, payment: index, receipt });
  const watching = model.people.flatMap((person, it) =>
    permissionsOf(person).includes("payments:view") && !person.isBlocked ? [it] : [],
  );
  tell(model, watching, "receipt_submitted", caller);
  return { payment: index, amountKobo: payment.amountKobo, isFirst: true };
}

const newPayment = (values: Pick<Payment, "project" | "projectTitle" | "person" | "amountKobo">): Payment => ({
  ...values,
  status: "pending",
  round: null,
  reason: null,
  decidedBy: null,
  keepsAddress: false,
  receipts: [],
});

/** What an administrator has before their eyes when they decide: the payment as it is, or as it was when it came. */
export type Look = "now" | "first";
export const seenOf = (payment: Payment, look: Look) =>
  look === "now"
    ? { status: payment.status, receipt: payment.receipts.at(-1) ?? -1 }
    : { status: "pending" as const, receipt: at(payment.receipts, 0) };

export type Decision = { caller: number; payment: number; status: PaymentStatus; look: Look; reason?: string };

export function setStatus(model: Model, { caller, payment: index, status, look, reason }: Decision) {
  require(model, caller, "payments:process");
  const payment = at(model.payments, index);
  const now = seenOf(payment, "now");
  const seen = seenOf(payment, look);
  if (seen.status !== now.status || seen.receipt !== now.receipt) throw new Refused("conflict", paymentTexts.changed);
  if (status === payment.status) return { status };

  const { project, person } = payment;
  if (status === "approved") {
    if (project === null) throw new Refused("conflict", paymentTexts.removedNotApprovable);
    const taken = approvedInRound(model, project);
    if (taken) {
      const decider = at(model.people, taken.decidedBy ?? -1);
      throw new Refused("conflict", paymentTexts.roundTaken(decider.fullName));
    }
  }
  if (status === "pending" && project !== null && pendingOf(model, project, person)) {
    throw new Refused("conflict", paymentTexts.otherPending);
  }

  Object.assign(payment, {
    status,
    round: status === "approved" && project !== null ? at(model.projects, project).round : null,
    reason: status === "rejected" ? (reason ?? null) : null,
    decidedBy: status === "pending" ? null : caller,
    keepsAddress: false,
  });
  model.audit.push("update_payment_status");
  tell(model, [person], "payment_status");
  if (status === "approved" && project !== null) {
    const waiting = model.payments.filter(
      (it) => it.project === project && it.status === "pending" && it.person !== person,
    );
    tell(
      model,
      waiting.map((it) => it.person),
      "payment_status",
    );
    if (!at(model.projects, project).isClosed) closeProject(model, project, person);
  }
  return { status };
}
