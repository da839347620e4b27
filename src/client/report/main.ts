import { siteStorage } from "#client/lib/browser-storage.ts";
import { RequestError } from "#client/lib/errors.ts";
import type { ReportPageFacts } from "#shared/reports/page-texts.ts";
import { sendReport } from "./calls.ts";
import { find } from "./form.ts";
import { forgetPage, keepPage } from "./keep-page.ts";
import { draftsOf, reportOf, startForm } from "./report.ts";

/**
 * The page on which a farm reports, from the field and on a weak signal: what is typed and photographed stays on the phone
 * until the server has answered. It has no framework, so that it is there at once.
 */
const text = document.getElementById("facts")?.textContent;
const facts: ReportPageFacts | null = text ? JSON.parse(text) : null;

/** The report has been sent. What this phone still has of it may be that report, whose answer got lost, or another one. */
async function settleDraft(sent: ReportPageFacts): Promise<void> {
  const drafts = draftsOf(sent);
  const draft = await drafts.read();
  if (!draft) return;
  const remove = () => drafts.remove(draft);
  if (draft.isUncertain) {
    try {
      await sendReport(reportOf(sent, draft));
      return await remove();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.reason !== "conflict") return;
    }
  }
  find("#leftover-text").textContent = draft.content;
  find("#leftover").hidden = false;
  find("#leftover-delete").addEventListener("click", async () => {
    await remove();
    find("#leftover").hidden = true;
  });
}

if (facts && facts.code !== null) {
  void startForm(facts, facts.code);
  void keepPage();
} else {
  if (facts) void settleDraft(facts);
  void forgetPage();
}

// As the app does: the system's scheme is followed while the page is open, unless the person has chosen one.
const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => {
  if (/^(light|dark)$/.test(siteStorage.read("mantine-color-scheme-value") ?? "")) return;
  document.documentElement.dataset.mantineColorScheme = dark.matches ? "dark" : "light";
});
