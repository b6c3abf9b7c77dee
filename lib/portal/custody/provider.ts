/** The sources of the portal's key-encryption keys, all with the same interface. */
import 'server-only'
import { createKek, type Kek } from '@/lib/sealing/kek'
import { readKeyFiles } from '@/lib/sealing/key-files'
import { parseKey } from '@/lib/sealing/key-text'
import type { Settings } from '@/lib/settings/settings'
import type { KekSource } from '@/prisma/generated/portal/client'

export type KekProvider = {
  /** The name stored in the rows of keys. */
  name: KekSource
  /** For messages to the operator: "the key file /keys/portal/kek.key". */
  place: string
  /**
   * The current key first, then others that are kept for reading or for the next rotation.
   * Throws KeyFileError if a key is missing or unusable.
   */
  load(): readonly [Kek, ...Kek[]]
}

/** The key in the environment if set, else the key file. */
export function findProvider(settings: Settings): KekProvider {
  return settings.kekFromEnvironment === null ? fileProvider(settings.portalKekFile) : environmentProvider(settings.kekFromEnvironment)
}

function fileProvider(path: string): KekProvider {
  return { name: 'file', place: `the key file ${path}`, load: () => readKeyFiles(path) }
}

function environmentProvider(text: string): KekProvider {
  return { name: 'env', place: 'the key in GATEHOUSE_KEK', load: () => [createKek(parseKey(text, 'GATEHOUSE_KEK'))] }
}
