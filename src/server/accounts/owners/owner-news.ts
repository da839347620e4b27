import { randomUUID } from "node:crypto";
import { listActiveOwners } from "#server/accounts/users.ts";
import type { Tx } from "#server/db/open.ts";
import { greeting, type Mail } from "#server/mail/layout.ts";
import { queueMails } from "#server/mail/outbox.ts";
import type { Deps } from "#server/platform/deps.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";
import type { Site } from "#shared/site/site.ts";

/**
 * Mails to every owner about the others: who becomes or ceases to be one, whose sign-in was reset, and who was given or
 * lost a grant.
 */

type Named = { fullName: string; email: string };

/** `may` is what people of that right can do, where it isn't what owners can. */
type Sentence = { title: string; text: (person: string, by: string) => string; may?: string };

const accountantsMay = "Accountants see all money and close the books, but change nothing else.";
const cashiersMay = "Cashiers see payments, import the bank's statements, and say what their lines are.";
const grantGiven = (what: string, may: string): Sentence => ({
  title: `Somebody was made ${what}`,
  text: (person, by) => `${by} made ${person} ${what}.`,
  may,
});
const grantTaken = (what: string, may: string): Sentence => ({
  title: `Somebody is no longer ${what}`,
  text: (person, by) => `${by} took from ${person} what makes one ${what}.`,
  may,
});

/** By what was done: the mail's title, and its sentence. `by` is whoever did it. */
const sentences = {
  invited: {
    title: "Somebody was invited as an owner",
    text: (person: string, by: string) =>
      `${by} invited ${person} to be an owner. They are one as soon as they accept the invitation.`,
  },
  joined: { title: "There is a new owner", text: (person: string) => `${person} accepted an invitation as an owner.` },
  role_given: { title: "There is a new owner", text: (person: string, by: string) => `${by} made ${person} an owner.` },
  role_taken: {
    title: "An owner lost the role",
    text: (person: string, by: string) => `${by} took the role of an owner from ${person}.`,
  },
  deactivated: {
    title: "An owner was deactivated",
    text: (person: string, by: string) => `${by} deactivated ${person}, who was an owner.`,
  },
  reactivated: {
    title: "An owner is back",
    text: (person: string, by: string) => `${by} reactivated ${person}, who is an owner again.`,
  },
  removed: {
    title: "An owner was removed",
    text: (person: string, by: string) => `${by} took all administrator's rights from ${person}, who was an owner.`,
  },
  blocked: {
    title: "An owner was blocked",
    text: (person: string, by: string) => `${by} blocked ${person}, who was an owner.`,
  },
  unblocked: {
    title: "An owner is back",
    text: (person: string, by: string) => `${by} unblocked ${person}, who may be an owner again.`,
  },
  password_reset: {
    title: "A new password was asked for an owner",
    text: (person: string, by: string) => `${by} had a link for a new password sent to ${person}.`,
  },
  second_factor_reset: {
    title: "An owner's second factor was removed",
    text: (person: string, by: string) => `${by} removed the second factor of ${person}.`,
  },
  accountant_given: grantGiven("an accountant", accountantsMay),
  accountant_taken: grantTaken("an accountant", accountantsMay),
  cashier_given: grantGiven("a cashier", cashiersMay),
  cashier_taken: grantTaken("a cashier", cashiersMay),
} satisfies Record<string, Sentence>;

export type OwnerChange = keyof typeof sentences;
export const ownerChanges = Object.keys(sentences) as OwnerChange[];

const named = ({ fullName, email }: Named) => `${oneLine(fullName)} (${email})`;

export function ownerNewsMail(input: {
  fullName: string;
  site: Site;
  change: OwnerChange;
  person: Named;
  by: Named | null;
  at: Date;
}): Mail {
  const { fullName, site, change, person, by, at } = input;
  const { title, text, may = "Owners can approve payments and send money." }: Sentence = sentences[change];
  return {
    subject: `${site.name}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    content: {
      title,
      paragraphs: [
        greeting(fullName),
        `${text(named(person), by ? named(by) : "Whoever runs the server")} This was on ${formatDateTime(at)}.`,
        `${may} If you know about this, there is nothing to do. If not, ask the other owners at once, and reset your password.`,
      ],
      action: { label: "See who is an administrator", url: `${site.publicUrl}/admin/settings` },
      footnote: "All owners get this mail, and whoever it is about. It can't be switched off.",
    },
  };
}

type Told = { change: OwnerChange; person: Named; by: Named | null };

/** Part of the transaction of the change: mails every owner, and the person that it is about. */
export async function mailOwnerNews(
  tx: Tx,
  deps: Pick<Deps, "clock" | "env" | "jobs" | "site">,
  { change, person, by }: Told,
): Promise<void> {
  const eventKey = `owners:${change}:${randomUUID()}`;
  const owners: Named[] = await listActiveOwners(tx);
  // Whoever is invited has the invitation.
  const isTold = change === "invited" || owners.some(({ email }) => email === person.email);
  const mails = [...owners, ...(isTold ? [] : [person])].map(({ email, fullName }) => ({
    eventKey,
    to: email,
    ...ownerNewsMail({ fullName, site: deps.site.current(), change, person, by, at: deps.clock.now() }),
  }));
  await queueMails(tx, deps, mails, { isUrgent: true });
}
