'use client'

import { Check, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { BatchView } from '@/lib/portal/batches/view'
import { toAsciiDomain } from '@/lib/text/idn'
import { Button } from '../../_ui/button'
import { countOf, pluralOf } from '../../_ui/count'
import { Field } from '../../_ui/field'
import { TextArea } from '../../_ui/input'
import { Notice } from '../../_ui/notice'
import { Link } from '../../_ui/page-link'
import { startBatch } from '../batches/actions'
import { targetStates } from '../batches/batch-summary'
import { followBatch } from '../batches/follow-batch'
import { useForeign } from '../connections/foreign-service'
import { callAction, formatReason } from '../forms/call-action'
import { focusIfLost } from '../forms/keep-focus'
import type { AnyRead } from '../reads/read-address'
import { refetchReads } from '../reads/use-read'
import { useSettled } from '../reads/use-settled'

type AddManyFormProps = AddMany & {
  /** Singular: "alias". */
  noun: string
  placeholder: string
  /** The names that are there. */
  known: readonly string[]
  clean: (given: string) => string
  identify: (name: string) => string
  /** Why a text cannot be such a name; null if it can, and for what only the service knows. */
  refuse: (name: string) => string | null
}

/** So that a name is not judged while it is typed. */
const settledMs = 600

/** Adds one name, or many that are pasted. Each is checked first; those that were refused stay in the field, with their reasons below. */
function AddManyForm({ noun, placeholder, known, clean, identify, refuse, ...request }: AddManyFormProps) {
  const [text, setText] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const { names, batchId, problem, adding, add } = useAddMany(request)
  const reading = { known, clean, identify, refuse }
  const { fresh, repeated, known: present, refused } = readNames(text, reading)
  const settled = useSettled(text, settledMs)
  const reasons = settled === text && !adding ? refused : []

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (adding || fresh.length === 0) return
    const failed = await add(fresh)
    setText([...failed, ...refused.map(({ name }) => name)].join('\n'))
    focusIfLost(() => form.current?.querySelector('textarea'))
  }

  return (
    <form ref={form} onSubmit={(event) => void submit(event)} className="flex max-w-[640px] flex-col gap-3" aria-busy={adding}>
      <Field
        name="names"
        label={`Add ${pluralOf(noun)}`}
        hint={<span role="status">{adding ? '' : describe(repeated, present) || 'Separate several with spaces, commas or lines.'}</span>}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={Math.min(8, Math.max(2, text.split('\n').length))}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            readOnly={adding}
            placeholder={placeholder}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Refused names={reasons} />
      <div>
        <Button type="submit" variant="primary" disabled={adding || fresh.length === 0}>
          {adding ? 'Adding…' : fresh.length > 1 ? `Add ${countOf(fresh.length, noun)}` : `Add ${noun}`}
        </Button>
      </div>
      {problem === '' ? null : <Notice tone="warn" alert title={problem} />}
      <Outcomes names={names} />
      {adding && batchId !== null ? (
        <p className="text-small text-muted">
          You can leave this page.{' '}
          <Link href={`/jobs/batches/${batchId}`} className="text-accent hover:underline">
            View progress
          </Link>
        </p>
      ) : null}
    </form>
  )
}

