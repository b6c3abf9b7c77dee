/** SFTP keys of a site as a file has them, and which are not added to it. */
import { problem } from '@/lib/contract/problem'
import { type PublicKey, readKeyLine } from '@/lib/text/public-key'
import { MachineFailure } from './machine'
import { maxSiteKeys, type SiteKey } from './sites'

const maxLineLength = 16_384

/** Lines without a key that sites take are left out, as are repeated keys. */
export function parseKeys(text: string): SiteKey[] {
  const keys = new Map<string, SiteKey>()
  for (const line of text.split('\n')) {
    const read = line.startsWith('#') || line.length > maxLineLength ? null : readKeyLine(line)
    if (read && !keys.has(read.key.fingerprint)) keys.set(read.key.fingerprint, read.hasOptions ? { ...read.key, line: '' } : read.key)
  }
  return [...keys.values()]
}

/** Why a key is not added to those that are there; null if it can be. */
export function refuseKey(present: readonly SiteKey[], { fingerprint }: PublicKey): MachineFailure | null {
  if (present.some((key) => key.fingerprint === fingerprint)) return unsuitable('The site has this key already.')
  if (present.length >= maxSiteKeys) return unsuitable(`A site has at most ${maxSiteKeys} SFTP keys. Remove one first.`)
  return null
}

export const absentKey = () =>
  new MachineFailure(problem('changed_meanwhile', { sentence: 'The site has no such key. It may have been removed meanwhile.' }))

const unsuitable = (sentence: string) => new MachineFailure(problem('unsuitable', { sentence }))
