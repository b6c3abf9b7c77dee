/** Email of sandbox sites: nothing is sent, but the same is refused as on a real server, in the same words. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '../machine'
import type { SiteAddress, SiteMail, SiteOnHost } from '../sites'
import { hasRule, removeRule, takeStep } from './firewall'
import { readKept } from './kept'
import type { SandboxModel, SandboxSite, SandboxSiteJob } from './model'
import { sandboxKey } from './names'

const ports = [25, 465, 587]

const ruleOf = (port: number) => ({ action: 'allow', protocol: 'tcp', ports: [{ first: port, last: port }], from: null }) as const

export const describeMail = ({ domain, mail }: SandboxSite): SiteMail => ({
  on: mail.on,
  key: mail.wasOn ? sandboxKey(domain) : '',
  addresses: mail.addresses,
})

/** A mail server that Gatehouse did not set up is left alone. */
export function refuseEmail(machine: SandboxModel): SandboxSiteJob['failure'] {
  const kept = readKept(machine).find(({ part }) => part === 'mail')
  if (kept) {
    const error = `${kept.reason} Gatehouse forwards mail only by a Postfix that it has set up itself, so nothing was changed.`
    return { step: 'Check the server', problem: 'unsuitable', error }
  }
  if (machine.packages.postfix !== undefined) return null
  const error = 'The mail server is not set up here. Use Install or Reinstall on the page of the server, which adds it.'
  return { step: 'Check the server', problem: 'not_installed', error }
}

/** Opened for the first site with email, and closed after the last; ports that were open already stay so. */
export function settleMailPorts(machine: SandboxModel): void {
  const isOn = machine.sites.some(({ mail }) => mail.on)
  if (isOn && machine.mailPorts.length === 0) {
    machine.mailPorts = ports.filter((port) => !hasRule(machine, ruleOf(port)))
    for (const port of machine.mailPorts) takeStep(machine, { kind: 'append', rule: ruleOf(port), families: [4, 6] })
  }
  if (!isOn) {
    for (const port of machine.mailPorts) removeRule(machine, ruleOf(port))
    machine.mailPorts = []
  }
}

export function saveSandboxAddress(machine: SandboxModel, site: SandboxSite, address: SiteAddress): void {
  const why = refuseAddress(machine, site, address)
  if (why !== null) throw new MachineFailure(problem('unsuitable', { sentence: why }))
  const others = site.mail.addresses.filter(({ user }) => user !== address.user)
  site.mail.addresses = [...others, { ...address }].sort((one, other) => (one.user < other.user ? -1 : 1))
}

export function deleteSandboxAddress({ domain, mail }: SandboxSite, user: string): void {
  if (!mail.addresses.some((address) => address.user === user)) {
    throw new MachineFailure(problem('changed_meanwhile', { sentence: `${user}@${domain} is not an address of this site.` }))
  }
  mail.addresses = mail.addresses.filter((address) => address.user !== user)
}

function refuseAddress(machine: SandboxModel, site: SandboxSite, { user, destination }: SiteAddress): string | null {
  const address = `${user}@${site.domain}`
  const to = destination.slice(destination.lastIndexOf('@') + 1)
  if (machine.sites.some(({ aliases }: SiteOnHost) => aliases.includes(to))) {
    return `${to} is an alias of a site here, and aliases get no mail. Enter an address at another domain. Nothing was changed.`
  }
  if (leadsBack(machine, address, destination)) {
    return `${destination} leads back to ${address}, so its mail would go round in circles. Enter another destination. Nothing was changed.`
  }
  return null
}

/** Whether mail would come back, over any number of addresses of this server, whether email of their sites is on or not. */
function leadsBack(machine: SandboxModel, address: string, destination: string): boolean {
  const leadsTo = new Map<string, string>(
    machine.sites.flatMap(({ domain, mail }) => mail.addresses.map((each) => [`${each.user}@${domain}`, each.destination] as const)),
  )
  leadsTo.set(address, destination)
  let at: string | undefined = destination
  for (let steps = 0; steps <= leadsTo.size; steps += 1) {
    at = at?.toLowerCase().replace(/[+][^@]*@/, '@')
    if (at === undefined) return false
    if (at === address) return true
    at = leadsTo.get(at)
  }
  return at !== undefined
}
