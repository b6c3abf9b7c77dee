/** Goes back to the release of before the last upgrade, with its databases. Needs no network and no build. */
import { existsSync } from 'node:fs'
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

/** What a rollback leads to and loses: for display. Rejects with UpgradeError if none is possible. */
export async function describeRollback(installation: Installation, runner: Runner): Promise<string> {
  const done = requireUpgrade(installation)
  return `${await describeLoss(installation, runner, done)}\nAdd --yes to go back.`
}

async function describeLoss(installation: Installation, runner: Runner, { from, to, at, copies }: Done): Promise<string> {
  const lost: string[] = []
  for (const place of [runner.portal, runner.service]) {
    const copy = copies[place.half]
    if (copy === undefined) continue
    const found = await runOnHalf(installation, readCurrent(installation), place, 'describe', copy)
    lost.push(...found.split(', ').filter(Boolean), `whatever was changed in the ${place.half} since then`)
  }
  return `${to} runs since the upgrade of ${at}; ${from} was before it.\nLost by going back: ${lost.join(', ')}. What was changed on servers stays.`
}

/** Rejects with UpgradeError if nothing was changed. */
export async function rollBack(means: Means): Promise<Report> {
  const { installation, runner, say } = means
  const done = requireUpgrade(installation)
  say(await describeLoss(installation, runner, done))
  const move = beginMove(means, { kind: 'rollback', to: done.from, restores: done.copies, running: await runner.isRunning() })
  return describe(move, await changeOver(move))
}
