/** Maps a provider's name to its implementation, which admits servers and connects to them. */
import { providerNames } from '@/lib/contract/fields'
import { problem } from '@/lib/contract/problem'
import type { MaintenanceCheck, RemoteTarget, SftpTarget } from './copy-target'
import { type Admission, type FirstLogin, type Machine, MachineFailure } from './machine'

/** The columns of a server's row needed to connect to it again. The private key is decrypted for each call. */
export type Place = {
  id: string
  provider: string
  host: string
  port: number
  user: string
  hostKey: string
}

/** An admitted server. sandboxModel: the initial model of a simulated one, to be stored with it. */
export type Admitted = Admission & { sandboxModel?: string }

export type Provider<Reach> = {
  /**
   * former: the server with that host key that the account deleted; null if there is none. A simulated one continues as it was.
   * Throws MachineFailure: host_key_unconfirmed for hostKey 'ask', unreachable, login_failed, host_key_changed, …
   */
  admit(login: FirstLogin, name: string, former: Place | null): Promise<Admitted>
  /** Installs a key on a server that is already managed, with a login instead of the present key. Throws like admit. */
  readmit(place: Place, login: FirstLogin): Promise<Admission>
  machine(reach: Reach): Machine
  /** Deletes snapshots from a repository of copies. No server gets the key. Returns how many were there. Throws MachineFailure. */
  pruneCopies(target: RemoteTarget, snapshots: readonly string[]): Promise<number>
  /** Tests the maintenance key of an SFTP server, from where copies are deleted. leftover: the folder of a repository that a test left there, or null. */
  checkMaintenance(target: SftpTarget, leftover: string | null): Promise<MaintenanceCheck>
}

export type Fleet<Row extends Place = Place> = {
  admit(provider: ProviderName, login: FirstLogin, name: string, former: Place | null): Promise<Admitted>
  /** Installs a new SSH key on a server that is already managed; verifies it before the old one is removed. Throws like admit. */
  readmit(place: Place, login: FirstLogin): Promise<Admission>
  /** Removes one key from a server, over a connection opened with `privateKey`. Throws MachineFailure. */
  retireKey(place: Place, privateKey: string, old: { user: string; publicKey: string }): Promise<void>
  /** Removes Gatehouse's key from a server that was admitted but could not be stored. Best effort: never throws. */
  withdraw(place: Place, privateKey: string): Promise<void>
  /** Throws SealBroken if the server's key cannot be decrypted. */
  machine(row: Row): Machine
  /** place: the server whose copies they are; null if it is gone. */
  pruneCopies(place: Place | null, target: RemoteTarget, snapshots: readonly string[]): Promise<number>
  checkMaintenance(place: Place, target: SftpTarget, leftover: string | null): Promise<MaintenanceCheck>
}

export type ProviderName = 'ssh' | 'sandbox'

type Opened = Place & { privateKey: string }

/** The provider with that name; null if there is none. */
export function findProvider(name: string): ProviderName | null {
  const known = providerNames.find((given) => given === name)
  if (known === undefined) return null
  return known === 'sandbox' ? 'sandbox' : 'ssh'
}

/** Combines the providers. `openKey` decrypts a row's private key; empty for a sandbox server. */
export function createFleet<Row extends Place>(options: {
  ssh: Provider<Opened>
  sandbox: Provider<Place>
  openKey: (row: Row) => string
}): Fleet<Row> {
  const providerOf = (place: Place): ProviderName => {
    const provider = findProvider(place.provider)
    if (provider === null) throw new MachineFailure(problem('internal'))
    return provider
  }
  const open = (place: Place, findKey: () => string): Machine =>
    providerOf(place) === 'sandbox' ? options.sandbox.machine(place) : options.ssh.machine({ ...place, privateKey: findKey() })
  return {
    admit: (provider, login, name, former) => options[provider].admit(login, name, former),
    readmit: async (place, login) => options[providerOf(place)].readmit(place, login),
    retireKey: async (place, privateKey, { user, publicKey }) => open(place, () => privateKey).retireKey(user, publicKey),
    machine: (row) => open(row, () => options.openKey(row)),
    pruneCopies: (place, target, snapshots) => options[place === null ? 'ssh' : providerOf(place)].pruneCopies(target, snapshots),
    checkMaintenance: async (place, target, leftover) => options[providerOf(place)].checkMaintenance(target, leftover),
    async withdraw(place, privateKey) {
      await open(place, () => privateKey)
        .cleanUp()
        .catch(() => false)
    },
  }
}
