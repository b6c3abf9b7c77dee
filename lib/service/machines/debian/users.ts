/** System users of a real machine. */

import { cleanText } from '@/lib/service/clean-text'
import type { Users } from '@/lib/service/machines/machine'
import { createUsers, type Kept } from '@/lib/service/machines/users'
import type { Connections } from '@/lib/service/ssh/connections'
import type { Ran, Reach } from '@/lib/service/ssh/reach'
import { createAccountScript, parseObstacles, passwordScript, removeAccountScript, said } from './changes/accounts'
import { accountsScript } from './facts/accounts'
import { requireDone } from './require-done'

/** A home of many files takes its time to go. */
const removalSeconds = 120

export function createDebianUsers(connections: Connections, reach: Reach): Users {
  const change = async (script: string, values: readonly string[], timeoutSeconds?: number): Promise<Kept> =>
    readKept(await connections.change(reach, { script, values, ...(timeoutSeconds && { timeoutSeconds }) }))
  return createUsers(
    {
      read: async () => requireDone(await connections.read(reach, { script: accountsScript }), 'tell its accounts').stdout,
      create: (name, pass) => change(createAccountScript, [name, pass]),
      setPassword: ({ name, uid }, pass) => change(passwordScript, [name, String(uid), pass]),
      remove: ({ name, uid }) => change(removeAccountScript, [name, String(uid)], removalSeconds),
    },
    reach.user,
  )
}

function readKept(ran: Ran): Kept {
  if (ran.code === said.gone) return { kind: 'gone' }
  if (ran.code === said.refused) return { kind: 'refused' }
  const what = () => parseObstacles(ran.stdout).map((name) => cleanText(name, 160))
  if (ran.code === said.running) return { kind: 'running', what: what() }
  if (ran.code === said.used) return { kind: 'used', what: what() }
  requireDone(ran, 'change its accounts')
  return { kind: 'done' }
}
