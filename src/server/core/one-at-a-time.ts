type InTurn = { <Value>(work: () => Promise<Value>): Promise<Value>; waiting(): number };

/** Runs what it is given one after the other; tells how many wait or run. */
export function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const run = <Value>(work: () => Promise<Value>): Promise<Value> => {
    waiting += 1;
    const mine = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = mine.catch(() => undefined);
    return mine;
  };
  return Object.assign(run, { waiting: () => waiting });
}
