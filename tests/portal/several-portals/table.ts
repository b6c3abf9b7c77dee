/** The table of a run: what happened how often, and how long it was until both portals were ready again. */
import type { Kind } from './events'

/** readyMs: from the beginning of the event until both portals were ready. */
export type Happened = { kind: Kind; readyMs: number; lostAnswers: number }

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

const middle = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0

export function renderTable(happened: readonly Happened[]): string {
  const kinds = [...new Set(happened.map(({ kind }) => kind))].sort()
  const rows = kinds.map((kind) => {
    const ofKind = happened.filter((each) => each.kind === kind)
    const times = ofKind.map(({ readyMs }) => readyMs).sort((one, other) => one - other)
    const lost = ofKind.reduce((sum, { lostAnswers }) => sum + lostAnswers, 0)
    return `| ${kind} | ${ofKind.length} | ${seconds(middle(times))} s | ${seconds(times.at(-1) ?? 0)} s | ${lost} |`
  })
  return [
    '| event | times | both ready again: median | longest | forms without an answer |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
