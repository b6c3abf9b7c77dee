import { toReadableDomain } from '@/lib/text/idn'

/** A domain as people read it. */
export const Domain = ({ domain }: { domain: string }) => <>{toReadableDomain(domain)}</>

/** The whole name; for one of another script also the form that the DNS uses. */
export function titleOfDomain(domain: string): string {
  const readable = toReadableDomain(domain)
  return readable === domain ? domain : `${readable} (${domain})`
}
