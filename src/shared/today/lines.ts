/**
 * The list of what waits, on the dashboard: its kinds, in the order in which they are shown, and their texts. No schema
 * is here.
 */

type LineText = {
  /** The names of one and of many: "1 receipt to review". */
  one: string;
  many: string;
  /** The instruction above the list of them. Lines without one are listed on a page of their own. */
  toDo?: string;
};

const texts = {
  receipts: { one: "receipt to review", many: "receipts to review" },
  sure_payments: { one: "sure match to confirm", many: "sure matches to confirm" },
  unseen_payments: {
    one: "approved payment that the bank hasn't shown for 7 days",
    many: "approved payments that the bank hasn't shown for 7 days",
    toDo: "Import the statements of those days, or ask the backer when and from which account they paid.",
  },
  unexplained_lines: {
    one: "line of a statement unexplained for over 3 days",
    many: "lines of statements unexplained for over 3 days",
    toDo: "Say what each is. Until then the books and the bank differ by it.",
  },
  missing_statements: {
    one: "bank account without a statement for 4 days",
    many: "bank accounts without a statement for 4 days",
    toDo: "Download the statement at the bank, and import it.",
  },
  rounds_to_decide: {
    one: "round to decide on",
    many: "rounds to decide on",
    toDo: "They ended before the last lot was sold: the farm starts, or everything is given back.",
  },
  requests: { one: "request for a second person", many: "requests for a second person" },
  runs_to_approve: {
    one: "payment run to approve",
    many: "payment runs to approve",
    toDo: "Another owner than its maker compares the total and approves it.",
  },
  runs_to_void: {
    one: "payment run that nobody can approve any more",
    many: "payment runs that nobody can approve any more",
    toDo: "Cancel them, and make others.",
  },
  runs_to_export: {
    one: "payment run to bring to the bank",
    many: "payment runs to bring to the bank",
    toDo: "They are approved. Make their files.",
  },
  runs_to_give: {
    one: "payment run to mark as given to the bank",
    many: "payment runs to mark as given to the bank",
    toDo: "Their files are made. Once the bank has one, say so: then whoever gets the money is told.",
  },
  unseen_payouts: {
    one: "payout sent and not seen leaving",
    many: "payouts sent and not seen leaving",
    toDo: "Import the statement of that day, or ask the bank what became of them.",
  },
  failed_payouts: {
    one: "payout that failed, to send again",
    many: "payouts that failed, to send again",
    toDo: "The bank sent their money back or refused them. Put what takes their place into a payment run.",
  },
  overdue_payouts: {
    one: "payout overdue",
    many: "payouts overdue",
    toDo: "The day that was promised has passed. Put them into a payment run.",
  },
  missing_accounts: {
    one: "payout without an account for 14 days",
    many: "payouts without an account for 14 days",
    toDo: "Whoever it is for was asked where to pay to, and hasn't said. Call them.",
  },
  old_drafts: {
    one: "harvest that is a draft for 7 days",
    many: "harvests that are drafts for 7 days",
    toDo: "Open them for choosing, or withdraw them.",
  },
  choosing_ends: {
    one: "harvest whose choosing ends by tomorrow",
    many: "harvests whose choosing ends by tomorrow",
    toDo: "Backers who haven't chosen have their part sold. Prepare the hand-over.",
  },
  produce_waiting: {
    one: "harvest with produce to hand over",
    many: "harvests with produce to hand over",
    toDo: "Backers come for it with a code.",
  },
  sales_to_settle: {
    one: "harvest with proceeds to settle",
    many: "harvests with proceeds to settle",
    toDo: "Their money has come, and nobody has a part of it yet.",
  },
  money_to_release: {
    one: "round with money to release",
    many: "rounds with money to release",
    toDo: "It has arrived for the farm, and can be released to it.",
  },
  parts_asked: {
    one: "part of a farm's money asked for",
    many: "parts of farms' money asked for",
    toDo: "Look at the proof, and check or refuse it.",
  },
  late_reports: {
    one: "farm's report late",
    many: "farms' reports late",
    toDo: "Call the farm, or excuse the report with a reason.",
  },
  doubtful_reports: {
    one: "farm's report to look at",
    many: "farms' reports to look at",
    toDo: "Something about them was noticed, or nobody published them in time.",
  },
  told_pasts: {
    one: "farm's past to confirm",
    many: "farms' pasts to confirm",
    toDo: "Look at the evidence, and confirm or refuse what the farm tells of earlier years.",
  },
  messages: {
    one: "message of a backer to answer",
    many: "messages of backers to answer",
    toDo: "Answer on the project's messages, to all or to the writer only, or say that one needs no answer.",
  },
  contact: { one: "unread contact message", many: "unread contact messages" },
  applicants: { one: "new applicant", many: "new applicants" },
  alarms: { one: "finding of the self-check", many: "findings of the self-check" },
} as const satisfies Record<string, LineText>;

export type TodayKind = keyof typeof texts;
export const todayKinds = Object.keys(texts) as TodayKind[];

export const todayLines: Record<TodayKind, LineText> = texts;

export const todayTexts = {
  title: "Today",
  nothing: "Nothing waits for you.",
  failed: "What waits could not be loaded.",
  /** A list is at most so long. */
  shown: 200,
  alarms:
    "Please have it looked at by whoever runs the server before further payments are decided. Its log has the details, and the line goes within an hour of the repair.",
  noSuchLine: "There is no such list.",
  notYours: "That work is not among your rights.",
} as const;

/** "3 receipts to review". */
export function lineText(kind: TodayKind, count: number): string {
  const { one, many } = todayLines[kind];
  return `${count.toLocaleString("en-NG")} ${count === 1 ? one : many}`;
}
