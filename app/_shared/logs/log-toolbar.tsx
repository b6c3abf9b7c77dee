'use client'

import { ArrowDown, ArrowUp, Download, Link2 } from 'lucide-react'
import { useId } from 'react'
import { logName } from '@/lib/contract/fields'
import { Button } from '../../_ui/button'
import { filterChip } from '../../_ui/filter-sheet'
import { Input } from '../../_ui/input'
import { SearchSelect } from '../../_ui/search-select'
import { limitsOf } from '../forms/field-limits'
import type { LogSource } from './log-buffer'

type LogToolbarProps = {
  source: LogSource
  log: string
  /** The logs that the service lists; empty if it lists none. */
  names: readonly string[]
  onChoose: (log: string) => void
  search: string
  onSearch: (words: string) => void
  /** To the next match, or the previous one. */
  onStep: (by: 1 | -1) => void
  /** place: from 0 among all matches, -1 for none of them. */
  found: { place: number; count: number } | null
  onlyMatching: boolean
  onOnlyMatching: (on: boolean) => void
  wrap: boolean
  onWrap: (on: boolean) => void
  live: boolean
  onLive: (on: boolean) => void
  onLink: (() => void) | undefined
  onDownload: (() => void) | undefined
}

/** Chooses a log, searches it, and sets how it is shown. */
export function LogToolbar({
  source,
  log,
  names,
  onChoose,
  search,
  onSearch,
  onStep,
  found,
  onLink,
  onDownload,
  ...shown
}: LogToolbarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ChooseLog source={source} log={log} names={names} onChoose={onChoose} />
      <div className="flex w-full items-center gap-1 tablet:w-auto">
        <Input
          type="search"
          aria-label="Search this log"
          placeholder="Search"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          className="tablet:w-52"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onSearch('')
            if (event.key !== 'Enter') return
            event.preventDefault()
            onStep(event.shiftKey ? -1 : 1)
          }}
        />
        <Button icon variant="ghost" aria-label="Previous match" disabled={!found?.count} onClick={() => onStep(-1)}>
          <ArrowUp aria-hidden size={16} strokeWidth={1.5} />
        </Button>
        <Button icon variant="ghost" aria-label="Next match" disabled={!found?.count} onClick={() => onStep(1)}>
          <ArrowDown aria-hidden size={16} strokeWidth={1.5} />
        </Button>
        <p role="status" className="min-w-14 text-small whitespace-nowrap text-muted">
          {found ? formatFound(found) : ''}
        </p>
      </div>
      <Toggle label="Matches only" on={shown.onlyMatching} onChange={shown.onOnlyMatching} />
      <Toggle label="Wrap" on={shown.wrap} onChange={shown.onWrap} />
      <Toggle label="Live" on={shown.live} onChange={shown.onLive} />
      <span className="ml-auto flex gap-2">
        <Button
          icon
          disabled={!onLink}
          onClick={onLink}
          aria-label="Copy link to line"
          title="Copy a link to the highlighted line: select one by its number, or by searching"
        >
          <Link2 aria-hidden size={16} strokeWidth={1.5} />
        </Button>
        <Button disabled={!onDownload} onClick={onDownload}>
          <Download aria-hidden size={16} strokeWidth={1.5} />
          Download
        </Button>
      </span>
    </div>
  )
}

function formatFound({ place, count }: { place: number; count: number }): string {
  if (count === 0) return 'Not found'
  const all = count.toLocaleString('en-GB')
  return place < 0 ? `${all} found` : `${(place + 1).toLocaleString('en-GB')} of ${all}`
}

function Toggle({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <button type="button" aria-pressed={on} onClick={() => onChange(!on)} className={filterChip(on)}>
      {label}
    </button>
  )
}

/** For a service that does not list its logs, any name can be entered. */
function ChooseLog({ source, log, names, onChoose }: Pick<LogToolbarProps, 'source' | 'log' | 'names' | 'onChoose'>) {
  const id = useId()
  if (names.length > 0) {
    const all = names.includes(log) ? names : [log, ...names]
    return (
      <SearchSelect
        aria-label="Log"
        className="tablet:w-52"
        choices={all.map((name) => ({ value: name, label: source.format(name) }))}
        value={log}
        onChange={onChoose}
      />
    )
  }
  return (
    <form
      className="flex w-full gap-1 tablet:w-52"
      onSubmit={(event) => {
        event.preventDefault()
        const name = new FormData(event.currentTarget).get('log')
        if (typeof name === 'string' && name.trim() !== '') onChoose(name.trim())
      }}
    >
      <Input
        {...limitsOf(logName)}
        name="log"
        aria-label="Log"
        list={id}
        defaultValue={log}
        required
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={id}>
        {source.usual.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button type="submit">Show</Button>
    </form>
  )
}
