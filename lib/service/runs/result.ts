/** The JSON answer of a finished run, stored with it: the answer of the operation, or its failure. */
import { randomBytes } from 'node:crypto'
import { encodeAnswer, encodeProblem } from '@/lib/contract/answer'
import { contract } from '@/lib/contract/index'
import { isJsonObject } from '@/lib/contract/json'
import { isProblemCode, type Problem, type ProblemCode, problem, problemKinds } from '@/lib/contract/problem'
import { downloadPath } from '../download-link'
import { readCopied } from '../machines/copied-backup'
import { readProven } from '../machines/proven-copy'
import type { SiteOperation } from '../store/run'
import { keepSecret } from '../store/run-secrets'
import type { Run } from '../store/runs'

/** The parts of a last line that the answer depends on. */
type End = { status: 'running' | 'done' | 'failed'; error?: string; problem?: ProblemCode; answer?: string }

/** How long the link to an archive is good. */
export const downloadMs = 15 * 60_000

/** The link is completed by the origin that the caller uses. It ends with the name of a file, from which clients tell what it is. */
const linkTo = (size: string, domain: string | null): string => {
  const name = `${domain ?? 'site'}-${new Date().toISOString().slice(0, 10)}.tar.gz`
  const download_url = `${downloadPath}${randomBytes(32).toString('base64url')}/${name}`
  return JSON.stringify({ success: true, download_url, size: Number(size), expires: new Date(Date.now() + downloadMs).toISOString() })
}

/** answer: what the last line said, empty if nothing. */
type RenderAnswer = (answer: string, siteId: string, run: Pick<Run, 'result' | 'domain'>) => string

/** Success, and no more. */
const plain: RenderAnswer = () => encodeAnswer(contract.aliases.save, {})

const answers: Readonly<Record<SiteOperation, RenderAnswer>> = {
  'aliases.save': plain,
  'aliases.delete': plain,
  'apps.install': (url, _, run) => keepSecret(run, url, encodeAnswer(contract.apps.install, {})),
  'apps.pull': (url, _, run) => keepSecret(run, url, encodeAnswer(contract.apps.pull, {})),
  'apps.push': (backup) => encodeAnswer(contract.apps.push, backup === '' ? {} : { backup }),
  'backups.create': plain,
  'copies.make': (copied) => encodeAnswer(contract.copies.make, readCopied(copied) ?? {}),
  'serverBackups.copy': (copied) => encodeAnswer(contract.serverBackups.copy, readCopied(copied) ?? {}),
  'copies.restore': (kept) => encodeAnswer(contract.copies.restore, kept === '' ? {} : { kept }),
  'copies.prove': (proven) => encodeAnswer(contract.copies.prove, readProven(proven) ?? {}),
  'backups.restore': (kept) => encodeAnswer(contract.backups.restore, kept === '' ? {} : { kept }),
  'email.set': plain,
  'sites.create': (_, id) => encodeAnswer(contract.sites.create, { id }),
  'sites.configure': plain,
  'sites.download': (size, _, { domain }) => linkTo(size, domain),
  'sites.delete': (backup) => encodeAnswer(contract.sites.delete, backup === '' ? {} : { backup }),
  'ssl.set': plain,
}

/** Null for an install, which answers nothing but its events. What work of a newer version answers is not known. */
export function renderResult(run: Run, end: End): string | null {
  if (run.siteId === null) return null
  if (end.status === 'failed') return encodeProblem(problemOf(end)).body
  if (run.operation === null) return encodeProblem(problem('outcome_unknown')).body
  return answers[run.operation](end.answer ?? '', run.siteId, run)
}

const problemOf = ({ error, problem: code = 'internal' }: End): Problem => problem(code, error === undefined ? {} : { sentence: error })

export type RunResult = { answer: Record<string, unknown> } | { failure: Problem }

/** Parses a stored answer. A run without one failed for an unknown reason. */
export function parseResult(text: string | null): RunResult {
  const body: unknown = text === null ? null : JSON.parse(text)
  if (!isJsonObject(body)) return { failure: problem('internal') }
  const { success, ...answer } = body
  if (success === true) return { answer }
  const code = isProblemCode(body.code) ? body.code : 'internal'
  return { failure: { code, sentence: typeof body.error === 'string' ? body.error : problemKinds[code].sentence } }
}
