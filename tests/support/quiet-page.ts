import { expect, type Page } from "playwright/test";

/** Listens from now on; the answer fails where a page threw or wrote an error to its console. */
export function listenForErrors(page: Page): () => void {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // A refused call is the page's business; everything else on the console is a fault, a blocked style or script too.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) problems.push(message.text());
  });
  return () => expect(problems, "errors on the console").toEqual([]);
}
