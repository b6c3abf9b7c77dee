'use client'

import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { withoutAnsi } from '../../_ui/log-line'
import { type LogPlace, LogView } from '../../_ui/log-view'
import { Notice } from '../../_ui/notice'
import { saveFile, toFileName } from '../../_ui/save-file'
import { Waiting } from '../../_ui/skeleton'
import { toast } from '../../_ui/toast'
import { useForeign } from '../connections/foreign-service'
import type { ReadAddress } from '../reads/read-address'
import { ReadError } from '../reads/read-error'
import { type ReadState, useRead } from '../reads/use-read'
import { appendContent, emptyBuffer, type HeldLine, type LogAnswer, type LogBuffer, type LogSource } from './log-buffer'
import { LogToolbar } from './log-toolbar'

type LogViewerProps = {
  source: LogSource
  log: string
  /** The line that a link points to. */
  mark: string | null
  onChoose: (log: string) => void
}

/** One log: followed, searched, filtered to matches, with links to lines, downloadable. */
export function LogViewer({ source, log, mark, onChoose }: LogViewerProps) {
  const [live, setLive] = useState(true)
  const [wrap, setWrap] = useState(true)
  const [search, setSearch] = useState('')
  const [onlyMatching, setOnlyMatching] = useState(false)
  const [at, setAt] = useState<LogPlace | null>(null)
  const { read, buffer, setReading } = useLog(source.read(log), live)
  const label = source.format(log)
  const { lines } = buffer
  const foreign = useForeign()
  const words = useDeferredValue(search)
  const hits = useMemo(() => findLines(lines, words), [lines, words])
  const shown = useMemo(
    () => (onlyMatching && words !== '' ? hits.flatMap((index) => lines[index] ?? []) : lines),
    [onlyMatching, words, hits, lines],
  )
  const lost = useLinkedLine(lines, mark, setAt)

  const step = (by: 1 | -1) => {
    const numbers = hits.flatMap((index) => lines[index]?.number ?? [])
    const here = at ? at.number : by === 1 ? 0 : Number.POSITIVE_INFINITY
    const next = by === 1 ? numbers.find((number) => number > here) : numbers.findLast((number) => number < here)
    const number = next ?? (by === 1 ? numbers[0] : numbers.at(-1))
    if (number !== undefined) setAt({ number })
  }
  const link = (number: number) => {
    setAt({ number })
    const index = lines.findIndex((line) => line.number === number)
    const query = new URLSearchParams({ log, line: markOf(lines, index) })
    history.replaceState(null, '', `${location.pathname}?${query}`)
    navigator.clipboard.writeText(location.href).then(
      () => toast(`The link to line ${number} was copied.`),
      () => toast('The link to the line is in the address bar.'),
    )
  }
  const place = at ? hits.findIndex((index) => lines[index]?.number === at.number) : -1
  return (
    <div className="flex flex-col gap-2.5">
      <LogToolbar
        source={source}
        log={log}
        names={read.data?.logs ?? noNames}
        onChoose={onChoose}
        search={search}
        onSearch={setSearch}
        onStep={step}
        onlyMatching={onlyMatching}
        onOnlyMatching={setOnlyMatching}
        wrap={wrap}
        onWrap={setWrap}
        live={live}
        onLive={setLive}
        found={words === '' ? null : { place, count: hits.length }}
        onLink={at ? () => link(at.number) : undefined}
        onDownload={shown.length > 0 ? () => downloadLines(`${source.name}-${log}`, shown) : undefined}
      />
      <ReadError read={read} nothingRead={`The log “${label}” of ${source.name} could not be read.`} />
      {lost ? <Notice tone="info" title="The linked line is no longer in the last part of this log." /> : null}
      {read.data === null ? (
        read.problem ? null : (
          <Waiting description={`Reading the log “${label}” of ${source.name}.`} />
        )
      ) : lines.length === 0 ? (
        <Notice tone="info" title="This log is empty." />
      ) : (
        <>
          <LogView
            label={`Log ${label}`}
            lines={shown}
            wrap={wrap}
            search={words}
            at={at}
            onLink={({ number }) => number !== null && link(number)}
            onFollowing={(following) => setReading(!following)}
            className="max-h-[max(360px,calc(100dvh-380px))] min-h-32"
          />
          <p className="text-small text-muted">{formatHeld(lines, shown, live, foreign)}</p>
        </>
      )}
    </div>
  )
}

