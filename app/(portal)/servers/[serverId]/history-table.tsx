import { formatSize } from '@/app/_ui/size'
import { useTimeZone } from '@/app/_ui/time-zone'
import type { History } from '@/lib/portal/views/history/read'
import { momentFormat } from './history-times'

const cell = 'px-3 py-1.5 whitespace-nowrap'

/** The same data as the lines and the strip, as text: newest first. */
export function HistoryTable({ history }: { history: History }) {
  const format = momentFormat(history.range, useTimeZone())
  return (
    <details className="text-small">
      <summary className="w-fit cursor-pointer rounded-control text-muted hover:text-ink">Show as a table</summary>
      <p className="mt-2 text-muted">
        Missing periods were not checked, or the service didn’t respond. Gatehouse checks automatically over the team’s connections; a
        server that only a personal connection lists is checked while its owner uses Gatehouse.
      </p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
        tabIndex={0}
        aria-label="Usage as a table"
        className="mt-2 max-h-80 overflow-auto rounded-sheet border border-line bg-surface"
      >
        <table className="w-full text-left">
          <thead className="sticky top-0 bg-surface text-muted">
            <tr>
              {['From', 'Reachable', 'Disk used', 'Memory used'].map((name) => (
                <th key={name} scope="col" className={`${cell} font-medium`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {history.slots.toReversed().map(({ from, checks, reachable, diskUsed, memUsed }) => (
              <tr key={from} className="border-t border-line">
                <th scope="row" className={`${cell} font-normal`}>
                  {format(from * 60_000)}
                </th>
                <td className={cell}>{reachable === checks ? 'Yes' : `${reachable} of ${checks} checks`}</td>
                <td className={cell}>{sizeOf(diskUsed)}</td>
                <td className={cell}>{sizeOf(memUsed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

const sizeOf = (bytes: number | null): string => (bytes === null ? 'Unknown' : formatSize(String(Math.round(bytes))))
