import { setTimeout as sleep } from "node:timers/promises";

/** A thread that takes its time: it answers after so many milliseconds. */
export default (milliseconds: number) => sleep(milliseconds, "done");
