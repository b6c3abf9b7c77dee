'use client'

import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '@/app/_ui/button'
import { countOf, formatCount } from '@/app/_ui/count'
import { Input } from '@/app/_ui/input'
import { formatSize } from '@/app/_ui/size'
import { bytesOfTables, type CopiedTable, chooseTable, type Direction, findUnfit, groupTables, usualTables } from './copied-tables'

type ChoosePartsProps = {
  parts: CopiedParts
  tables: readonly CopiedTable[]
  direction: Direction
  /** Null if the service does not report it. */
  filesBytes: number | null
  /** Why the tables cannot be chosen; null if they can. */
  unread: ReactNode
}

/** The files, the database, and which of its tables. What is ticked is what the form sends. */
export function ChooseParts({ parts, tables, direction, filesBytes, unread }: ChoosePartsProps) {
  const { files, setFiles, database, setDatabase, chosen } = parts
  const offered = tables.length > 0
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 text-small font-semibold">What is copied</legend>
      <Tick
        name="files"
        checked={files}
        onTick={setFiles}
        label="Files"
        note={filesBytes === null ? null : `${formatSize(String(filesBytes))} on live`}
      />
      <Tick
        name="database"
        checked={database && offered}
        onTick={setDatabase}
        disabled={!offered}
        label="Database"
        note={unread ?? (offered ? null : 'The database has no tables.')}
      />
      {database && offered ? (
        <>
          <ChooseTables parts={parts} tables={tables} direction={direction} />
          <Unfit unfit={parts.unfit} />
          {chosen.map(({ name }) => (
            <input key={name} type="hidden" name="tables" value={name} />
          ))}
        </>
      ) : null}
    </fieldset>
  )
}

const mostNamed = 5

/** Tables that were chosen without what belongs to them. */
function Unfit({ unfit }: { unfit: CopiedParts['unfit'] }) {
  if (unfit.length === 0) return null
  return (
    <div className="ml-6 flex flex-col gap-1 text-small text-warn">
      <p>Some chosen tables belong to others that are not chosen, so their rows may not fit:</p>
      <ul className="flex flex-col gap-1">
        {unfit.slice(0, mostNamed).map(({ name, missing }) => (
          <li key={name} className="wrap-anywhere">
            <span className="font-mono text-code">{name}</span> without <span className="font-mono text-code">{missing.join(', ')}</span>
          </li>
        ))}
        {unfit.length > mostNamed ? <li>and {countOf(unfit.length - mostNamed, 'more table')}</li> : null}
      </ul>
    </div>
  )
}

type TickProps = {
  /** Sent as 1 if it is ticked; without a name nothing is sent. */
  name?: string
  checked: boolean
  onTick: (on: boolean) => void
  disabled?: boolean
  label: ReactNode
  note: ReactNode
}

const Tick = ({ name, checked, onTick, disabled = false, label, note }: TickProps) => (
  <label className="flex min-h-6 items-start gap-2">
    <input
      type="checkbox"
      name={name}
      value="1"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onTick(event.target.checked)}
      className="mt-0.5 size-4 shrink-0 accent-accent"
    />
    <span className="min-w-0">
      {label}
      {note ? <span className="block text-small text-muted">{note}</span> : null}
    </span>
  </label>
)

/** More than these get a filter. */
const few = 12

/** More would slow the page down; the filter finds them. What is ticked is sent, shown or not. */
const mostShown = 200

type ChooseTablesProps = Pick<ChoosePartsProps, 'parts' | 'tables' | 'direction'>

function ChooseTables({ parts: { chosen, has, choose, chooseAll }, tables, direction }: ChooseTablesProps) {
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const shown = wanted === '' ? tables : tables.filter(({ name, contents }) => `${name} ${contents}`.toLowerCase().includes(wanted))
  const bytes = bytesOfTables(chosen)
  return (
    <div className="ml-6 flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-small text-muted">
          {formatCount(chosen.length)} of {countOf(tables.length, 'table')}
          {bytes === null ? '' : `, ${formatSize(String(bytes))}`}
        </p>
        <span className="flex gap-2">
          <Button onClick={() => chooseAll(true)}>All</Button>
          <Button onClick={() => chooseAll(false)}>None</Button>
        </span>
      </div>
      {tables.length > few ? (
        <Input
          type="search"
          aria-label="Filter tables"
          placeholder="Filter by name"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={(event) => {
            // Enter would send the form.
            if (event.key === 'Enter') event.preventDefault()
          }}
        />
      ) : null}
      <ul aria-label="Tables" className="flex max-h-40 flex-col gap-1.5 overflow-y-auto rounded-control border border-line p-2.5">
        {shown.slice(0, mostShown).map((table) => (
          <li key={table.name}>
            <Tick
              checked={has(table.name)}
              onTick={(on) => choose(table.name, on)}
              label={<span className="font-mono text-code wrap-anywhere">{table.name}</span>}
              note={<TableNotes table={table} direction={direction} />}
            />
          </li>
        ))}
        {shown.length > mostShown ? (
          <li className="text-small text-muted">{formatCount(shown.length - mostShown)} more: filter to find them</li>
        ) : null}
        {shown.length === 0 ? <li className="text-small text-muted">No matching tables</li> : null}
      </ul>
    </div>
  )
}

function TableNotes({ table, direction }: { table: CopiedTable; direction: Direction }) {
  const { bytes, rows, pulled, changed, partners, related, contents } = table
  const plain = [
    contents,
    bytes === null ? '' : formatSize(String(bytes)),
    rows === null ? '' : `≈ ${countOf(rows, 'row')}`,
    partners.length === 0 ? '' : `together with ${partners.join(', ')}`,
    related.length === 0 ? '' : `belongs to ${related.join(', ')}`,
    direction === 'push' && pulled === false ? 'not on staging by a pull' : '',
  ].filter((text) => text !== '')
  return (
    <>
      {plain.length === 0 ? null : <span className="block wrap-anywhere">{plain.join(', ')}</span>}
      {direction === 'push' && changed ? <span className="block text-warn">Changed on live since the pull</span> : null}
    </>
  )
}

type CopiedParts = ReturnType<typeof useCopiedParts>

/** What a pull or push is to copy. A push begins with the files alone: tables replace what visitors have written since. */
export function useCopiedParts(tables: readonly CopiedTable[], direction: Direction) {
  const groups = useMemo(() => groupTables(tables), [tables])
  const [files, setFiles] = useState(true)
  const [database, setDatabase] = useState(direction === 'pull' && tables.length > 0)
  // Null until somebody chooses: a list that is read again may have further tables.
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null)
  const chosen = useMemo(() => picked ?? usualTables(tables, groups, direction), [picked, tables, groups, direction])
  return {
    files,
    setFiles,
    database,
    setDatabase,
    /** Those that are still listed. */
    chosen: tables.filter(({ name }) => chosen.has(name)),
    unfit: useMemo(() => findUnfit(tables, chosen), [tables, chosen]),
    has: (name: string): boolean => chosen.has(name),
    choose: (name: string, on: boolean) => setPicked(chooseTable(groups, chosen, name, on)),
    chooseAll: (on: boolean) => setPicked(new Set(on ? groups.together.keys() : [])),
  }
}
