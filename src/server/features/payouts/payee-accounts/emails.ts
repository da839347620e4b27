import { greeting, type MailContent, supportLink } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";
import { maskedAccount, moneyTabPath } from "#shared/payouts/payee-accounts-texts.ts";
import type { Site } from "#shared/site/site.ts";

type ChangedAccount = {
  /** Empty for somebody who closed their account. */
  fullName: string;
  site: Site;
  account: { bankName: string; accountNumber: string; accountName: string; usableFrom: Date };
  /** Two owners entered it, because the person can't sign in. */
  isByOwners: boolean;
  at: Date;
};

/** Sent to a person whose money goes to another account from now on, so that a stranger's change is noticed. */
export function payeeAccountMail({ fullName, site, account, isByOwners, at }: ChangedAccount): {
  subject: string;
  content: MailContent;
} {
  const who = isByOwners ? "our team entered" : "you gave";
  const what = `${maskedAccount(account)}, ${oneLine(account.accountName)}`;
  return {
    subject: `${site.name}: the account for your payouts was changed`,
    content: {
      title: "The account for your payouts was changed",
      paragraphs: [
        greeting(fullName),
        `On ${formatDateTime(at)} ${who} the account that we pay your money to: ${what}.`,
        `For your safety we pay to it from ${formatDateTime(account.usableFrom)} on.`,
        isByOwners ? "If you asked us for this, there is nothing to do." : "If this was you, there is nothing to do.",
      ],
      ...(!isByOwners && { action: { label: "See your account", url: `${site.publicUrl}${moneyTabPath}` } }),
      footnote: [
        isByOwners ? "If you didn't, write to " : "If it wasn't you, reset your password at once and write to ",
        supportLink(site),
        ".",
      ],
    },
  };
}
