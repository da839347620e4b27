import type { openReport } from "#server/features/reports/service.ts";
import { escapeHtml, oneLine } from "#server/platform/text.ts";
import { formatDateTime, formatWeekday } from "#shared/dates.ts";
import { type ReportPageFacts, reportPhotos, reportPageTexts as texts } from "#shared/reports/page-texts.ts";
import type { FigureKind } from "#shared/reports/plans-texts.ts";
import type { Site } from "#shared/site/site.ts";

/** The data of the page of a project's reports. */
export type OpenReport = Awaited<ReturnType<typeof openReport>>;
type AwaitedReport = NonNullable<OpenReport["report"]>;

/** A page's title for the browser and its content, as HTML. */
export type ReportPage = { title: string; html: string };

const wholeKinds: readonly FigureKind[] = ["stock", "count", "eggs"];

type By = ReportPageFacts["by"];
type Shown = { now: Date; site: Site };

/** The form of the report that can be sent, or what became of the last one and when the next can be sent. */
export function renderReport(open: OpenReport, by: By, shown: Shown): ReportPage {
  const { report, lastSent } = open;
  if (report?.isOpen) return renderForm(open, report, by, shown);
  if (lastSent) return renderSent(open, lastSent, by, shown);
  const text = report ? opensText(report) : texts.nothingAwaited;
  return renderNotice({ title: "Nothing to report now", place: placeOf(open), text }, shown.site);
}

const opensText = ({ number, opensAt, dueAt }: AwaitedReport) =>
  `Report ${number} can be sent from ${formatDateTime(opensAt)} on. It is due on ${formatWeekday(dueAt)}, ${formatDateTime(dueAt)}.`;

function renderForm(open: OpenReport, report: AwaitedReport, by: By, { now, site }: Shown): ReportPage {
  const html = `<main id="report">
<h1>Report ${report.number}</h1>
<p class="dimmed">${placeOf(open)}</p>
<p class="toned" data-tone="${report.dueAt < now ? "caution" : "positive"}">${dueText(report.dueAt, now)}</p>
${report.asks > 0 ? `<p>${report.asks === 1 ? "One backer has" : `${report.asks} backers have`} asked for this report.</p>` : ""}
${report.sentBackNote === null ? "" : `<p class="toned" data-tone="caution">We sent it back: ${escapeHtml(report.sentBackNote)}</p>`}
<noscript><p class="toned" data-tone="negative">${texts.needsScript}</p></noscript>
<section class="panel" aria-labelledby="code-title">
<h2 id="code-title">This report's code</h2>
<p class="code">${report.code}</p>
<p>Write ${report.code} on a slate, and have it in one photo.</p>
</section>
<form id="form" novalidate>
<fieldset id="fields">
<section class="panel" aria-labelledby="figures-title">
<h2 id="figures-title">Figures</h2>
${report.figures.map(figureField).join("\n")}
<details id="note">
<summary>Something to explain about the figures?</summary>
<label for="farm-note">Your note. Backers read it.</label>
<textarea id="farm-note" name="farmNote" maxlength="1000" aria-describedby="farm-note-fault"></textarea>
<p class="fault" id="farm-note-fault" data-fault="farmNote"></p>
</details>
</section>
<section class="panel" aria-labelledby="photos-title">
<h2 id="photos-title">Photos</h2>
<p class="dimmed" id="photo-count" tabindex="-1">0 of ${reportPhotos.max}</p>
<div class="buttons">
<label class="button pick">Take a photo<input type="file" id="camera" accept="image/*" capture="environment" /></label>
<label class="button pick">Gallery<input type="file" id="gallery" accept="image/*" multiple /></label>
</div>
<p class="fault" id="photo-fault" role="alert"></p>
<ul id="photos"></ul>
</section>
<section class="panel">
<label for="content">What happened since the last report?</label>
<textarea id="content" name="content" maxlength="20000" required aria-describedby="content-fault">${escapeHtml(report.content)}</textarea>
<p class="fault" id="content-fault" data-fault="content"></p>
</section>
</fieldset>
<div class="foot">
<p class="toned" id="status" role="status"></p>
<button class="primary" id="send" type="submit">Send</button>
<button id="discard" type="button" hidden>${texts.discard}</button>
<a class="button" id="sign-in" hidden href="${signInPath(`/farm/${open.projectId}/report`)}">Sign in</a>
<div class="buttons"><button type="button" id="change" hidden>${texts.change}</button><button class="primary" type="button" id="retry" hidden>Try now</button></div>
</div>
</form>
<dialog id="questions" aria-labelledby="questions-title">
<h2 id="questions-title">Is this right?</h2>
<ul></ul>
<form class="buttons" method="dialog"><button class="primary" value="right">${texts.isRight}</button><button value="change">${texts.change}</button></form>
</dialog>
</main>
<main id="done" hidden>
<h1 tabindex="-1">Report ${report.number} is sent. Thank you.</h1>
<p class="dimmed">${placeOf(open)}</p>
${whatHappensNext()}
</main>`;
  const { number, code, figures } = report;
  const facts = factsOf({
    by,
    projectId: open.projectId,
    number,
    code,
    figures: figures.map(({ key, label, kind, isRequired }) => ({
      key,
      label,
      isRequired,
      isWhole: wholeKinds.includes(kind),
    })),
  });
  return pageOf(`Report ${number}`, `${html}\n${facts}`, site);
}

