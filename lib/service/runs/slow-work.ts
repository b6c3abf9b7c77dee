/** Slow work that was started or found: a client either reads its events or waits for its answer. */
import type { ProgressEvent } from '@/lib/contract/events'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { Run } from '../store/runs'
import { parseResult } from './result'
import type { Runs } from './runs'

export class SlowWork {
  readonly #runs: Runs
  readonly #run: Run
  readonly #afterId: number

  /** afterId: the number of the last event that the client has seen. */
  constructor(runs: Runs, run: Run, afterId: number) {
    this.#runs = runs
    this.#run = run
    this.#afterId = afterId
  }

  /** Null if the client has seen the last one. */
  events(aborted: AbortSignal): Promise<AsyncIterable<ProgressEvent> | null> {
    return this.#runs.read(this.#run, this.#afterId, aborted)
  }

  /** The members of the operation's answer, once the work has ended. Throws Refused with its failure. */
  async answer(aborted: AbortSignal): Promise<Record<string, unknown>> {
    const ended = await this.#runs.end(this.#run, aborted)
    if (!ended) throw new Refused(problem('not_found'))
    if (ended.state === 'running') throw new Refused(problem('outcome_unknown'))
    const result = parseResult(this.#runs.answerOf(ended))
    if ('failure' in result) throw new Refused(result.failure)
    return result.answer
  }
}
