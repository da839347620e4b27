import type { Browser, BrowserContextOptions, Page } from "playwright/test";

/** What a server answers that has failed. */
export const serverFault = { status: 500, body: "broken" };

/** The requests of a procedure, also in a batch with others. */
export const callOf = (procedure: string) => new RegExp(`/trpc/[^?]*${procedure.replace(".", "\\.")}(?![\\w])`);

/** One browser of a new visitor, and every error that its pages wrote to the console. */
export async function newVisitor(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // A refused call is the page's business; everything else on the console is a fault.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) problems.push(message.text());
  });
  return { page, problems };
}
