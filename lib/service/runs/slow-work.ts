/** Slow work that was started or found: a client either reads its events or waits for its answer. */
import type { ProgressEvent } from '@/lib/contract/events'
import { isJsonObject } from '@/lib/contract/json'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { Run } from '../store/runs'
import type { Passwords } from './passwords'
import { parseResult } from './result'
import type { Runs } from './runs'

export class SlowWork {
  readonly #runs: Runs
  readonly #run: Run
  readonly #afterId: number
  readonly #passwords: Passwords | null

  /** afterId: the number of the last event that the client has seen. passwords: those that answers name, if any do. */
  constructor(runs: Runs, run: Run, afterId: number, passwords: Passwords | null = null) {
    this.#runs = runs
    this.#run = run
    this.#afterId = afterId
    this.#passwords = passwords
  }

  async *events(aborted: AbortSignal): AsyncIterable<ProgressEvent> {
    for await (const event of this.#runs.read(this.#run, this.#afterId, aborted)) {
      yield isJsonObject(event.result) ? { ...event, result: this.#complete(event.result) } : event
    }
  }

  #complete(answer: Record<string, unknown>): Record<string, unknown> {
    return this.#passwords?.complete(this.#run.id, answer) ?? answer
  }

  /** The members of the operation's answer, once the work has ended. Throws Refused with its failure. */
  async answer(aborted: AbortSignal): Promise<Record<string, unknown>> {
    const ended = await this.#runs.end(this.#run, aborted)
    if (!ended) throw new Refused(problem('not_found'))
    if (ended.state === 'running') throw new Refused(problem('outcome_unknown'))
    const result = parseResult(ended.result)
    if ('failure' in result) throw new Refused(result.failure)
    return this.#complete(result.answer)
  }
}
