/** Registers a server: logs in once, verifies the new key, stores a row, with the sites of the account that are there already. */
import { randomUUID } from 'node:crypto'
import { problem } from '@/lib/contract/problem'
import { liveDomains, type SortedSites, sortSites } from '../adoption'
import { Refused } from '../failure'
import type { Admitted } from '../machines/fleet'
import { MachineFailure } from '../machines/machine'
import { ownerTag } from '../owner'
import { keepMachine } from '../store/adoption'
import { findMachineByHostKey, findRemovedMachine, type MachineRow } from '../store/machines'
import type { Service } from './call'
import type { Registration } from './registration'

export type Registered = SortedSites & { machine: MachineRow }

/**
 * Installs a key on the server and stores it. The host key identifies servers that the account already has, or had and deleted. It is known before
 * any login, so a refused registration changes nothing on the server. Throws MachineFailure, or Refused already_registered, or adoption_unconfirmed.
 */
export async function register(service: Service, accountId: string, registration: Registration): Promise<Registered> {
  const { provider, login, name } = registration
  if (login.hostKey === 'ask') {
    await service.fleet.admit(provider, login, name, null)
    throw new Refused(problem('internal'))
  }
  const hostKey = login.hostKey ?? (await askHostKey(service, registration))
  return service.locks.hold(`${accountId} ${hostKey}`, async () => {
    if (await findMachineByHostKey(service.store, accountId, hostKey)) throw new Refused(problem('already_registered'))
    const former = await findRemovedMachine(service.store, accountId, hostKey)
    const admitted = await service.fleet.admit(provider, { ...login, hostKey }, name, former)
    return keep(service, { accountId, registration, former }, admitted)
  })
}

/** Asks the server for its host key without offering it the credential. */
async function askHostKey({ fleet }: Service, { provider, login, name }: Registration): Promise<string> {
  try {
    await fleet.admit(provider, { ...login, hostKey: 'ask' }, name, null)
  } catch (error) {
    const asked = error instanceof MachineFailure && error.problem.code === 'host_key_unconfirmed' ? error.problem.hostKey : undefined
    if (asked !== undefined) return asked
    throw error
  }
  throw new Refused(problem('internal'))
}

type Wanted = { accountId: string; registration: Registration; former: MachineRow | null }

async function keep(service: Service, { accountId, registration, former }: Wanted, admitted: Admitted): Promise<Registered> {
  const { provider, login, name, dns, region, type, adopt } = registration
  const { hostKey, publicKey, privateKey, ip, hostname, sandboxModel, records } = admitted
  const { host, port, user } = login
  const id = former?.id ?? randomUUID()
  const place = { id, accountId, provider, name, dns, region, type, host, port, user, hostKey, publicKey, ip, hostname }
  try {
    const sorted = await sortSites(service.store, records, { accountId, hostKey, former })
    const { adopted } = sorted
    if (adopt === 'ask' && adopted.length > 0) throw new Refused(unconfirmed(liveDomains(adopted)))
    const row = { ...place, privateKey, ...(sandboxModel === undefined ? {} : { sandboxModel }) }
    const machine = await keepMachine(service.store, row, { former, adopted })
    if (adopted.some(({ owner }) => owner === ''))
      await claim(
        service,
        machine,
        adopted.map(({ id }) => id),
      )
    return { ...sorted, machine }
  } catch (error) {
    await service.fleet.withdraw(place, privateKey)
    throw error
  }
}

/** For the next time. The account has the sites in any case. */
async function claim({ fleet }: Service, machine: MachineRow, ids: readonly string[]): Promise<void> {
  await fleet
    .machine(machine)
    .sites.claim(ownerTag(machine.accountId), ids)
    .catch(() => undefined)
}

const maxNamed = 20

function unconfirmed(domains: readonly string[]) {
  const more = domains.length > maxNamed ? ` and ${domains.length - maxNamed} more` : ''
  const sites = `${domains.length} ${domains.length === 1 ? 'site' : 'sites'}`
  const sentence = `This server has ${sites} of this account from before: ${domains.slice(0, maxNamed).join(', ')}${more}. Adding it brings them back.`
  return problem('adoption_unconfirmed', { sentence })
}
