import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'

/** offersInstall: this user may install, and the page has no button of its own for it. */
type InstallNoticeProps = { server: Pick<ServerRow, 'id' | 'state' | 'runningJobId' | 'extensions'>; offersInstall: boolean }

/**
 * Shown on the pages of a server that is not installed: what is missing, with a link to the install. Nothing if it is installed, or
 * that is unknown.
 */
export function InstallNotice({ server, offersInstall }: InstallNoticeProps) {
  const way = (label: string) => <ButtonLink href={`/servers/${server.id}/install`}>{label}</ButtonLink>
  if (server.runningJobId || server.state === 'installing') {
    return <Notice tone="info" title="This server is being installed." action={way('Watch the install')} />
  }
  if (server.state === 'ready' || server.state === '') return null
  if (server.state === 'failed') {
    return (
      <Notice tone="warn" title="The last install failed." action={offersInstall ? way('Install') : null}>
        The install page shows the line that failed.
        {server.extensions ? ' Retrying continues at the first unfinished step.' : null}
      </Notice>
    )
  }
  return (
    <Notice tone="info" title="This server is not installed yet." action={offersInstall ? way('Install') : null}>
      {server.extensions
        ? 'Installing adds a web server, PHP, a database, mail, a firewall and automatic security updates. Anything already set up is kept.'
        : 'The service decides what an install sets up.'}
    </Notice>
  )
}
