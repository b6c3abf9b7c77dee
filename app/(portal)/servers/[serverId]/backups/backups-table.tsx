'use client'

import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { RelativeTime } from '../../../../_ui/relative-time'
import { Sheet } from '../../../../_ui/sheet'
import { StateChip } from '../../../../_ui/state-chip'
import { useForeign } from '../foreign-service'
import { PickBox } from '../pick-box'
import { formatSize } from '../summary'
import type { Picked } from '../use-picked'
import { type Backup, isPartial, madeAt } from './backup'
import { Lacks } from './lacks'

/** One row per file; on a phone the columns fold under the name. */
export function BackupsTable({ backups, picked }: { backups: readonly Backup[]; picked: Picked }) {
  return (
    <Sheet className="overflow-hidden">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">Backups</caption>
        <thead className="border-b border-line">
          <tr>
            <th scope="col" className="w-11 p-0">
              <PickBox label="Select all backups" ids={backups.map(({ name }) => name)} picked={picked} />
            </th>
            <Head>Name</Head>
            <Head className="w-32 max-tablet:hidden">Proof</Head>
            <Head className="w-28 max-tablet:hidden">Size</Head>
            <Head className="w-36 max-tablet:hidden">Made</Head>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {backups.map((backup) => (
            <Row key={backup.name} backup={backup} picked={picked} newest={backup === backups[0]} />
          ))}
        </tbody>
      </table>
    </Sheet>
  )
}

const cell = 'px-3 py-2.5 align-top last:pr-4'

const Head = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <th scope="col" className={`h-9 px-3 text-left text-small font-medium text-muted last:pr-4 ${className}`}>
    {children}
  </th>
)

function Row({ backup, picked, newest }: { backup: Backup; picked: Picked; newest: boolean }) {
  const { name, size } = backup
  const at = madeAt(backup)
  // Without a time of its own there is the name's, of no known time zone.
  const dayOnly = useForeign() && backup.created_at === undefined
  const age = !at ? 'Not known' : dayOnly ? at.slice(0, 10) : <RelativeTime at={at} />
  return (
    <tr className={clsx(picked.has(name) && 'bg-accent-soft')}>
      <td className="p-0 align-top">
        <PickBox label={`Select ${name}`} ids={[name]} picked={picked} />
      </td>
      <td className={`${cell} font-mono text-code wrap-anywhere`}>
        {name}
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-1 font-sans text-small text-muted tablet:hidden">
          <Proof backup={backup} />
          <span>
            {formatSize(size)}, {age}
          </span>
        </span>
        <Lacks backup={backup} open={newest} />
      </td>
      <td className={`${cell} max-tablet:hidden`}>
        <Proof backup={backup} />
      </td>
      <td className={`${cell} max-tablet:hidden`}>{formatSize(size)}</td>
      <td className={`${cell} text-muted max-tablet:hidden`}>{age}</td>
    </tr>
  )
}

/** A service that says nothing of proof is not said to have none. */
function Proof({ backup }: { backup: Backup }) {
  const { proven } = backup
  if (isPartial(backup)) return <StateChip tone="warn" word="Partial" />
  if (proven === undefined) return <span className="text-small text-muted">Not told</span>
  return proven ? (
    <span title="Unpacked to its end and its databases loaded again when it was made; not touched since.">
      <StateChip tone="ok" word="Proven" />
    </span>
  ) : (
    <span title="Nobody tried whether it can be restored, or it was changed since.">
      <StateChip tone="neutral" word="Not proven" />
    </span>
  )
}
