import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { ButtonLink } from '../../../_ui/button'
import { Notice } from '../../../_ui/notice'

/** offersInstall: this person may install, and the page has no button of its own for it. */
type InstallNoticeProps = { server: Pick<ServerRow, 'id' | 'state' | 'runningJobId' | 'extensions'>; offersInstall: boolean }

/** Above the pages of a server that is not installed: what is missing, and the way to it. Nothing where it is installed, or nobody says. */
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
        {server.extensions ? ' Trying again continues at the first unfinished step.' : null}
      </Notice>
    )
  }
  return (
    <Notice tone="info" title="This server is not installed yet." action={offersInstall ? way('Install') : null}>
      {server.extensions
        ? 'Installing adds the web server, PHP, the database, mail, a firewall and automatic security updates. What the server already has of these is kept.'
        : 'What an install sets up is up to the service.'}
    </Notice>
  )
}
