/** Names pasted in any arrangement, sorted into those to add and those to skip. */

export type Pasted = {
  /** In the order given, each once. */
  fresh: readonly string[]
  /** Names that were given more than once, and names that are in the list already. */
  repeated: readonly string[]
  known: readonly string[]
}

/** Names are separated by spaces, commas, semicolons or lines. `identify` returns the same text for two forms of one name. */
export function readNames(text: string, known: readonly string[], identify: (name: string) => string): Pasted {
  const present = new Set(known.map(identify))
  const seen = new Set<string>()
  const sorted = { fresh: [] as string[], repeated: [] as string[], known: [] as string[] }
  for (const name of text.split(/[\s,;]+/).filter(Boolean)) {
    const same = identify(name)
    const kind = seen.has(same) ? 'repeated' : present.has(same) ? 'known' : 'fresh'
    seen.add(same)
    sorted[kind].push(name)
  }
  return sorted
}
