import { budgetOf, budgets, KB, reportPageBudget, sumOf, weighPages, weighReportPage } from "./page-weights.ts";

/** Prints the pages' brotli weights and budgets. Run after a build: `npm run bytes`. Exits with 1 over a budget. */

const write = (line: string) => process.stdout.write(`${line}\n`);
const kilobytes = (bytes: number) => `${(bytes / KB).toFixed(1).padStart(7)} kB`;
/** Writes out the budget, and sets exit code 1 if the bytes are over it. */
function compared(bytes: number, budget: number): string {
  if (bytes > budget) process.exitCode = 1;
  return `of ${kilobytes(budget).trim()}${bytes > budget ? ": OVER" : ""}`;
}

const { home, routes, later } = weighPages();
write("First load of the home page, brotli:");
for (const kind of ["js", "css"] as const) {
  for (const { file, size } of home[kind]) write(`  ${kilobytes(size)}  ${file}`);
  const total = sumOf(home[kind]);
  write(`  ${kilobytes(total)}  all ${kind}, ${compared(total, budgets[kind])}`);
}
write("Other pages, beyond that: at once, and with the largest part fetched later");
for (const [index, { route, atOnce, own, largestPart }] of routes.entries()) {
  const line = `  ${kilobytes(atOnce)} ${kilobytes(own)}, ${compared(own, budgetOf(route))}  ${route}`;
  if (index < 8 || own > budgetOf(route)) write(largestPart ? `${line} with ${largestPart}` : line);
}
const reportPage = weighReportPage();
write("The page on which farms report, with its font:");
for (const { file, size } of reportPage) write(`  ${kilobytes(size)}  ${file}`);
write(`  ${kilobytes(sumOf(reportPage))}  all, ${compared(sumOf(reportPage), reportPageBudget)}`);
write("Largest chunks fetched later:");
for (const { file, name, size } of later.slice(0, 8)) write(`  ${kilobytes(size)}  ${file}  ${name ?? ""}`);
