/** Joins files of bash into one script: the server gets no more than what it runs, in one piece, and has no folder of parts. */
import { readFileSync } from 'node:fs'

/** A file names each file that it uses in a line at its head, by its path from the folder that the joined files have in common. */
const sourceLine = /^source (\S+)$/gm

export const sourcesOf = (text: string): string[] => [...text.matchAll(sourceLine)].map(([, name = '']) => name)

export type Part = { name: string; text: string }

/**
 * The files, and those that they use, in the order of a script: each once, and after those that it names. Files that name each other have no order,
 * so neither uses the other before all are read. root: the folder that paths begin at, ending in a slash. Throws if a file is missing.
 */
export function listParts(root: URL, names: readonly string[]): Part[] {
  const known = new Set<string>()
  const list = (name: string): Part[] => {
    if (known.has(name)) return []
    known.add(name)
    const text = readFileSync(new URL(name, root), 'utf8')
    return [...sourcesOf(text).flatMap(list), { name, text }]
  }
  return names.flatMap(list)
}

/** A file without the lines that name others. */
export const withoutSources = ({ name, text }: Part): Part => ({ name, text: text.replace(/^source \S+\n/gm, '') })

/** The files with all that they use, as one script. */
export function joinBash(root: URL, names: readonly string[]): string {
  return listParts(root, names)
    .map((part) => withoutSources(part).text)
    .join('\n')
}
