/** Registers a server: logs in once, verifies the new key, stores a row. A failed registration leaves nothing behind. */
import { randomUUID } from 'node:crypto'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { Admitted } from '../machines/fleet'
import { MachineFailure } from '../machines/machine'
import { createMachine, findMachineByHostKey, type MachineRow } from '../store/machines'
import type { Service } from './call'
import type { Registration } from './registration'

/**
 * Installs a key on the server and stores it. The host key identifies servers that the account already has. It is known before any login,
 * so a refused registration changes nothing on the server. Throws MachineFailure, or Refused already_registered.
 */
export async function register(service: Service, accountId: string, registration: Registration): Promise<MachineRow> {
  const { provider, login, name } = registration
  if (login.hostKey === 'ask') {
    await service.fleet.admit(provider, login, name)
    throw new Refused(problem('internal'))
  }
  const hostKey = login.hostKey ?? (await askHostKey(service, registration))
  return service.locks.hold(`${accountId} ${hostKey}`, async () => {
    if (await findMachineByHostKey(service.store, accountId, hostKey)) throw new Refused(problem('already_registered'))
    const admitted = await service.fleet.admit(provider, { ...login, hostKey }, name)
    return keep(service, accountId, registration, admitted)
  })
}

/** Asks the server for its host key without offering it the credential. */
async function askHostKey({ fleet }: Service, { provider, login, name }: Registration): Promise<string> {
  try {
    await fleet.admit(provider, { ...login, hostKey: 'ask' }, name)
  } catch (error) {
    const asked = error instanceof MachineFailure && error.problem.code === 'host_key_unconfirmed' ? error.problem.hostKey : undefined
    if (asked !== undefined) return asked
    throw error
  }
  throw new Refused(problem('internal'))
}

async function keep(service: Service, accountId: string, registration: Registration, admitted: Admitted): Promise<MachineRow> {
  const { provider, login, name, dns, region, type } = registration
  const { hostKey, publicKey, privateKey, ip, hostname, sandboxModel } = admitted
  const { host, port, user } = login
  const place = { id: randomUUID(), accountId, provider, name, dns, region, type, host, port, user, hostKey, publicKey, ip, hostname }
  try {
    return await createMachine(service.store, { ...place, privateKey, ...(sandboxModel === undefined ? {} : { sandboxModel }) })
  } catch (error) {
    await service.fleet.withdraw(place, privateKey)
    throw error
  }
}
