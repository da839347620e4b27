/** A process's first word: it can be given a task. */
export type Started = "started";
export type Reply<Answer> = { answer: Answer } | { error: unknown };

/** Runs in a process of processes.ts: answers the tasks of the server, which gives it one at a time. */
export function answerTasks<Task, Answer>(answer: (task: Task) => Promise<Answer>): void {
  process.on("message", async (task: Task) => {
    const reply: Reply<Answer> = await answer(task).then(
      (given) => ({ answer: given }),
      (error: unknown) => ({ error }),
    );
    process.send?.(reply);
  });
  // The server finishes what runs before it stops, and this process ends with it.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
  process.on("disconnect", () => process.exit());
  process.send?.("started" satisfies Started);
}
