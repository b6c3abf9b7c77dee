/** Replaces Gatehouse's SSH key on a server: the new one is verified and stored before the old one is removed. */
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { MachineFailure } from '../machines/machine'
import { findMachineByHostKey, type MachineRow, rekeyMachine } from '../store/machines'
import type { Service } from './call'
import type { Reentry } from './registration'

/**
 * Logs in with `login` and installs a new key. Without a host key in `login`, the server must present the pinned one; `ask` only returns
 * the host key it presents. Throws MachineFailure, or Refused already_registered if that is another server of the same account.
 */
export async function resetKey(service: Service, machine: MachineRow, { user, pass, hostKey = machine.hostKey }: Reentry): Promise<void> {
  const { store, fleet } = service
  const login = { host: machine.host, port: machine.port, user, pass, hostKey }
  const other = await findMachineByHostKey(store, machine.accountId, hostKey)
  if (other && other.id !== machine.id) throw new Refused(problem('already_registered'))
  const { privateKey, ...admitted } = await fleet.readmit(machine, login)
  const renewed = { ...machine, ...admitted, user }
  try {
    await rekeyMachine(store, renewed, privateKey)
  } catch (error) {
    await fleet.retireKey(renewed, privateKey, renewed).catch(() => undefined)
    throw error
  }
  service.summaries.forget(machine.id)
  try {
    await fleet.retireKey(renewed, privateKey, machine)
  } catch (error) {
    if (error instanceof MachineFailure) throw oldKeyLeft(machine, error)
    throw error
  }
}

function oldKeyLeft({ user, publicKey }: MachineRow, cause: MachineFailure): MachineFailure {
  const comment = publicKey.split(' ').at(-1) ?? ''
  const sentence = `The new SSH key works, but the old one could not be removed. Delete the line that ends in ${comment} from the authorized_keys of ${user}.`
  return new MachineFailure(problem('internal', { sentence }), { cause })
}
