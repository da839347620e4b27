import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";

/** The result of a vitest run, for `scripts/test.ts`. */
export interface VitestReport {
  passed: number;
  skipped: number;
  /** One line for each test, file or stray error that failed. */
  failed: string[];
}

const nameOf = (test: TestCase) => `[${test.project.name}] ${test.module.relativeModuleId} > ${test.fullName}`;
const firstLine = (error: { message?: string } | undefined) => error?.message?.split("\n", 1)[0] ?? "";

/** A reporter that writes a `VitestReport` into the file that `VITEST_REPORT_FILE` names. */
export default class ReportFile implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    const path = process.env.VITEST_REPORT_FILE;
    if (!path) throw new Error("VITEST_REPORT_FILE must name the file to write");
    const report: VitestReport = { passed: 0, skipped: 0, failed: [] };
    for (const error of strayErrors) report.failed.push(`outside of a test: ${firstLine(error)}`);
    for (const module of modules) {
      for (const group of [module, ...module.children.allSuites()]) {
        for (const error of group.errors()) report.failed.push(`${module.relativeModuleId}: ${firstLine(error)}`);
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === "passed") report.passed += 1;
        if (state === "skipped") report.skipped += 1;
        if (state === "failed") report.failed.push(`${nameOf(test)}: ${firstLine(errors[0])}`);
      }
    }
    writeFileSync(path, JSON.stringify(report));
  }
}
