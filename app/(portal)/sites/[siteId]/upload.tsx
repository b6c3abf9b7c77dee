'use client'

import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { CodeBlock } from '../../../_ui/code-block'
import { Facts } from '../../../_ui/facts'
import { Section } from '../../../_ui/section'
import { SshPort } from './ssh-port'

type UploadProps = { site: SiteRow; user: string; root: string; ip: string }

/** How to upload files by SFTP. */
export const Upload = ({ site, user, root, ip }: UploadProps) => (
  <SshPort serverId={site.serverId}>{(port) => <Access {...{ user, root, port }} host={ip || site.serverHost} />}</SshPort>
)

type AccessProps = { host: string; port: string; user: string; root: string }

function Access({ host, port, user, root }: AccessProps) {
  const facts = [
    { label: 'Host', value: host, code: true },
    { label: 'Port', value: port, code: true },
    { label: 'User', value: user, code: true },
    { label: 'Folder', value: root, code: true },
    { label: 'Password', value: 'The one from the site’s creation.' },
  ]
  return (
    <Section title="Upload by SFTP">
      <Facts facts={facts} />
      {host === '' ? null : <CodeBlock text={`sftp ${port === '22' ? '' : `-P ${port} `}${user}@${host}`} what="the command" />}
    </Section>
  )
}
