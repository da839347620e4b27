/** True for a system's error with one of these codes, such as "ENOENT". */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

export const isDiskFull = (error: unknown): boolean => hasCode(error, "ENOSPC", "EDQUOT");
