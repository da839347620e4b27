import { RequestError } from "#client/lib/errors.ts";
import { type ReportPageFacts, reportPageTexts as texts } from "#shared/reports/page-texts.ts";
import { reportTexts } from "#shared/reports/texts.ts";
import { sendPhoto, sendReport } from "./calls.ts";
import { type Draft, emptyDraft, openDrafts } from "./draft.ts";
import {
  askQuestions,
  clearFault,
  fillForm,
  find,
  findFaults,
  plainNumber,
  readForm,
  showFaults,
  showStatus,
} from "./form.ts";
import { forgetPage } from "./keep-page.ts";
import { openPhotoList } from "./photo-list.ts";

/** The pauses between attempts, in seconds; the last one from then on. */
const pauses = [5, 10, 20, 40, 80, 160, 300];

/** Failures that pass by themselves: no network, a server that is busy or restarts. */
const passing = ["network", "internal", "unavailable", "rate_limited"];

export const draftsOf = ({ projectId, number }: ReportPageFacts) => openDrafts(projectId, number);

/** The report as the server takes it. */
export const reportOf = ({ by, number }: ReportPageFacts, draft: Draft) => ({
  by,
  number,
  idempotencyKey: draft.idempotencyKey,
  content: draft.content.trim(),
  figures: Object.fromEntries(
    Object.entries(draft.figures)
      .map(([key, typed]) => [key, plainNumber(typed)] as const)
      .filter(([, value]) => value !== ""),
  ),
  farmNote: draft.farmNote.trim(),
  photoKeys: draft.photos.map(({ key }) => key),
  isConfirmed: draft.isConfirmed,
});

/** Runs the form: keeps what is typed, and sends it once the person has pressed *Send*, until the server has answered. */
export async function startForm(facts: ReportPageFacts, code: string): Promise<void> {
  const drafts = draftsOf(facts);
  await drafts.removeOthers();
  const found = await drafts.read();
  const kept = found?.code === code ? found : null;
  let draft = kept ?? emptyDraft(code);
  let isRunning = false;
  let failures = 0;
  let timer: number | undefined;

  const form = find<HTMLFormElement>("#form");
  const change = find<HTMLButtonElement>("#change");
  const retry = find<HTMLButtonElement>("#retry");
  const keep = async (changes: Partial<Draft>) => {
    draft = { ...draft, ...changes };
    return drafts.keep(draft);
  };
  const showSaved = (isKept: boolean) => {
    if (isKept) showStatus(texts.saved, "neutral");
    else showStatus(texts.notKept, "caution");
  };
  /** A changed report is another one: had the first arrived, its answer would hide that the change didn't. */
  const edit = async (changes: Partial<Draft>) => {
    const anew = draft.isUncertain ? { idempotencyKey: crypto.randomUUID(), isUncertain: false } : {};
    showSaved(await keep({ ...changes, ...anew, isConfirmed: false }));
  };
  const photos = openPhotoList({
    drafts,
    photosOf: () => draft.photos,
    onChange: (list) => edit({ photos: list }),
  });

  const showSending = (is: "editing" | "running" | "waiting") => {
    find<HTMLFieldSetElement>("#fields").disabled = is !== "editing";
    find("#send").hidden = is !== "editing";
    for (const button of [change, retry]) button.hidden = is !== "waiting";
  };

  const stopSending = async () => {
    window.clearTimeout(timer);
    await keep({ isSending: false });
    showSending("editing");
  };

  const uploadPhotos = async () => {
    const { by, number } = facts;
    for (const [index, { key, isUploaded }] of draft.photos.entries()) {
      const file = isUploaded ? null : await drafts.readPhoto(key);
      if (!file) continue;
      const say = (share: number) =>
        showStatus(texts.sendingPhoto(index + 1, draft.photos.length, Math.floor(share * 100)), "neutral");
      say(0);
      try {
        await sendPhoto({ by, number, photoKey: key }, file, say);
      } catch (error) {
        if (error instanceof RequestError && error.reason === "invalid") photos.showFault(index + 1, error.message);
        throw error;
      }
      await keep({ photos: draft.photos.map((photo) => (photo.key === key ? { key, isUploaded: true } : photo)) });
    }
  };

  const send = async () => {
    await uploadPhotos();
    showStatus(texts.sendingReport, "neutral");
    await keep({ isUncertain: true });
    const answer = await sendReport(reportOf(facts, draft)).catch(async (error: unknown) => {
      if (error instanceof RequestError && error.reason !== "network") await keep({ isUncertain: false });
      throw error;
    });
    if ("sentAt" in answer) {
      await drafts.remove(draft);
      await forgetPage();
      return showDone();
    }
    showSaved(await keep({ isUncertain: false }));
    const isRight = await askQuestions(answer.questions);
    if (isRight) {
      await keep({ isConfirmed: true });
      return send();
    }
    await stopSending();
    form.querySelector<HTMLElement>("input")?.focus();
  };

  const refuse = async (error: RequestError) => {
    await stopSending();
    if (error.reason === "conflict") {
      // It was sent by somebody else, or is missed: it can't be sent any more, and the person may copy what they wrote.
      find("#send").hidden = true;
      find("#discard").hidden = false;
      return showStatus(error.message, "negative");
    }
    showStatus(`${error.message} ${texts.keptHere}`, "negative");
    find("#sign-in").hidden = error.reason !== "unauthenticated";
    showFaults(Object.fromEntries(Object.entries(error.fields).map(([field, [text = ""]]) => [field, text])));
  };

  const attempt = async () => {
    if (isRunning || !draft.isSending) return;
    isRunning = true;
    window.clearTimeout(timer);
    showSending("running");
    try {
      await send();
      failures = 0;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const isPhotoMissing = error.message === reportTexts.photoMissing;
      if (isPhotoMissing) await keep({ photos: draft.photos.map(({ key }) => ({ key, isUploaded: false })) });
      else if (!passing.includes(error.reason)) return await refuse(error);
      const pause = pauses[Math.min(failures, pauses.length - 1)] ?? 0;
      failures += 1;
      timer = window.setTimeout(attempt, pause * 1000);
      showSending("waiting");
      showStatus(error.reason === "network" ? texts.waiting : texts.busy, "caution");
    } finally {
      isRunning = false;
    }
  };

  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) clearFault(target);
    void edit(readForm(facts));
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const faults = findFaults(draft, facts.figures);
    showFaults(faults);
    if (Object.keys(faults).length > 0) return;
    await keep({ isSending: true });
    await attempt();
  });
  change.addEventListener("click", async () => {
    await stopSending();
    showSaved(true);
    form.querySelector<HTMLElement>("input")?.focus();
  });
  retry.addEventListener("click", () => void attempt());
  find("#discard").addEventListener("click", async () => {
    await drafts.remove(draft);
    location.reload();
  });
  window.addEventListener("online", () => void attempt());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void attempt();
  });

  if (kept) fillForm(kept);
  // What was typed before this script was there.
  else draft = { ...draft, ...readForm(facts) };
  await photos.show();
  showSending("editing");
  if (kept && !draft.isSending) showSaved(true);
  await attempt();
}

function showDone() {
  find("#report").hidden = true;
  find("#done").hidden = false;
  find("#done h1").focus();
}
