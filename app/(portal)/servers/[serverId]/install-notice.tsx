import { ButtonLink } from '../../../_ui/button'
import { Notice } from '../../../_ui/notice'

/** offersInstall: this person may install, and the page has no button of its own for it. */
type InstallNoticeProps = { server: { id: string; state: string; runningJobId: string | null }; offersInstall: boolean }

/** Above the pages of a server that is not installed: what is missing, and the way to it. Nothing where it is installed, or nobody says. */
export function InstallNotice({ server, offersInstall }: InstallNoticeProps) {
  if (server.state === 'ready' || server.state === '') return null
  const way = (word: string) => <ButtonLink href={`/servers/${server.id}/install`}>{word}</ButtonLink>
  if (server.runningJobId || server.state === 'installing') {
    return <Notice tone="info" title="This server is being installed." action={way('Watch the install')} />
  }
  if (server.state === 'failed') {
    return (
      <Notice tone="warn" title="The last install failed." action={offersInstall ? way('Install') : null}>
        The install page shows the line that failed. Trying again continues at the first unfinished step.
      </Notice>
    )
  }
  return (
    <Notice tone="info" title="This server is not installed yet." action={offersInstall ? way('Install') : null}>
      Installing adds the web server, PHP, the database, mail, a firewall and automatic security updates.
    </Notice>
  )
}