const whatHappensNext = (then = "You can close this page.") => `<section class="panel"><h2>What happens next</h2>
<p>We look at it and publish it, usually within a day.</p><p>${then}</p></section>`;

const signInPath = (path: string) => `/login?next=${encodeURIComponent(path)}`;

const placeOf = ({ projectTitle, farmName }: OpenReport) =>
  [projectTitle, ...(farmName === null ? [] : [farmName])].map((text) => escapeHtml(oneLine(text))).join(" · ");

const dueText = (dueAt: Date, now: Date) =>
  `${dueAt < now ? "It was due on" : "Due on"} ${formatWeekday(dueAt)}, ${formatDateTime(dueAt)}.`;

function figureField({ key, label, unit, kind, isRequired, last }: AwaitedReport["figures"][number]): string {
  const id = `figure-${key}`;
  const mode = wholeKinds.includes(kind) ? "numeric" : "decimal";
  const ofUnit = unit === "" || label.toLowerCase().includes(unit.toLowerCase()) ? "" : ` (${unit})`;
  const name = escapeHtml(`${label}${ofUnit}${isRequired ? "" : ", if you know it"}`);
  return `<div class="figure"><label for="${id}">${name}</label>
<input id="${id}" name="${id}" inputmode="${mode}" autocomplete="off" maxlength="15" aria-describedby="${id}-last ${id}-fault"${isRequired ? " required" : ""} />
<p class="last dimmed" id="${id}-last">${last === null ? "First report" : `Last report <strong>${escapeHtml(last)}</strong>`}</p>
<p class="fault" id="${id}-fault" data-fault="${id}"></p></div>`;
}

function renderSent(
  open: OpenReport,
  { number, sentAt, by: sender }: NonNullable<OpenReport["lastSent"]>,
  by: By,
  { site }: Shown,
): ReportPage {
  const html = `<main>
<h1>Report ${number} is sent</h1>
<p class="dimmed">${placeOf(open)}</p>
<p class="toned" data-tone="positive">It was sent on ${formatDateTime(sentAt)} by ${escapeHtml(oneLine(sender))}.</p>
${whatHappensNext(open.report ? opensText(open.report) : undefined)}
<section class="panel" id="leftover" hidden>
<h2>Not sent from this phone</h2>
<p>Somebody was first, so this was not sent. It is kept on this phone only.</p>
<p class="sent-text" id="leftover-text"></p>
<button type="button" id="leftover-delete">${texts.discard}</button>
</section>
</main>`;
  const facts = factsOf({ by, projectId: open.projectId, number, code: null, figures: [] });
  return pageOf(`Report ${number}`, `${html}\n${facts}`, site);
}

type Action = { label: string; href: string };

/** A page that says why there is no form, with the one thing to do. `place` is HTML. */
export function renderNotice(
  { title, place = "", text, action }: { title: string; place?: string; text: string; action?: Action },
  site: Site,
): ReportPage {
  const link = action
    ? `<p><a class="button primary" href="${escapeHtml(action.href)}">${escapeHtml(action.label)}</a></p>`
    : "";
  const html = `<h1>${escapeHtml(title)}</h1>${place && `<p class="dimmed">${place}</p>`}<p>${escapeHtml(text)}</p>${link}`;
  return pageOf(title, `<main>${html}</main>`, site);
}

/** Asks somebody who is signed out to sign in, and to come back to `path`. */
export const signInNotice = (path: string) => ({
  title: "Sign in to report",
  text: "Sign in with the account that reports for this farm. You come back here.",
  action: { label: "Sign in", href: signInPath(path) },
});

/** No text can end the element. */
const factsOf = (facts: ReportPageFacts) =>
  `<script type="application/json" id="facts">${JSON.stringify(facts).replaceAll("<", "\\u003c")}</script>`;

function pageOf(title: string, main: string, site: Site): ReportPage {
  const { name, supportEmail } = site;
  const support = supportEmail
    ? `<a href="mailto:${escapeHtml(supportEmail)}">${escapeHtml(supportEmail)}</a>`
    : `<a href="/contact">us</a>`;
  return {
    title: `${title} · ${name}`,
    html: `<header><a href="/">${escapeHtml(name)}</a></header>
${main}
<footer>Questions? Write to ${support}.</footer>`,
  };
}
