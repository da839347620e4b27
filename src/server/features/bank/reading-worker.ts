import { readStatement } from "#server/features/bank/statements/read.ts";
import type { ReadingTask } from "./reading.ts";

/** The threads of reading.ts read one file after the other. */
export default ({ content, mapping }: ReadingTask) => readStatement(content, mapping);
