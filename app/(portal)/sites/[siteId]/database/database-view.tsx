'use client'

import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { CodeBlock } from '@/app/_ui/code-block'
import { EarlyButton } from '@/app/_ui/early-button'
import { Facts } from '@/app/_ui/facts'
import { lazyComponent } from '@/app/_ui/lazy'
import { Link } from '@/app/_ui/page-link'
import { Section } from '@/app/_ui/section'
import type { Answer } from '@/lib/contract/operation'
import type { database } from '@/lib/contract/operations/database'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { arePlain, SshPort } from '../upload'
import { Tables } from './tables'

type ConnectProps = { site: SiteRow; ip: string; name: string; user: string; host: string }

/** How to reach the database from outside. Only for services with extensions: others do not say who may connect. */
const Connect = ({ site, ip, ...database }: ConnectProps) => (
  <div className="flex flex-col gap-1">
    <p className="text-small text-muted">The database accepts connections only from its own server.</p>
    <SshPort serverId={site.serverId}>
      {(sshPort) => {
        const commands = connectionCommands({ ...database, server: ip || site.serverHost, sshPort })
        return commands && <Tunnel commands={commands} serverId={site.serverId} />
      }}
    </SshPort>
  </div>
)

type TunnelProps = { commands: { tunnel: string; client: string }; serverId: string | null }

const Tunnel = ({ commands: { tunnel, client }, serverId }: TunnelProps) => (
  <details>
    <summary className="w-fit cursor-pointer rounded-control py-1 text-small text-muted hover:text-ink">Connect from your computer</summary>
    <div className="flex max-w-[760px] flex-col gap-3 pt-1">
      <p>
        Open an SSH tunnel as a{' '}
        {serverId === null ? (
          'system user'
        ) : (
          <Link href={`/servers/${serverId}/users`} className="rounded-control text-accent underline hover:text-accent-hover">
            system user
          </Link>
        )}{' '}
        of the server who may log in by SSH. The site’s own user may use only SFTP.
      </p>
      <ol className="flex flex-col gap-3">
        <li className="flex flex-col gap-1.5">
          <span>1. Open the tunnel, and keep it open. Replace USER with the name of the system user.</span>
          <CodeBlock text={tunnel} what="the tunnel command" />
        </li>
        <li className="flex flex-col gap-1.5">
          <span>
            2. Connect in another terminal. The client asks for the password of the database, which Gatehouse does not show: set a new one
            if you don’t have it.
          </span>
          <CodeBlock text={client} what="the client command" />
        </li>
      </ol>
    </div>
  </details>
)

type Access = {
  name: string
  user: string
  /** Where programs on the server find the database. */
  host: string
  /** The server's address or hostname. */
  server: string
  sshPort: string
}

/**
 * The commands that lead to a database from another computer, without its password. Null unless every part is plain, because people paste
 * them into a shell and the parts come from a service.
 */
export function connectionCommands({ name, user, host, server, sshPort }: Access): { tunnel: string; client: string } | null {
  if (!arePlain([name, user, host, server, sshPort])) return null
  const target = host.includes(':') ? `[${host}]` : host
  return {
    tunnel: `ssh ${sshPort === '22' ? '' : `-p ${sshPort} `}-L 3307:${target}:3306 USER@${server}`,
    client: `mariadb -h 127.0.0.1 -P 3307 -u ${user} -p ${name}`,
  }
}

const SetDatabasePassword = lazyComponent(() => import('../set-passwords').then((file) => file.SetDatabasePassword))

/** What database.get answers. The tables are read apart: that takes longer, and may fail alone. */
type Details = Answer<typeof database.get>

export function DatabaseView({ id: siteId, name, first, may, extra: site }: SubjectViewProps<Details, SiteRow>) {
  const read = useOperation('database.get', { siteId }, { first, everyMs: 60_000 })
  const [asking, setAsking] = useState(false)
  const foreign = useForeign()
  const readable = toReadableDomain(name)
  const item = read.data?.item[0]
  const close = () => {
    setAsking(false)
    // The dialog that closes is not the one that the button opened, so the focus would be lost.
    requestAnimationFrame(() => document.getElementById('set-password')?.focus())
  }
  const setPassword = (
    <EarlyButton id="set-password" onClick={() => setAsking(true)}>
      Set password
    </EarlyButton>
  )
  return (
    <>
      <ReadError read={read} nothingRead={`The database of ${readable} could not be read.`} />
      {item ? (
        <Section title="Database" aside={may && site?.deletingJobId === null ? setPassword : undefined}>
          <Facts
            facts={[
              { label: 'Name', value: item.db_name, code: true },
              { label: 'User', value: item.user ?? '', code: true },
              { label: 'Host', value: item.host ?? '', code: true },
              { label: 'Server address', value: item.server.ip, code: true },
            ]}
          />
          {item.user && item.host && site && !foreign ? (
            <Connect site={site} ip={item.server.ip} name={item.db_name} user={item.user} host={item.host} />
          ) : null}
        </Section>
      ) : null}
      <Tables siteId={siteId} name={readable} />
      {asking && item ? <SetDatabasePassword siteId={siteId} database={item.db_name} onClose={close} /> : null}
    </>
  )
}
