/** What DNS and certificate authorities find for names of simulated sites. The first label of a name decides: docs/sandbox.md. */
import { createHash } from 'node:crypto'
import type { MailFindings } from '../../mail-records'
import type { NameCheck, SiteOnHost } from '../sites'

const otherServer = '198.51.100.7'

/** What DNS says about a name of a simulated site: it leads to its server, unless its first label says otherwise. */
export function sandboxDns(name: string, ip: string): { address: string; mx: string } {
  if (name.startsWith('noaddress.')) return { address: '', mx: '' }
  if (/^(elsewhere|unreachable)\./.test(name)) return { address: otherServer, mx: '' }
  return { address: ip, mx: name.startsWith('mailaway.') ? otherMailServer : `mail.${name}` }
}

const otherMailServer = 'mx.mail-provider.test'

/** The public half of the key that mail of a simulated site is signed with. */
export const sandboxKey = (domain: string): string => createHash('sha512').update(domain).digest('base64')

/**
 * What DNS says about mail of a simulated site: only its mail server is there. With `mailaway.`, that is another one; with `mailready.`, all
 * records are as they should be.
 */
export function sandboxMailDns(domain: string, { ip, hostname }: { ip: string; hostname: string }): MailFindings {
  const { mx } = sandboxDns(domain, ip)
  const isReady = domain.startsWith('mailready.')
  return {
    servers: mx === '' ? [] : [{ name: mx, addresses: [mx === otherMailServer ? otherServer : ip] }],
    txt: isReady ? ['v=spf1 mx -all'] : [],
    key: isReady ? [`v=DKIM1; k=rsa; p=${sandboxKey(domain)}`] : [],
    policy: isReady ? ['v=DMARC1; p=quarantine'] : [],
    names: [hostname],
  }
}

export const namesOf = ({ domain, aliases }: Pick<SiteOnHost, 'domain' | 'aliases'>): string[] => [domain, ...aliases]

/** In the words of a real server. */
export function checkName(name: string): NameCheck {
  if (name.startsWith('noaddress.')) {
    return { name, result: 'blocked', reason: `${name} has no address in DNS. Create a record that points to this server.` }
  }
  if (name.startsWith('unreachable.')) {
    const reason = `Nothing answers at ${otherServer}, where DNS points for ${name}. Point its DNS record to this server, or open port 80.`
    return { name, result: 'blocked', reason }
  }
  if (name.startsWith('elsewhere.')) {
    const reason = `DNS points to ${otherServer}, which is not an address of this server. The site still answers there.`
    return { name, result: 'warning', reason }
  }
  return { name, result: 'ready', reason: '' }
}
