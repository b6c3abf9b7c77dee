import { type Findable, findBest } from '../../_ui/match'
import type { PaletteItem } from './palette-item'

/** recents: ids, newest first; of a page of a server or site, its own first. */
export type KnownSubjects = { kind: PaletteItem['kind']; subjects: readonly Findable<PaletteItem>[]; recents: readonly string[] }

/** The servers or sites that words mean, best first; without any, the recent ones. extension: only those whose service announces them. */
export function subjectsMeant(
  words: string,
  { kind, subjects, recents }: KnownSubjects,
  extension: boolean,
  limit: number,
): readonly PaletteItem[] {
  const fitting = subjects.filter(({ entry }) => entry.kind === kind && (!extension || entry.extensions === true))
  if (words !== '') return findBest(fitting, words, limit)
  const byId = new Map(fitting.map(({ entry }) => [entry.id, entry]))
  return recents.flatMap((id) => byId.get(id) ?? [])
}
