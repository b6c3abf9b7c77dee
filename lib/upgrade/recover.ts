/** Finishes or undoes what was interrupted: before each start of an installed release, and before the next upgrade or rollback. */
import { setTimeout as delay } from 'node:timers/promises'
import { ClaimError } from '@/lib/database/claim'
import { claimInstallation } from './claim'
import { type Installation, UpgradeError } from './installation'
import { conclude, type Move, undo } from './move'
import { type Runner, waitReady, wasReady } from './runner'
import { decide, readState, type Step } from './state'

const [waitMs, everyMs, readyMs] = [60_000, 100, 60_000]

/** By a command that may stop and start Gatehouse: one that is starting just now may still become ready. Resolves with a sentence, or null. */
export async function settle(installation: Installation, runner: Runner, say: Move['say']): Promise<string | null> {
  const state = readState(installation)
  if (state === null) return null
  if (state.step === 'starting' && (await runner.isRunning())) await waitReady(runner, state.to, state.at, readyMs)
  const move: Move = { installation, runner, state, say }
  if (decide(state, wasReady(runner.portal, state.to, state.at)) === 'finish') {
    conclude(move)
    return `The interrupted ${state.kind} to ${state.to} is finished.`
  }
  const wasRunning = await runner.isRunning()
  const stopped = await undo(move)
  if (stopped || (state.running && !wasRunning)) await runner.start()
  return `The interrupted ${state.kind} to ${state.to} is undone: ${state.from} starts.`
}

/**
 * Before a start. Resolves with a sentence, or null if there is nothing to do: also while an upgrade waits for this start. Rejects with
 * UpgradeError if it cannot be settled; nothing may start then.
 */
export async function recoverAtStart(
  installation: Installation,
  createRunner: () => Promise<Runner>,
  say: Move['say'],
): Promise<string | null> {
  for (const deadline = Date.now() + waitMs; ; await delay(everyMs)) {
    const state = readState(installation)
    if (state === null) return null
    const release = tryClaim(installation, state.step)
    if (release !== null) {
      try {
        return await settle(installation, await createRunner(), say)
      } finally {
        release()
      }
    }
    if (state.step === 'starting') return null
    if (Date.now() > deadline) throw new UpgradeError('An upgrade or a rollback is under way. Start Gatehouse when it has ended.')
  }
}

/** Null while another process has it. A unit's user may not have it: what the unit runs before as root has seen to this. */
function tryClaim(installation: Installation, step: Step): (() => void) | null {
  try {
    return claimInstallation(installation)
  } catch (error) {
    if (error instanceof ClaimError || step === 'starting') return null
    throw new UpgradeError(
      `An upgrade was interrupted, and this user may not write ${installation.root}. Run gatehouse upgrade --recover as its owner.`,
      {
        cause: error,
      },
    )
  }
}
