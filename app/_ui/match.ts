/** Something that can be found: `name` counts more than `also`. Both are normalised once, so that each key press is cheap. */
export type Findable<T> = { entry: T; name: string; also: string }

/** Lower case without accents, for comparing. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const findable = <T>(entry: T, name: string, also: string): Findable<T> => ({ entry, name: fold(name), also: fold(also) })

/**
 * The best `limit` matches, best first; equal ones keep their order. Every word must match: at the start of the name, at the start of a
 * word, inside one, or as letters in order within the name. `favour` adds to the score of a match.
 */
export function findBest<T>(all: readonly Findable<T>[], query: string, limit: number, favour: (entry: T) => number = () => 0): T[] {
  const words = fold(query).split(/\s+/).filter(Boolean)
  const hits: { entry: T; score: number; place: number }[] = []
  for (const [place, one] of all.entries()) {
    const score = scoreOf(one, words)
    if (score > 0) hits.push({ entry: one.entry, score: score + favour(one.entry), place })
  }
  return hits
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, limit)
    .map(({ entry }) => entry)
}

/** 0 if a word matches nowhere. */
function scoreOf({ name, also }: Findable<unknown>, words: readonly string[]): number {
  let sum = 0
  for (const word of words) {
    const score = scoreInText(name, word, [100, 80, 60]) || scoreInText(also, word, [40, 40, 30]) || scoreInOrder(name, word)
    if (score === 0) return 0
    sum += score
  }
  // Of two equal matches the shorter name is closer to what was typed.
  return sum === 0 ? 0 : sum + 1 / (1 + name.length)
}

/** By position: at the very start, at the start of a word, anywhere. */
function scoreInText(text: string, word: string, [start, atWord, inside]: readonly [number, number, number]): number {
  let at = text.indexOf(word)
  if (at < 0) return 0
  if (at === 0) return start
  while (at > 0) {
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return atWord
    at = text.indexOf(word, at + 1)
  }
  return inside
}

/** "wf1" in "web-fra-01": the letters occur in this order, with the same first letter. Scores low, and zero for a single letter. */
function scoreInOrder(name: string, word: string): number {
  if (word.length < 2 || name[0] !== word[0]) return 0
  let at = 0
  for (const letter of word) {
    at = name.indexOf(letter, at) + 1
    if (at === 0) return 0
  }
  return 10
}
