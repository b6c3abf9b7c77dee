/** The JSON answer of a finished run, stored with it: the answer of the operation, or its failure. */
import { encodeAnswer, encodeProblem } from '@/lib/contract/answer'
import { contract } from '@/lib/contract/index'
import { isJsonObject } from '@/lib/contract/json'
import { isProblemCode, type Problem, type ProblemCode, problem, problemKinds } from '@/lib/contract/problem'
import { stagingUser } from '../machines/sites'
import type { Run } from '../store/runs'

/** The parts of a last line that the answer depends on. */
type End = { status: 'running' | 'done' | 'failed'; error?: string; problem?: ProblemCode; answer?: string }

/** How operations answer that answer more than success. answer: what the last line said, empty if nothing. */
const answers: Readonly<Record<string, (answer: string, siteId: string) => string>> = {
  [contract.sites.create.id]: (_, id) => encodeAnswer(contract.sites.create, { id }),
  // The passwords that belong to it are not stored: routes/staging.ts
  [contract.apps.pull.id]: (url) => encodeAnswer(contract.apps.pull, { credentials: { url, user: stagingUser, password: '' } }),
  [contract.apps.push.id]: (backup) => encodeAnswer(contract.apps.push, backup === '' ? {} : { backup }),
  [contract.sites.delete.id]: (backup) => encodeAnswer(contract.sites.delete, backup === '' ? {} : { backup }),
}

/** Null for an install, which answers nothing but its events. */
export function renderResult({ operation, siteId }: Run, end: End): string | null {
  if (siteId === null) return null
  if (end.status === 'failed') return encodeProblem(problemOf(end)).body
  return answers[operation]?.(end.answer ?? '', siteId) ?? encodeAnswer(contract.aliases.save, {})
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
