/** Goes back to the release of before the last upgrade, with its databases. Needs no network and no build. */
import { existsSync } from 'node:fs'
import { requireAlone } from './alone'
import { runOnHalf } from './halves'
import { type Done, findUpgrade } from './history'
import { type Installation, readCurrent, UpgradeError } from './installation'
import { changeOver } from './move'
import type { Runner } from './runner'
import { listCopies } from './state'
import { beginMove, describe, type Means, type Report } from './upgrade'

function requireUpgrade(installation: Installation): Done {
  const done = findUpgrade(installation)
  if (done === null) {
    throw new UpgradeError(
      `No upgrade to ${readCurrent(installation)} is known, or its former release was removed: there is nothing to go back to.`,
    )
  }
  for (const copy of listCopies(done.copies)) {
    if (!existsSync(copy))
      throw new UpgradeError(`The copy ${copy} from before the upgrade is missing. Without it ${done.from} does not fit the data.`)
  }
  return done
}

/** As JSON it is what `gatehouse rollback --json` prints. lost: phrases for display */
export type Prospect = { outcome: 'possible'; from: string; to: string; at: string; lost: string[]; message: string }

/** What a rollback leads to and loses. Rejects with UpgradeError if none is possible. */
export async function describeRollback(installation: Installation, runner: Runner): Promise<Prospect> {
  const { from: to, to: from, at, copies } = requireUpgrade(installation)
  const lost: string[] = []
  for (const place of [runner.portal, runner.service]) {
    const copy = copies[place.half]
    if (copy === undefined) continue
    const found = await runOnHalf(installation, from, place, 'describe', copy)
    lost.push(...found.split(', ').filter(Boolean), `whatever was changed in the ${place.half} since then`)
  }
  const loss = lost.length === 0 ? 'Nothing is lost by going back' : `Lost by going back: ${lost.join(', ')}`
  const message = `${from} runs since the upgrade of ${at}; ${to} was before it.\n${loss}. What was changed on servers stays.`
  return { outcome: 'possible', from, to, at, lost, message }
}

/** Rejects with UpgradeError if nothing was changed. */
export async function rollBack(means: Means): Promise<Report> {
  const { installation, runner, say } = means
  const { from, copies } = requireUpgrade(installation)
  say((await describeRollback(installation, runner)).message)
  const running = await runner.isRunning()
  await requireAlone(runner.portal.settings.portalPostgresql, running)
  const move = beginMove(means, { kind: 'rollback', to: from, restores: copies, running })
  return describe(move, await changeOver(move))
}
