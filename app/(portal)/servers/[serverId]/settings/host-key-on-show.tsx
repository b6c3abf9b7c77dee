import { CodeBlock } from '@/app/_ui/code-block'
import { Notice } from '@/app/_ui/notice'

type HostKeyOnShowProps = {
  /** Null for a service that cannot show it before logging in. */
  shown: string | null
  /** Empty if the service does not report it. */
  onRecord: string
}

/** The host key that the server shows next to the known one, and what a difference means. */
export function HostKeyOnShow({ shown, onRecord }: HostKeyOnShowProps) {
  if (shown === null) {
    return (
      <Notice tone="info" title="The host key cannot be compared.">
        This service logs in without showing the host key first. Continue only if you trust the network between the two.
      </Notice>
    )
  }
  if (shown === onRecord) {
    return (
      <Notice tone="ok" title="The server presents its known host key.">
        <code className="font-mono text-code break-all">{shown}</code>
      </Notice>
    )
  }
  return (
    <div className="flex flex-col gap-2.5">
      {onRecord === '' ? (
        <Notice tone="info" title="No known host key to compare with.">
          Compare it on the server itself before you enter a password.
        </Notice>
      ) : (
        <Notice tone="warn" title="The server’s host key has changed.">
          This happens after a reinstall, but also when someone intercepts the connection. Compare the keys before you enter a password.
        </Notice>
      )}
      <dl className="flex flex-col gap-1.5 text-small">
        {onRecord === '' ? null : <Key term="Known" value={onRecord} />}
        <Key term="Presented now" value={shown} />
      </dl>
      <p className="text-small text-muted">Run this on the server, in a console you trust, to print the correct one:</p>
      <CodeBlock text="ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub" what="the command" />
    </div>
  )
}

const Key = ({ term, value }: { term: string; value: string }) => (
  <div>
    <dt className="text-muted">{term}</dt>
    <dd className="font-mono text-code break-all">{value}</dd>
  </div>
)