/** Which of the names are skipped, and why. */
function describe(repeated: readonly string[], present: readonly string[]): string {
  const named = (names: readonly string[]) => `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
  const skipped = [
    ...(present.length > 0 ? [`${named(present)} (already there)`] : []),
    ...(repeated.length > 0 ? [`${named([...new Set(repeated)])} (given twice)`] : []),
  ]
  return skipped.length === 0 ? '' : `Skipped: ${skipped.join('; ')}.`
}

const Refused = ({ names }: { names: readonly RefusedName[] }) => (
  <ul aria-label="Cannot be added" aria-live="polite" className="flex max-h-72 flex-col gap-1 overflow-y-auto text-small empty:hidden">
    {names.map(({ name, reason }) => (
      <li key={name} className="wrap-anywhere">
        <span className="font-semibold">{name}</span> <span className="text-danger">{reason}</span>
      </li>
    ))}
  </ul>
)

const labels = { waiting: 'Waiting', adding: 'Adding…', added: 'Added', failed: 'Not added' }

function Outcomes({ names }: { names: readonly AddedName[] }) {
  if (names.length === 0) return null
  return (
    <ul aria-label="Outcome" aria-live="polite" className="flex max-h-72 flex-col gap-1 overflow-y-auto text-small">
      {names.map(({ name, state, reason }) => (
        <li key={name} className="flex items-start gap-2">
          <span className="flex h-5 w-4 shrink-0 items-center justify-center">
            {state === 'added' ? <Check aria-hidden size={16} strokeWidth={1.5} className="text-ok" /> : null}
            {state === 'failed' ? <X aria-hidden size={16} strokeWidth={1.5} className="text-danger" /> : null}
            {state === 'adding' ? <span aria-hidden className="size-2 animate-pulse-dot rounded-chip bg-accent" /> : null}
          </span>
          <span className="min-w-0 wrap-anywhere">
            <span className="font-semibold">{name}</span>{' '}
            <span className={state === 'failed' ? 'text-danger' : 'text-muted'}>{reason || labels[state]}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A text that cannot be a name, with the reason as a sentence. */
type RefusedName = { name: string; reason: string }

/** Names pasted in any arrangement, sorted into those to add and those to skip. */
type Pasted = {
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

/** reason: empty while it is being added, or if it was added. */
type AddedName = { name: string; state: 'waiting' | 'adding' | 'added' | 'failed'; reason: string }

type AddMany = {
  /** Starts the batch that adds these names. */
  batch: (names: readonly string[]) => Readonly<Record<string, string>>
  /** The reads that show the names; repeated after each. */
  refetch: readonly AnyRead[]
  /** Called when adding begins and ends. */
  onAdding: (adding: boolean) => void
}

type Adding = { names: readonly AddedName[]; batchId: string | null; problem: string }

const nothing: Adding = { names: [], batchId: null, problem: '' }

/** Adds names one after another as a batch, so that a refused one does not prevent the others, and all are added if the page is left. */
function useAddMany({ batch, refetch, onAdding }: AddMany) {
  const [{ names, batchId, problem }, setAdding] = useState<Adding>(nothing)
  const [busy, setBusy] = useState(false)
  const markBusy = (adding: boolean): void => {
    setBusy(adding)
    onAdding(adding)
  }
  const left = useRef<AbortController | null>(null)
  useEffect(() => () => left.current?.abort(), [])

  /** Returns the names that were not added. */
  async function add(given: readonly string[]): Promise<string[]> {
    markBusy(true)
    setAdding({ ...nothing, names: given.map((name) => ({ name, state: 'waiting', reason: '' })) })
    const started = await callAction(startBatch, batch(given))
    if (!started.ok) {
      setAdding({ ...nothing, problem: formatReason(started.problem) })
      markBusy(false)
      return [...given]
    }
    const id = started.data.batchId
    left.current = new AbortController()
    let newest: readonly AddedName[] = []
    await followBatch(id, left.current.signal, async (news) => {
      const added = countAdded(newest)
      newest = outcomesOf(given, news)
      setAdding({ names: newest, batchId: id, problem: news.problem?.sentence ?? '' })
      if (countAdded(newest) > added) await refetchReads(refetch)
    })
    markBusy(false)
    return newest.flatMap(({ name, state }) => (state === 'failed' ? [name] : []))
  }

  return { names, batchId, problem, adding: busy, add }
}

const countAdded = (names: readonly AddedName[]): number => names.filter(({ state }) => state === 'added').length

/** The targets of the batch are the names in the order given. */
export function outcomesOf(given: readonly string[], { targets }: Pick<BatchView, 'targets'>): AddedName[] {
  return given.map((name, index) => {
    const target = targets[index]
    if (!target || target.state === 'waiting') return { name, state: 'waiting', reason: '' }
    if (target.state === 'running') return { name, state: 'adding', reason: '' }
    if (target.state === 'done') return { name, state: 'added', reason: '' }
    return { name, state: 'failed', reason: target.problem?.sentence ?? targetStates[target.state].label }
  })
}

/** Zone files end complete names with a dot. */
export const withoutFinalDot = (given: string): string => given.replace(/(?<=[^.])\.$/, '')

const identify = (typed: string): string => toAsciiDomain(typed) ?? typed

/** Adds domain names, each checked as the bundled service would. Another service may take more, such as wildcards. */
export function AddDomains(props: Omit<AddManyFormProps, 'clean' | 'identify' | 'refuse'>) {
  return <AddManyForm {...props} clean={withoutFinalDot} identify={identify} refuse={useForeign() ? () => null : refuseDomain} />
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Why a text is no complete domain name, in a sentence; null for one. Whether it may be one of a site, its service decides. */
export function refuseDomain(typed: string): string | null {
  const name = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(typed)?.[1]
  if (name !== undefined) return `This is an address of a page. Enter only the name: ${name}.`
  if (/^[\d.]+$/.test(typed) || typed.includes(':')) return 'This is an address, not a domain name.'
  const ascii = toAsciiDomain(typed)
  const labels = ascii?.split('.') ?? []
  if (typed.includes('_')) return 'The name of a site has no underscore.'
  if (ascii === null || !labels.every((each) => label.test(each))) return 'This is not a domain name.'
  if (labels.length < 2) return 'This name is incomplete: it has no dot.'
  return null
}
