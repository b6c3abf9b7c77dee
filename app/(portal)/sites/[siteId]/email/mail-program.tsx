import { Facts } from '@/app/_ui/facts'
import { Notice } from '@/app/_ui/notice'
import { Link } from '@/app/_ui/page-link'
import { Section } from '@/app/_ui/section'

type MailProgramProps = { siteId: string; domain: string; secure: boolean }

/** What a mail program needs to send from the addresses of a site. */
export const MailProgram = ({ siteId, domain, secure }: MailProgramProps) => (
  <Section title="Send from a mail program">
    {secure ? (
      <SendingFacts domain={domain} user="" secure />
    ) : (
      <Notice tone="warn" title="To send, turn on SSL of this site first.">
        Passwords work only under the site’s certificate.{' '}
        <Link
          href={`/sites/${siteId}/ssl`}
          className="inline-flex min-h-6 items-center rounded-control text-accent underline hover:text-accent-hover"
        >
          SSL of this site
        </Link>
      </Notice>
    )}
  </Section>
)

/** user: the whole address; empty for any of them. secure: whether the site has SSL, which sending needs. */
export const SendingFacts = ({ domain, user, secure }: { domain: string; user: string; secure: boolean }) => (
  <>
    <Facts
      facts={[
        { label: 'Server', value: domain, code: true },
        { label: 'Port', value: '465 (SSL/TLS) or 587 (STARTTLS)' },
        user === '' ? { label: 'User', value: `The whole address, such as info@${domain}` } : { label: 'User', value: user, code: true },
        { label: 'Password', value: user === '' ? 'Set in the menu of the address. An address without a password only forwards.' : '' },
      ]}
    />
    {secure ? null : <Notice tone="warn" title="Sending starts once SSL of this site is on." />}
  </>
)
