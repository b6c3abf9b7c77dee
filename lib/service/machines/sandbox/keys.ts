/** SFTP keys of sandbox sites: nobody signs in, but the same is refused as on a real server, in the same words. */
import type { PublicKey } from '@/lib/text/public-key'
import { absentKey, parseKeys, refuseKey } from '../site-keys'
import type { SiteKey } from '../sites'
import type { SandboxSite } from './model'

export const listSandboxKeys = ({ keys }: SandboxSite): SiteKey[] => parseKeys(keys.join('\n'))

export function addSandboxKey(site: SandboxSite, key: PublicKey): void {
  const refusal = refuseKey(listSandboxKeys(site), key)
  if (refusal) throw refusal
  site.keys = [...site.keys, key.line]
}

export function removeSandboxKey(site: SandboxSite, fingerprint: string): void {
  const left = listSandboxKeys(site).filter((key) => key.fingerprint !== fingerprint)
  if (left.length === site.keys.length) throw absentKey()
  site.keys = left.map(({ line }) => line)
}
