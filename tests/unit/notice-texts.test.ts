import { expect, test } from "vitest";
import { readyNotice } from "#server/features/harvests/emails.ts";
import { receiptNotice } from "#server/features/payments/buying/emails.ts";
import { takenNotice } from "#server/features/payments/review/emails.ts";
import { renderMail } from "#server/mail/layout.ts";
import { mailsSaying } from "#tests/support/hostile-mails.ts";
import { gona } from "#tests/support/site.ts";

// Whoever chooses a name or a title must not turn round what stands behind it: the amount, the reference, who it is.

const directions = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
const turned = new RegExp(`[${directions}]`);

test("a backer's name doesn't turn round the amount that an administrator reads", () => {
  const { content, mail } = receiptNotice({
    site: gona,
    projectId: 1,
    projectTitle: "Snails\u2067",
    amountKobo: 50_000_000n,
    lots: 1,
    reference: "GONA-TD5G-ATWW",
    backerName: "Ada\u202e",
    isReplacement: false,
  });
  const said = "Ada sent a payment receipt of ₦500,000 for Snails (GONA-TD5G-ATWW).";
  expect(content).toBe(said);
  const { paragraphs, action } = mail({ fullName: "Owner" }).content;
  expect(paragraphs).toEqual([said]);
  expect(action).toEqual({ label: "Review payments", url: "https://gona.example/admin/payments?status=pending" });
});

test("whose lots were taken reads where to say where the money goes, and how long that takes, in app and mail alike", () => {
  const facts = { site: gona, projectTitle: "Snails" };
  const whole = takenNotice({ ...facts, lots: 1, refundDays: 5 });
  expect(whole.content).toBe(
    "Another payment for Snails was approved first. If you have paid, your money will be returned to you. Tell us where to send it. We say when the refund is due, and pay it within 5 working days.",
  );
  expect(whole.isAboutMoney).toBe(true);
  const { paragraphs, action } = whole.mail({ fullName: "Ada" }).content;
  expect(paragraphs.join("\n")).toContain("Tell us where to send it, if you have not yet.");
  expect(paragraphs.join("\n")).toContain("We pay it within 5 working days, counted from when we also know where to.");
  expect(action).toEqual({ label: "Tell us where to", url: "https://gona.example/profile?tab=money" });
  // Whoever closed their account can't sign in to give one.
  const closed = takenNotice({ ...facts, lots: 40, refundDays: 1 }).mail({ fullName: "", isClosed: true }).content;
  expect(closed.paragraphs.join("\n")).toMatch(/Please write to \S+ and name an account\..*within 1 working day,/s);
});

test("no subject holds a mark that turns the direction of what follows", () => {
  const subjects = mailsSaying(`Ada ${directions} of the pens`).map(({ subject }) => subject);
  expect(subjects.filter((subject) => turned.test(subject))).toEqual([
    // The positions are ours.
    `New application: Ada ${directions} of the pens`,
  ]);
});

test("letters that are written from right to left stay as they are", () => {
  const subjects = mailsSaying("مزرعة الحلزون").map(({ subject }) => subject);
  expect(subjects).toContain("New message about مزرعة الحلزون");
});

test("the code for produce stands large in the mail, in two groups of three, and in the notification", () => {
  const facts = { site: gona, projectId: 7, projectTitle: "Snails", unit: "kg" } as const;
  const until = new Date("2026-12-01T22:59:59Z");
  const { content, mail } = readyNotice(facts, { taken: 36_000n, code: "048213", until, place: "Gate 2, Epe" });
  expect(content).toContain("Your code: 048 213");
  const { html, text } = renderMail(gona, mail({ fullName: "Ada" }).content);
  expect(text).toContain("\nYour code:\n048 213\n");
  expect(html).toContain('<p>Your code<br><span class="code">048 213</span></p>');
  const sizeOf = (selector: string) => Number(new RegExp(`${selector} {[^}]*?(\\d+)px`).exec(html)?.[1]);
  expect(sizeOf("\\.code")).toBeGreaterThan(1.5 * sizeOf("\\.figure"));
  expect(html).toMatch(/\.code {[^}]*monospace[^}]*nowrap/);
});
