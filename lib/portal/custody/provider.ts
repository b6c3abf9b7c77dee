/** The sources of the portal's key-encryption keys, all with the same interface. */
import 'server-only'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createKek, type Kek } from '@/lib/sealing/kek'
import { readKeyFile } from '@/lib/sealing/key-file'
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

/** kek.key is the current key; files named kek.*.key next to it contain others. */
function fileProvider(path: string): KekProvider {
  const readKek = (file: string) => createKek(readKeyFile(file))
  return { name: 'file', place: `the key file ${path}`, load: () => [readKek(path), ...listOthers(path).map(readKek)] }
}

function environmentProvider(text: string): KekProvider {
  return { name: 'env', place: 'the key in GATEHOUSE_KEK', load: () => [createKek(parseKey(text, 'GATEHOUSE_KEK'))] }
}

function listOthers(path: string): string[] {
  const folder = dirname(path)
  const stem = basename(path, '.key')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith('.key') && name !== basename(path))
    .sort()
    .map((name) => join(folder, name))
}
