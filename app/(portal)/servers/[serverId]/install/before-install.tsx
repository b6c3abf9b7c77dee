import { Section } from '../../../../_ui/section'
import { Sheet } from '../../../../_ui/sheet'
import { InstallButton } from './install-button'

type BeforeInstallProps = { serverId: string; sandbox: boolean; ready: boolean; may: boolean }

const brings = [
  ['Web server', 'Apache with PHP-FPM'],
  ['Database', 'MariaDB, secured'],
  ['Mail', 'Postfix, for what sites send'],
  ['Firewall', 'UFW, with our own SSH port let through first'],
  ['Updates', 'Security updates by themselves, once a day'],
  ['Backups', 'A nightly timer'],
] as const

/** What will happen, before it happens. */
export function BeforeInstall({ serverId, sandbox, ready, may }: BeforeInstallProps) {
  return (
    <Section title={ready ? 'Install once more' : 'What installing brings'}>
      <Sheet>
        <dl className="divide-y divide-line">
          {brings.map(([what, how]) => (
            <div key={what} className="flex min-h-[35px] items-center gap-x-4 px-4 py-1.5">
              <dt className="w-[114px] shrink-0 text-muted">{what}</dt>
              <dd className="min-w-0 flex-1">{how}</dd>
            </div>
          ))}
        </dl>
      </Sheet>
      <p className="max-w-[70ch] py-1 text-muted">
        {ready
          ? 'This server is installed already; what is done is left as it is. '
          : 'What the server already has of these is kept as it is. '}
        {sandbox
          ? 'This server is simulated, so it takes seconds and nothing real is touched.'
          : 'It takes a few minutes. The work runs on the machine itself: you can watch, leave and come back, and closing this page stops nothing.'}
      </p>
      <div>
        <InstallButton serverId={serverId} word="Install" may={may} />
      </div>
    </Section>
  )
}
