/** Who starts and stops Gatehouse: one interface for `gatehouse up` and for systemd's units. */
import { setTimeout as delay } from 'node:timers/promises'
import { readLastStart } from '@/lib/launcher/last-start'
import type { HalfPlace } from './halves'

export type Runner = {
  /** For display. */
  name: string
  portal: HalfPlace
  service: HalfPlace
  isRunning(): Promise<boolean>
  /** Resolves when both halves have ended. Rejects with UpgradeError. */
  stop(): Promise<void>
  /** Starts what `current` leads to; resolves once that has begun. */
  start(): Promise<void>
  /** Why what was started will not come: for display. Null while it may. */
  findEnd(): Promise<string | null>
  /** Ends the conversation with what runs Gatehouse. */
  close(): void
}

const everyMs = 50

const requestMs = 2_000

/** Whether the portal says that its database and its service are there. */
async function isReady({ settings: { host, port } }: HalfPlace): Promise<boolean> {
  const reach = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const address = `http://${reach.includes(':') ? `[${reach}]` : reach}:${port}/api/health/ready`
  return fetch(address, { signal: AbortSignal.timeout(requestMs) }).then(
    (response) => response.ok,
    () => false,
  )
}

/** The same, within ten seconds: one that has just started, or on a busy machine, may not answer the first time. */
export async function becomesReady(place: HalfPlace): Promise<boolean> {
  for (const deadline = Date.now() + 10_000; ; await delay(everyMs)) {
    if (await isReady(place)) return true
    if (Date.now() > deadline) return false
  }
}

/** Whether that version's portal has been up since then. since: ISO 8601 */
export function wasReady({ database }: HalfPlace, version: string, since: string): boolean {
  const last = readLastStart(database)
  return last !== null && last.version === version && last.at >= since
}

/** Waits until that version is ready. Resolves with null, or with why it is not: a sentence for display. */
export async function waitReady(runner: Runner, version: string, since: string, limitMs: number): Promise<string | null> {
  for (const deadline = Date.now() + limitMs; ; await delay(everyMs)) {
    if (wasReady(runner.portal, version, since) && (await isReady(runner.portal))) return null
    const end = await runner.findEnd()
    if (end !== null) return end
    if (Date.now() > deadline) return `It was not ready after ${limitMs / 1000} seconds.`
  }
}
