/** Registers a server: logs in once, proves the key, stores a row; after any failure nothing is left behind. */
import { randomUUID } from 'node:crypto'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { Admitted } from '../machines/fleet'
import { MachineFailure } from '../machines/machine'
import { createMachine, findMachineByHostKey, type MachineRow } from '../store/machines'
import type { Service } from './call'
import type { Registration } from './registration'

/**
 * Admits us to the server and stores it. The host key decides whether the account already has the server, and is known before any login,
 * so nothing is changed on a server that will be refused. Throws MachineFailure, or Refused already_registered.
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

/** The host key on show. The credential is not offered to the server. */
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
