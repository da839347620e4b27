/**
 * The same function, which knows its latest answers by their text: for pure ones that cost more than a look into a map.
 * `letters` bounds what is kept, texts and answers together.
 */
export function remembered(answerTo: (text: string) => string, letters: number): (text: string) => string {
  const known = new Map<string, string>();
  let kept = 0;
  return (text) => {
    const answer = known.get(text) ?? answerTo(text);
    const isNew = !known.delete(text);
    // Written last, it is the last to go.
    known.set(text, answer);
    if (!isNew) return answer;
    kept += text.length + answer.length;
    for (const [oldest, old] of known) {
      if (kept <= letters) break;
      known.delete(oldest);
      kept -= oldest.length + old.length;
    }
    return answer;
  };
}
