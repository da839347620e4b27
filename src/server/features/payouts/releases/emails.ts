import { greeting, type Mail } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";
import type { Site } from "#shared/site/site.ts";

/** Sent to every owner when the account that a farm's money goes to was given or changed. */
export function farmAccountMail(input: {
  fullName: string;
  site: Site;
  farmId: number;
  farmName: string;
  account: { bankName: string; accountNumber: string; accountName: string; usableFrom: Date };
  confirmedBy: { fullName: string; email: string };
  /** Why, in the words of whoever asked. */
  reason: string;
  at: Date;
}): Mail {
  const { fullName, site, farmId, farmName, account, confirmedBy, reason, at } = input;
  return {
    subject: `${site.name}: a farm's account was changed`,
    content: {
      title: "A farm's account was changed",
      paragraphs: [
        greeting(fullName),
        `${oneLine(confirmedBy.fullName)} (${confirmedBy.email}) confirmed on ${formatDateTime(at)} where the money of ${oneLine(farmName)}, for all its projects, goes from now on.`,
        [
          `Bank: ${account.bankName}`,
          `Account name: ${oneLine(account.accountName)}`,
          `Account number: ${account.accountNumber}`,
        ].join("\n"),
        `The reason given: ${oneLine(reason)}`,
        `Money can be sent there from ${formatDateTime(account.usableFrom)} on. If you know about this change, there is nothing more to do. If not, block the account that confirmed it, and ask whoever entered it.`,
      ],
      action: { label: "Look at the farm", url: `${site.publicUrl}/admin/farms/${farmId}` },
      footnote: "All owners get this mail whenever a farm's account changes.",
    },
  };
}