const noNames: readonly string[] = []

function formatHeld(lines: readonly HeldLine[], shown: readonly HeldLine[], live: boolean, foreign: boolean): string {
  const held = lines.length.toLocaleString('en-GB')
  const count = shown === lines ? `${held} lines` : `${shown.length.toLocaleString('en-GB')} of ${held} lines`
  const from = foreign ? 'as sent by the service' : 'last 256 KB'
  return `${count} · ${from} · ${live ? 'updates every 5 s' : 'updates paused'}`
}

/** Scrolls to the line in the page's address, once there are lines. True if it is not among them. */
function useLinkedLine(lines: readonly HeldLine[], mark: string | null, goTo: (at: LogPlace) => void): boolean {
  const [sought, setSought] = useState<string | null>(mark)
  const [lost, setLost] = useState(false)
  useEffect(() => {
    if (sought === null || lines.length === 0) return
    const line = lines[findMark(lines, sought)]
    setSought(null)
    setLost(line === undefined)
    if (line) goTo({ number: line.number })
  }, [lines, sought, goTo])
  return lost
}

/** The indexes of all lines that contain the text, ignoring case. An empty text matches nothing. */
export function findLines(lines: readonly HeldLine[], words: string): number[] {
  const wanted = words.toLowerCase()
  if (wanted === '') return []
  const found: number[] = []
  for (const [index, { text }] of lines.entries()) if (withoutAnsi(text).toLowerCase().includes(wanted)) found.push(index)
  return found
}

/** Downloads the lines as a file, without their colours. */
function downloadLines(name: string, lines: readonly HeldLine[]): void {
  const text = lines.map(({ text: line }) => `${withoutAnsi(line)}\n`).join('')
  saveFile(`${toFileName(name)}-${new Date().toISOString().slice(0, 19).replace(/\D/g, '')}.log`, 'text/plain', text)
}

const liveMs = 5000
/** When not following, the log is only read again when the user returns to the page. */
const restingMs = 3_600_000

type Log = {
  read: ReadState<LogAnswer>
  buffer: LogBuffer
  /** Whether the user is reading further up: then no line is dropped. */
  setReading: (reading: boolean) => void
}

/** Everything that was read of a log while the page is open. */
function useLog(address: ReadAddress<LogAnswer>, live: boolean): Log {
  const read = useRead(address, { everyMs: live ? liveMs : restingMs })
  const [buffer, setBuffer] = useState(emptyBuffer)
  const reading = useRef(false)
  const content = read.data?.content
  useEffect(() => {
    if (content !== undefined) setBuffer((before) => appendContent(before, content, reading.current))
  }, [content])
  return {
    read,
    buffer,
    setReading: (now) => {
      reading.current = now
    },
  }
}

/** 53 bits of the text in base 36 (cyrb53). */
function digestOf(text: string): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 2654435761)
    other = Math.imul(other ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return (4294967296 * (2097151 & other) + (one >>> 0)).toString(36)
}

/** How a link identifies a line: by its text and the line before it, because a line's position changes while the log grows. */
export const markOf = (lines: readonly HeldLine[], index: number): string =>
  `${digestOf(lines[index]?.text ?? '')}.${digestOf(lines[index - 1]?.text ?? '')}`

/** The index of the newest line with that mark; if only the previous line differs, of the newest with the same text; -1 without one. */
export function findMark(lines: readonly HeldLine[], mark: string): number {
  const [own = '', before = ''] = mark.split('.')
  let same = -1
  for (let index = lines.length - 1; index >= 0; index--) {
    if (digestOf(lines[index]?.text ?? '') !== own) continue
    if (digestOf(lines[index - 1]?.text ?? '') === before) return index
    if (same < 0) same = index
  }
  return same
}
