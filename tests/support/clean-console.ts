import { expect, type Page } from "playwright/test";

/** Listens to a page's console; the function that it gives asserts that nothing failed there but what `isExpected`. */
export function watchConsole(page: Page, isExpected: (text: string) => boolean = () => false): () => void {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // A refused call is the page's business; everything else on the console is a fault, a blocked style or script too.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal && !isExpected(message.text())) problems.push(message.text());
  });
  return () => expect(problems, "errors on the console").toEqual([]);
}
