import type { Outcome } from '@/lib/contract/problem'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { jsonResponse } from '@/lib/portal/base/request/whole-response'
import type { PortalReads } from '../_shared/reads/portal-reads'

type AnswerOf<Path extends keyof PortalReads> = PortalReads[Path]['answer']

/** The answer of a read, with the type that pages expect from its path. */
export const answerRead = <Path extends keyof PortalReads>(_path: Path, body: AnswerOf<Path>): Response => jsonResponse(body)

/** The same for an outcome, which may have failed. */
export const answerOutcome = <Path extends keyof PortalReads>(_path: Path, outcome: Outcome<AnswerOf<Path>>): Response =>
  outcome.ok ? jsonResponse(outcome) : problemResponse(outcome.problem)
