import { formatDate, formatWeekdayTime } from "#shared/dates.ts";
import { formatNaira, type Kobo } from "#shared/money.ts";
import { formatQuantity, type Unit } from "#shared/projects/terms-texts.ts";
import { countLots } from "#shared/projects/texts.ts";

/** A backer's tasks, in words. `until` is the last moment for it; null where nothing ends. */

type OfProject = { projectId: number; projectTitle: string; until: Date };

export type Task =
  | ({ kind: "choose" } & OfProject)
  | ({ kind: "collect"; quantity: bigint; unit: Unit } & OfProject)
  | ({ kind: "pay" | "take_offer"; lots: number } & OfProject)
  /** Lots that pass from the reader to somebody else, or to the reader. */
  | ({ kind: "object"; isFrom: boolean } & OfProject)
  | { kind: "give_account"; amountKobo: Kobo; until: null };

/** "36 kg to collect by 1 Dec 2026". */
export function taskText(task: Task): string {
  switch (task.kind) {
    case "choose":
      return `Choose by ${formatDate(task.until)} what to do with your share`;
    case "collect":
      return `${formatQuantity(task.quantity, task.unit)} to collect by ${formatDate(task.until)}`;
    case "pay":
      return `Pay for ${countLots(task.lots)} by ${formatWeekdayTime(task.until)}`;
    case "take_offer":
      return `Your turn: ${countLots(task.lots)} until ${formatWeekdayTime(task.until)}`;
    case "object":
      return `${task.isFrom ? "Your lots pass to another" : "Lots pass to you"} on ${formatDate(task.until)}, unless you object`;
    case "give_account":
      return `Tell us where to send ${formatNaira(task.amountKobo)}`;
  }
}
