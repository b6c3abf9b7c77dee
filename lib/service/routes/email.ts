/** Email of sites: switched as a job of their server, which alone knows the addresses. */
import type { email } from '@/lib/contract/operations/email'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { describeRecords, findElsewhere } from '../mail-records'
import { readDomain } from '../site-names'
import type { MachineRow } from '../store/machines'
import { findSite, onHost } from '../store/sites'
import {
  type Call,
  changeSite,
  followOrStart,
  requireReadySite,
  requireSite,
  type Service,
  type SubjectChecks,
  type SubjectReadings,
  type SubjectRoutes,
} from './call'
import { readMailFindings } from './mail-findings'

export const emailRoutes: SubjectRoutes<typeof email> = {
  async get(call) {
    const { service } = call
    const site = await requireSite(call)
    const { domain, machine } = site
    const server = { hostname: machine.hostname, dns: machine.dns }
    if (site.state !== 'ready') return { item: [{ domain, email: false, emails: [], server }] }
    const [mail, found] = await Promise.all([service.fleet.machine(machine).sites.mail(onHost(site)), readMailFindings(service, site)])
    const records = describeRecords(found, { domain, hostname: machine.hostname, ip: machine.ip, key: mail.key })
    const elsewhere = findElsewhere(found, machine) ?? ''
    return { item: [{ domain, email: mail.on, emails: mail.addresses.map((address) => ({ ...address })), server, records, elsewhere }] }
  },

  set: (call) =>
    followOrStart(call, { operation: 'email.set' }, async (machine) => {
      const { service, input } = call
      const { domain } = await requireReadySite(call)
      if (input.status && input.anyway !== true) await requireMailHere(service, machine, domain)
      return service.siteRuns.run(machine, call.input.site_id, { operation: 'email.set' }, async () => ({
        kind: 'email',
        on: input.status,
        site: onHost(await requireReadySite(call)),
      }))
    }),

  async save(call) {
    const { user, password } = call.input
    const reading = readDestination(call.input.destination)
    if ('refusal' in reading) throw new Refused(problem('invalid', { fields: { destination: reading.refusal } }))
    let waitsForSsl = false
    await changeSite(call, async (sites, site) => {
      // From the server itself: what is stored may be older than the SSL that was switched a moment ago.
      if (password !== '') waitsForSsl = (await sites.facts([site])).get(site.name)?.ssl !== true
      await sites.saveAddress(site, { user, destination: reading.destination }, password)
    })
    return waitsForSsl ? { sends_after: 'ssl' } : {}
  },

  delete: (call) => changeSite(call, (sites, site) => sites.deleteAddress(site, call.input.user)),
}

export const emailChecks: SubjectChecks<typeof email> = {
  save({ destination }) {
    const reading = readDestination(destination)
    return { destination: 'refusal' in reading ? reading.refusal : null }
  },
}

export const emailReadings: SubjectReadings<typeof email> = {
  save: async (call) => ({ ...call.input, user: await readUser(call) }),
  delete: async (call) => ({ ...call.input, user: await readUser(call) }),
}

/** What is before the @ of a whole address of the site; any other text as it is. */
async function readUser({ service, accountId, input }: Call<typeof email.delete>): Promise<string> {
  const at = input.user.lastIndexOf('@')
  if (at < 0) return input.user
  const site = await findSite(service.store, accountId, input.site_id)
  const reading = readDomain(input.user.slice(at + 1))
  return site && 'domain' in reading && reading.domain === site.domain ? input.user.slice(0, at) : input.user
}

/** An address with its domain in lower case and punycode. */
function readDestination(given: string): { destination: string } | { refusal: string } {
  const at = given.lastIndexOf('@')
  const reading = readDomain(given.slice(at + 1))
  return 'refusal' in reading ? reading : { destination: `${given.slice(0, at)}@${reading.domain}` }
}

/** Once email is on, this server keeps mail to the domain that its other sites send, whatever DNS says. */
async function requireMailHere({ lookUpMail }: Service, machine: MachineRow, domain: string): Promise<void> {
  const elsewhere = findElsewhere(await lookUpMail(machine, domain), machine)
  if (elsewhere === '') return
  const why =
    elsewhere === null
      ? `DNS did not answer where mail to ${domain} goes. Try again in a minute.`
      : `DNS sends mail to ${domain} to ${elsewhere}. With email on, mail that sites of this server send to ${domain} would no longer get there. Change the MX record first, or confirm that this server takes that mail anyway.`
  throw new Refused(problem('unsuitable', { sentence: why }))
}
