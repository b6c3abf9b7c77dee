/** Certificates of sandbox sites, as functions of time: they renew even while the service is stopped. */
import type { Certificate } from '../sites'
import type { SandboxModel, SandboxSite } from './model'
import { checkName, namesOf } from './names'

const dayMs = 86_400_000
const lifeMs = 90 * dayMs
/** Renewed with two fifths of its life left, as on a real server. */
const renewedAfterMs = (lifeMs * 3) / 5
/** How much is left of a certificate that cannot be renewed when its site gets it: less than the third from which servers warn. */
const endingLeftMs = lifeMs / 9

/** Domains that begin with `expiring.` have a certificate near its end, which cannot be renewed. */
const isEnding = ({ domain }: SandboxSite): boolean => domain.startsWith('expiring.')

/** A certificate for the names that can be reached. The present one is used again if it covers just these. */
export function orderCertificate(site: SandboxSite, nowMs: number): SandboxSite['certificate'] {
  const names = namesOf(site).filter((name) => checkName(name).result !== 'blocked')
  const isCovered = site.certificate?.names.join() === names.join()
  return isCovered ? site.certificate : { names, issuedAtMs: isEnding(site) ? nowMs + endingLeftMs - lifeMs : nowMs }
}

/** The names of a site that its certificate lacks. */
export function findLeftOut(site: SandboxSite): Certificate['leftOut'] {
  const covered = new Set(site.certificate?.names)
  return namesOf(site)
    .filter((name) => !covered.has(name))
    .map((name) => ({ name, reason: checkName(name).reason || `${name} was added after the certificate was issued.` }))
}

export function describeCertificate(site: SandboxSite, nowMs: number): Certificate | null {
  if (!site.certificate) return null
  const { names, issuedAtMs } = site.certificate
  const renewals = isEnding(site) ? 0 : Math.floor((nowMs - issuedAtMs) / renewedAfterMs)
  const issued = issuedAtMs + renewals * renewedAfterMs
  const problem = `The certificate authority issued no certificate. ${site.domain}: Timeout during connect (likely firewall problem)`
  return {
    names,
    issued: new Date(issued).toISOString(),
    expires: new Date(issued + lifeMs).toISOString(),
    leftOut: findLeftOut(site),
    problem: isEnding(site) ? problem : '',
  }
}

/** The newest renewal, or when it became certain that the certificate cannot be renewed; null if none was due yet. */
export function findRenewal(site: SandboxSite, nowMs: number): { atMs: number; outcome: 'done' | 'failed' } | null {
  if (!site.certificate) return null
  const { issuedAtMs } = site.certificate
  if (isEnding(site)) return { atMs: issuedAtMs + lifeMs - endingLeftMs, outcome: 'failed' }
  const renewals = Math.floor((nowMs - issuedAtMs) / renewedAfterMs)
  return renewals > 0 ? { atMs: issuedAtMs + renewals * renewedAfterMs, outcome: 'done' } : null
}

/** The domains of sites with SSL whose certificate cannot be renewed. */
export const failingCertificates = ({ sites }: SandboxModel): string[] =>
  sites.filter((site) => site.ssl && site.certificate && isEnding(site)).map(({ domain }) => domain)
