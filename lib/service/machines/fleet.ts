/** Which kind of machine a provider means, and how each is let in and reached. */
import { providerNames } from '@/lib/contract/fields'
import { problem } from '@/lib/contract/problem'
import { type Admission, type FirstLogin, type Machine, MachineFailure } from './machine'

/** What a machine's row has to tell to reach it again. The private key is opened when it is needed, for that call. */
export type Place = {
  id: string
  provider: string
  host: string
  port: number
  user: string
  hostKey: string
}

/** A machine that let us in. sandboxModel: what a simulated one has to be stored with. */
export type Admitted = Admission & { sandboxModel?: string }

export type Provider<Reach> = {
  /** Throws MachineFailure: host_key_unconfirmed for hostKey 'ask', unreachable, login_failed, host_key_changed, … */
  admit(login: FirstLogin, name: string): Promise<Admitted>
  /** Lets us into a machine that is ours already, by a login instead of the key we had. Throws like admit. */
  readmit(place: Place, login: FirstLogin): Promise<Admission>
  machine(reach: Reach): Machine
}

export type Fleet<Row extends Place = Place> = {
  admit(provider: ProviderName, login: FirstLogin, name: string): Promise<Admitted>
  /** A new key for a machine that we have, proven before the old one goes. Throws like admit. */
  readmit(place: Place, login: FirstLogin): Promise<Admission>
  /** Takes one key off a machine, over a connection opened with `privateKey`. Throws MachineFailure. */
  retireKey(place: Place, privateKey: string, old: { user: string; publicKey: string }): Promise<void>
  /** Takes our key off a machine that was let in but could not be kept. Does what it can and never fails. */
  withdraw(place: Place, privateKey: string): Promise<void>
  /** Throws SealBroken when the machine's key cannot be opened. */
  machine(row: Row): Machine
}

export type ProviderName = 'ssh' | 'sandbox'

type Opened = Place & { privateKey: string }

const names: Readonly<Record<(typeof providerNames)[number], ProviderName>> = { ssh: 'ssh', custom: 'ssh', '': 'ssh', sandbox: 'sandbox' }

/** The provider a name of the interface means; null for one we do not have. */
export function findProvider(name: string): ProviderName | null {
  const known = providerNames.find((given) => given === name)
  return known === undefined ? null : names[known]
}

/** Puts the providers together. `openKey` gives a row's private key in the clear, empty for a sandbox. */
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
    admit: (provider, login, name) => options[provider].admit(login, name),
    readmit: async (place, login) => options[providerOf(place)].readmit(place, login),
    retireKey: async (place, privateKey, { user, publicKey }) => open(place, () => privateKey).retireKey(user, publicKey),
    machine: (row) => open(row, () => options.openKey(row)),
    async withdraw(place, privateKey) {
      await open(place, () => privateKey)
        .cleanUp()
        .catch(() => false)
    },
  }
}
