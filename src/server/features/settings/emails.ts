import { greeting, type Mail } from "#server/mail/layout.ts";
import { oneLine } from "#server/platform/text.ts";
import { formatDateTime } from "#shared/dates.ts";
import { type BankDetails, type MoneySettingKey, moneySettingWords, settingValueText } from "#shared/settings/texts.ts";
import type { Site } from "#shared/site/site.ts";

/** Sent to every owner when any of the bank details that backers transfer to has changed. */
export function bankDetailsMail(input: {
  fullName: string;
  site: Site;
  changedBy: { fullName: string; email: string };
  details: { [Part in keyof BankDetails]: string | undefined };
  at: Date;
}): Mail {
  const { fullName, site, changedBy, details, at } = input;
  const line = (label: string, value: string | undefined) => `${label}: ${value ?? "not set"}`;
  return {
    subject: `${site.name}: the bank details were changed`,
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
      action: { label: "Look at the settings", url: `${site.publicUrl}/admin/settings` },
      footnote: "All owners get this mail whenever the bank details change.",
    },
  };
}

/** Sent to every owner when a limit of what one owner does alone has changed, or what is taken of sales. */
export function moneySettingMail(input: {
  fullName: string;
  site: Site;
  changedBy: { fullName: string; email: string };
  /** The owner who asked for it, if two changed it; else null. */
  askedBy: string | null;
  key: MoneySettingKey;
  before: string;
  after: string;
  at: Date;
}): Mail {
  const { fullName, site, changedBy, askedBy, key, at } = input;
  const [before, after] = [settingValueText(key, input.before), settingValueText(key, input.after)];
  const words = moneySettingWords[key];
  return {
    subject: `${site.name}: ${words.name} was changed`,
    content: {
      title: `${words.title} was changed`,
      paragraphs: [
        greeting(fullName),
        `${changedBy.fullName} (${changedBy.email}) changed ${words.name} from ${before} to ${after} on ${formatDateTime(at)}${askedBy === null ? "" : `, as ${oneLine(askedBy)} had asked`}. ${words.effect(after)}`,
        "If you know about this change, there is nothing more to do. If not, put the old value back at once and block the account that changed it.",
      ],
      action: { label: "Look at the settings", url: `${site.publicUrl}/admin/settings` },
      footnote: "All owners get this mail whenever this setting changes.",
    },
  };
}
