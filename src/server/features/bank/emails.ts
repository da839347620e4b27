import { greeting, type Mail } from "#server/mail/layout.ts";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { BankDetails } from "#shared/settings/texts.ts";
import type { Site } from "#shared/site/site.ts";

/** Sent to every owner when an account that backers don't transfer to was added or changed. */
export function ownAccountMail(input: {
  fullName: string;
  site: Site;
  changedBy: { fullName: string; email: string };
  account: BankDetails & { bankCode: string | null };
  isNew: boolean;
  at: Date;
}): Mail {
  const { fullName, site, changedBy, account, isNew, at } = input;
  const done = isNew ? "A bank account was added" : "A bank account was changed";
  return {
    subject: `${site.name}: ${done.toLowerCase()}`,
    content: {
      title: done,
      paragraphs: [
        greeting(fullName),
        `${changedBy.fullName} (${changedBy.email}) ${isNew ? "added" : "changed"} one of our own bank accounts on ${formatDateTime(at)}. Backers go on transferring to the account they are shown today.`,
        [
          `Bank: ${account.bankName}`,
          `Account name: ${account.accountName}`,
          `Account number: ${account.accountNumber}`,
          `Bank code: ${account.bankCode ?? "not set"}`,
        ].join("\n"),
        "If you know about this change, there is nothing more to do. If not, block the account that made it.",
      ],
      action: { label: "Look at the settings", url: `${site.publicUrl}/admin/settings` },
      footnote: "All owners get this mail whenever our own bank accounts change.",
    },
  };
}

/** Sent to every owner once when no statement was imported for days while money waits. */
export function statementsMissingMail(input: {
  fullName: string;
  site: Site;
  lastImportedAt: Date;
  days: number;
  pendingPayments: number;
  inTransitKobo: Kobo;
}): Mail {
  const { fullName, site, lastImportedAt, days, pendingPayments, inTransitKobo } = input;
  const payments = pendingPayments === 1 ? "1 payment waits" : `${pendingPayments} payments wait`;
  const waiting = [
    ...(pendingPayments > 0 ? [`${payments} for a decision`] : []),
    ...(inTransitKobo > 0n ? [`${formatNaira(inTransitKobo)} was approved and not seen at the bank yet`] : []),
  ];
  return {
    subject: `${site.name}: no bank statement for ${days} days`,
    content: {
      title: `No bank statement for ${days} days`,
      paragraphs: [
        greeting(fullName),
        `The last bank statement was imported on ${formatDateTime(lastImportedAt)}. Meanwhile ${waiting.join(", and ")}.`,
        "Import the days since then: only the bank shows what has really arrived.",
      ],
      action: { label: "Import a statement", url: `${site.publicUrl}/admin/bank` },
      footnote: "All owners get this mail once, until the next statement is imported.",
    },
  };
}
