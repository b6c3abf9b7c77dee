/** System users of a real server. */

import { cleanText } from '@/lib/service/clean-text'
import type { Users } from '@/lib/service/machines/machine'
import { createUsers, type Kept } from '@/lib/service/machines/users'
import type { Connections } from '@/lib/service/ssh/connections'
import type { ExecResult, HostAddress } from '@/lib/service/ssh/host-address'
import { createAccountScript, parseObstacles, passwordScript, removeAccountScript, said } from './changes/accounts'
import { accountsScript } from './facts/accounts'
import { requireDone } from './require-done'

/** Deleting a home with many files takes time. */
const removalSeconds = 120

export function createDebianUsers(connections: Connections, host: HostAddress): Users {
  const change = async (script: string, values: readonly string[], timeoutSeconds?: number): Promise<Kept> =>
    readKept(await connections.change(host, { script, values, ...(timeoutSeconds && { timeoutSeconds }) }))
  return createUsers(
    {
      read: async () => requireDone(await connections.read(host, { script: accountsScript }), 'list its system users').stdout,
      create: (name, pass) => change(createAccountScript, [name, pass]),
      setPassword: ({ name, uid }, pass) => change(passwordScript, [name, String(uid), pass]),
      remove: ({ name, uid }) => change(removeAccountScript, [name, String(uid)], removalSeconds),
    },
    host.user,
  )
}

function readKept(result: ExecResult): Kept {
  if (result.code === said.gone) return { kind: 'gone' }
  if (result.code === said.refused) return { kind: 'refused' }
  const what = () => parseObstacles(result.stdout).map((name) => cleanText(name, 160))
  if (result.code === said.running) return { kind: 'running', what: what() }
  if (result.code === said.used) return { kind: 'used', what: what() }
  requireDone(result, 'change its system users')
  return { kind: 'done' }
}
