import { type ReportPageFacts, reportPageTexts as texts } from "#shared/reports/page-texts.ts";
import type { Draft } from "./draft.ts";

export function find<Found extends HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector);
  if (!found) throw new Error(`the report page has no ${selector}`);
  return found;
}

type Field = HTMLInputElement | HTMLTextAreaElement;
const fieldOf = (name: string) => find<Field>(`[name="${name}"]`);

/** Fills the fields with what the draft has. */
export function fillForm({ figures, content, farmNote }: Draft): void {
  for (const [key, value] of Object.entries(figures)) {
    const field = document.querySelector<Field>(`[name="figure-${key}"]`);
    if (field) field.value = value;
  }
  fieldOf("content").value = content;
  fieldOf("farmNote").value = farmNote;
  if (farmNote) openNote();
}

/** Reads the fields as typed. */
export function readForm({
  figures,
}: Pick<ReportPageFacts, "figures">): Pick<Draft, "figures" | "content" | "farmNote"> {
  return {
    figures: Object.fromEntries(figures.map(({ key }) => [key, fieldOf(`figure-${key}`).value])),
    content: fieldOf("content").value,
    farmNote: fieldOf("farmNote").value,
  };
}

/** A figure as people type it, "1,250", as the server reads it: "1250". */
export const plainNumber = (typed: string): string => typed.replace(/[\s,]/g, "");

/** The fault of each field, by its name. */
export function findFaults({ figures, content }: Draft, planned: ReportPageFacts["figures"]): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { key, label, isWhole, isRequired } of planned) {
    const value = plainNumber(figures[key] ?? "");
    if (value === "" && isRequired) faults[`figure-${key}`] = texts.figureRequired(label);
    else if (isWhole && !/^\d*$/.test(value)) faults[`figure-${key}`] = texts.wholeNumber;
    else if (!/^(\d+(\.\d{1,3})?)?$/.test(value)) faults[`figure-${key}`] = texts.figureWrong;
  }
  if (content.trim() === "") faults.content = texts.contentRequired;
  return faults;
}

/** Shows each field's fault beside it and goes to the first one. */
export function showFaults(faults: Record<string, string>): void {
  for (const note of document.querySelectorAll<HTMLElement>("[data-fault]")) {
    const name = note.dataset.fault ?? "";
    note.textContent = faults[name] ?? "";
    document.getElementsByName(name)[0]?.setAttribute("aria-invalid", String(name in faults));
  }
  if ("farmNote" in faults) openNote();
  document.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}

/** A fault stands until its field is changed. */
export function clearFault({ name }: { name: string }): void {
  const note = document.querySelector(`[data-fault="${name}"]`);
  if (note) note.textContent = "";
  document.getElementsByName(name)[0]?.removeAttribute("aria-invalid");
}

function openNote() {
  find<HTMLDetailsElement>("#note").open = true;
}

type Tone = "positive" | "caution" | "negative" | "neutral";

export function showStatus(text: string, tone: Tone): void {
  const status = find("#status");
  status.dataset.tone = tone;
  // The same words again would be read out again.
  if (status.textContent !== text) status.textContent = text;
}

/** Asks whether implausible figures are right. Gives true for *It is right, send it*. */
export function askQuestions(questions: string[]): Promise<boolean> {
  const dialog = find<HTMLDialogElement>("#questions");
  find("#questions ul").replaceChildren(
    ...questions.map((question) => Object.assign(document.createElement("li"), { textContent: question })),
  );
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "right"), { once: true });
  });
}
