import { residentMb } from "./processes.ts";

/** Runs it, and gives the largest resident memory that the process had meanwhile, read every 20 ms. In MB of 2^20 bytes. */
export async function watchMemory<T>(pid: number, run: () => Promise<T>): Promise<{ result: T; peakMb: number }> {
  let peakMb = residentMb(pid);
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid));
  }, 20);
  try {
    return { result: await run(), peakMb };
  } finally {
    clearInterval(timer);
  }
}
