import { formatDateTime } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { countLots } from "#shared/projects/texts.ts";

/** A change of holder: a person's part in a round passes to another. No schema is here. */

export const holderChangeCauses = ["death", "gift", "court"] as const;
export type HolderChangeCause = (typeof holderChangeCauses)[number];

export const holderChangeOutcomes = ["carried_out", "objected", "stopped", "failed"] as const;

export const holderChangeCauseLabels: Record<HolderChangeCause, string> = {
  death: "The holder died",
  gift: "Gift in the family",
  court: "Order of a court",
};

export const holderChangeLimits = { days: 14 } as const;

/** Texts of a change of holder for owners and both people. */
export const holderChangeTexts = {
  title: (amount: string, projectTitle: string, from: string, to: string) =>
    `Pass ${from}'s ${amount} of ${projectTitle} to ${to}`,
  notApproved:
    "This payment isn't approved, so nobody holds lots by it. Decide on it first: a pending payment stays with whoever sent it.",
  struck: "This payment was struck, so nobody holds lots by it.",
  projectGone: "This project was deleted. What is still due goes to whoever it is due to.",
  otherHolder: "The payment has another holder by now.",
  samePerson: "This is the holder already. Choose somebody else.",
  noSuchPerson: "There is no such account.",
  blocked: "The new holder's account is blocked.",
  closed: "The new holder's account is closed.",
  unconfirmed: "The new holder hasn't confirmed their email address yet. Ask them to open the link that we mailed.",
  hasPart: (name: string) =>
    `${name} has a part in this round's harvests already, and one account has one part. Ask them for an account with another email address, and choose that.`,
  holderBlocked:
    "The holder's account was blocked while it ran, so they could not object here. Two owners can begin it anew: they read then that it is blocked.",
  cannotObject: (name: string) =>
    `${name || "The holder"} is blocked, and can't sign in to object. Make sure that they have read of it.`,
  runningAlready: "A change of holder runs already for what this person has in the round.",
  pickFirst: "Choose the new holder from the list.",
  causeFirst: "Choose why the lots pass.",
  gone: "This change of holder doesn't exist.",
  endedAlready: "This change of holder has ended already.",
  overAlready: "The 14 days are over, and it is being carried out.",
  notYours: "This change of holder isn't about you.",
  whatMoves: (payments: number, lots: number, amountKobo: Kobo) =>
    `${payments === 1 ? "The payment" : `All ${payments} approved payments of the round`}, ${countLots(lots)} for ${formatNaira(amountKobo)}, and what they count for in harvests.`,
  stillPending: (count: number) =>
    count === 1
      ? "A payment of theirs for this round is still pending. It stays with them, because nobody has decided on it."
      : `${count} payments of theirs for this round are still pending. They stay with them, because nobody has decided on them.`,
  openMoves: (kobo: Kobo) => `${formatNaira(kobo)} that is due to them, and in no payment run, goes to the new holder.`,
  inRunStays: (kobo: Kobo) => `${formatNaira(kobo)} is in a payment run and stays theirs.`,
  choiceMoves: "A harvest waits for a choice: the new holder makes it.",
  produceMoves: "Produce lies ready: the new holder collects it, with a new code.",
  from: (name: string, email: string) => `Holder now: ${name || "a closed account"}${email ? `, ${email}` : ""}.`,
  to: (name: string, email: string) => `New holder: ${name}, ${email}.`,
  wait: `Both are emailed, and either can object for ${holderChangeLimits.days} days with one press. Then it is carried out by itself.`,
  effects: [
    "Papers that were made already keep the old name.",
    "Nothing is sold by this: no money goes from the new holder to the old one.",
  ],
  objected: "You objected. Nothing changes, and the owners were told.",
  objectFailed: "Failed to object",
  stopped: "Change of holder stopped",
  fetchFailed: "Failed to fetch the changes of holder",
  /** The reason why neither can close the account meanwhile. */
  keepsOpen: (until: Date) =>
    `A change of holder that is about you runs until ${formatDateTime(until)}. You can close your account here after that, or once it is stopped.`,
} as const;
