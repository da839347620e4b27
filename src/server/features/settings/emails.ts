import { greeting, type MailContent } from "#server/mail/layout.ts";
import { brand } from "#shared/brand.ts";
import { formatDateTime } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import type { BankDetails } from "#shared/settings-texts.ts";

/** Sent to every owner when any of the bank details that backers transfer to has changed. */
export function bankDetailsMail(input: {
  fullName: string;
  publicUrl: string;
  changedBy: { fullName: string; email: string };
  details: { [Part in keyof BankDetails]: string | undefined };
  at: Date;
}): { subject: string; content: MailContent } {
  const { fullName, publicUrl, changedBy, details, at } = input;
  const line = (label: string, value: string | undefined) => `${label}: ${value ?? "not set"}`;
  return {
    subject: `${brand.name}: the bank details were changed`,
    content: {
      title: "The bank details were changed",
      paragraphs: [
        greeting(fullName),
        `${changedBy.fullName} (${changedBy.email}) changed the account that backers transfer to on ${formatDateTime(at)}. From now on the payment pages show:`,
        [
          line("Bank", details.bankName),
          line("Account name", details.accountName),
          line("Account number", details.accountNumber),
        ].join("\n"),
        "If you know about this change, there is nothing more to do. If not, put the right details back at once and block the account that changed them.",
      ],
      action: { label: "Look at the settings", url: `${publicUrl}/admin/settings` },
      footnote: "All owners get this mail whenever the bank details change.",
    },
  };
}

/** Sent to every owner when the amount from which on a second person is needed has changed. */
export function secondPersonLimitMail(input: {
  fullName: string;
  publicUrl: string;
  changedBy: { fullName: string; email: string };
  before: Kobo;
  after: Kobo;
  at: Date;
}): { subject: string; content: MailContent } {
  const { fullName, publicUrl, changedBy, before, after, at } = input;
  const title = "The amount that takes a second person was changed";
  return {
    subject: `${brand.name}: the amount that takes a second person was changed`,
    content: {
      title,
      paragraphs: [
        greeting(fullName),
        `${changedBy.fullName} (${changedBy.email}) changed it from ${formatNaira(before)} to ${formatNaira(after)} on ${formatDateTime(at)}. From this amount on one owner alone can't approve a payment that the bank doesn't show.`,
        "If you know about this change, there is nothing more to do. If not, put the amount back at once and block the account that changed it.",
      ],
      action: { label: "Look at the settings", url: `${publicUrl}/admin/settings` },
      footnote: "All owners get this mail whenever the amount changes.",
    },
  };
}
