/** Deletes snapshots that the caller names, and what only they need; then checks that the rest fits together. Never by a rule of restic. */
import { createHash } from 'node:crypto'
import { problem } from '@/lib/contract/problem'
import type { RemoteTarget } from '../machines/copy-target'
import { MachineFailure } from '../machines/machine'
import { resticFailure } from './failure'
import { linesOf, type Run, removeOldLocks } from './locks'
import { type Resolve, resolveName } from './resolve'
import { runRestic } from './run'
import { openStorage } from './storage'

type Pruner = {
  /** Returns how many of the snapshots were there. The same call, made again while it runs, has the same outcome. Throws MachineFailure. */
  prune(target: RemoteTarget, snapshots: readonly string[]): Promise<number>
  /** Ends what runs, which removes its lock. */
  stop(): Promise<void>
}

const maxMs = 6 * 3_600_000

/** Ids in one command. */
const atOnce = 500

type Work = { call: string; done: Promise<number> }

/** One repository at a time, because each takes memory. */
export function createPruner({ now = Date.now, resolve = resolveName }: { now?: () => number; resolve?: Resolve } = {}): Pruner {
  const stopping = new AbortController()
  const works = new Map<string, Work>()
  let last: Promise<unknown> = Promise.resolve()

  const work = async (target: RemoteTarget, snapshots: readonly string[]): Promise<number> => {
    const storage = await openStorage(target, resolve)
    const slow = AbortSignal.timeout(maxMs)
    const signal = AbortSignal.any([stopping.signal, slow])
    const run: Run = (...command) => runRestic({ storage, password: target.password, command, signal })
    try {
      return await pruneWith(run, snapshots, now())
    } catch (error) {
      if (stopping.signal.aborted) throw new MachineFailure(problem('outcome_unknown'))
      throw slow.aborted ? resticFailure('slow') : error
    } finally {
      await storage[Symbol.asyncDispose]()
    }
  }

  return {
    prune: (target, snapshots) => {
      const [repository, call] = [nameOf(target), digestOf(target, snapshots)]
      const running = works.get(repository)
      if (running) return running.call === call ? running.done : Promise.reject(new MachineFailure(alreadyPruned))
      const done = last.then(() => work(target, snapshots)).finally(() => works.delete(repository))
      last = done.catch(() => undefined)
      works.set(repository, { call, done })
      return done
    },
    stop: async () => {
      stopping.abort()
      await last
    },
  }
}

/** The repository, whatever opens it. */
const nameOf = (target: RemoteTarget): string =>
  JSON.stringify(
    target.kind === 's3' ? [target.endpoint, target.bucket, target.folder] : [target.host, target.port, target.user, target.folder],
  )

const alreadyPruned = problem('busy', { sentence: 'Other copies are being deleted from this repository. Wait until that ends.' })

/** Of everything, so that only who has the key and the password gets the outcome. */
const digestOf = (target: RemoteTarget, snapshots: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([target, [...snapshots].sort()]))
    .digest('base64url')

/** now: milliseconds since 1970. */
export async function pruneWith(run: Run, snapshots: readonly string[], now: number): Promise<number> {
  await removeOldLocks(run, now)
  const there = linesOf(await run('list', 'snapshots', '--no-lock'))
  const found = snapshots.flatMap((id) => {
    const named = there.filter((each) => each.startsWith(id))
    if (named.length > 1) throw resticFailure('ambiguous')
    return named
  })
  for (let from = 0; from < found.length; from += atOnce) await run('forget', ...found.slice(from, from + atOnce))
  // Also after an earlier call that failed between the two.
  await run('prune')
  await run('check')
  return found.length
}
