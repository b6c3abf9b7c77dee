'use client'

import { type ReactNode, useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { useOperation } from '@/app/_shared/reads/use-read'
import { CodeBlock } from '@/app/_ui/code-block'
import { EarlyButton } from '@/app/_ui/early-button'
import { Facts } from '@/app/_ui/facts'
import { lazyComponent } from '@/app/_ui/lazy'
import { Section } from '@/app/_ui/section'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'

const usual = '22'

type SshPortProps = {
  /** The site's server; null while no list shows it. */
  serverId: string | null
  children: (port: string) => ReactNode
}

/** Renders what needs the port of the server’s SSH. Until the server is read, that is the usual one. */
export function SshPort({ serverId, children }: SshPortProps) {
  return serverId === null ? children(usual) : <OfServer serverId={serverId}>{children}</OfServer>
}

function OfServer({ serverId, children }: { serverId: string; children: SshPortProps['children'] }) {
  const { data } = useOperation('servers.summary', { serverId }, { everyMs: 300_000 })
  return children(data?.item[0].port || usual)
}

/** Neither an option nor anything that a shell would read otherwise. */
const plain = /^[\w:][\w.:-]*$/

/** Whether these values of a service may be parts of a command that people paste into a shell. */
export const arePlain = (parts: readonly string[]): boolean => parts.every((part) => plain.test(part))

const SetSftpPassword = lazyComponent(() => import('./set-passwords').then((file) => file.SetSftpPassword))

/** may: change the site. */
type UploadProps = { site: SiteRow; user: string; root: string; ip: string; may: boolean }

/** How to upload files by SFTP, and a new password for it. */
export function Upload({ site, user, root, ip, may }: UploadProps) {
  const foreign = useForeign()
  const [asking, setAsking] = useState(false)
  const close = () => {
    setAsking(false)
    // The dialog that closes is not the one that the button opened, so the focus would be lost.
    requestAnimationFrame(() => document.getElementById('set-sftp-password')?.focus())
  }
  const setPassword =
    may && site.serverId !== null ? (
      <EarlyButton id="set-sftp-password" onClick={() => setAsking(true)}>
        Set password
      </EarlyButton>
    ) : undefined
  const host = ip || site.serverHost
  return (
    <Section title="Upload by SFTP" aside={setPassword}>
      <SshPort serverId={site.serverId}>{(port) => <Access user={user} root={root} port={port} host={host} />}</SshPort>
      {foreign ? null : (
        <p className="max-w-[76ch] text-small text-muted">
          .htaccess files are not read: a folder that only such a file protects is public here.
        </p>
      )}
      {asking ? <SetSftpPassword siteId={site.id} user={user} onClose={close} /> : null}
    </Section>
  )
}

type AccessProps = { host: string; port: string; user: string; root: string }

function Access({ host, port, user, root }: AccessProps) {
  const facts = [
    { label: 'Host', value: host, code: true },
    { label: 'Port', value: port, code: true },
    { label: 'User', value: user, code: true },
    { label: 'Folder', value: root, code: true },
    { label: 'Password', value: 'Set when the site was created, or changed here since.' },
  ]
  return (
    <>
      <Facts facts={facts} />
      {arePlain([user, host, port]) ? (
        <CodeBlock text={`sftp ${port === '22' ? '' : `-P ${port} `}${user}@${host}`} what="the command" />
      ) : null}
    </>
  )
}
