/** Names pasted in any arrangement, sorted into those to add and those to skip. */

/** A text that cannot be a name, with the reason as a sentence. */
export type RefusedName = { name: string; reason: string }

export type Pasted = {
  /** In the order given, each once. */
  fresh: readonly string[]
  /** Names that were given more than once, and names that are in the list already. */
  repeated: readonly string[]
  known: readonly string[]
  refused: readonly RefusedName[]
}

type Reading = {
  known: readonly string[]
  /** The name in a text that was pasted. */
  clean: (given: string) => string
  /** The same text for two forms of one name. */
  identify: (name: string) => string
  /** Why a text cannot be such a name; null if it can. */
  refuse: (name: string) => string | null
}

/** Names are separated by spaces, commas, semicolons or lines. */
export function readNames(text: string, { known, clean, identify, refuse }: Reading): Pasted {
  const present = new Set(known.map(identify))
  const seen = new Set<string>()
  const sorted = { fresh: [] as string[], repeated: [] as string[], known: [] as string[], refused: [] as RefusedName[] }
  for (const given of text.split(/[\s,;]+/).filter(Boolean)) {
    const name = clean(given)
    const same = identify(name)
    const reason = seen.has(same) ? null : refuse(name)
    if (reason !== null) sorted.refused.push({ name, reason })
    else sorted[seen.has(same) ? 'repeated' : present.has(same) ? 'known' : 'fresh'].push(name)
    seen.add(same)
  }
  return sorted
}
