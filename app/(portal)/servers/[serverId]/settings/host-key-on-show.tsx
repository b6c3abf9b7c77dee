import { CodeBlock } from '../../../../_ui/code-block'
import { Notice } from '../../../../_ui/notice'

type HostKeyOnShowProps = {
  /** Null from a service that cannot show it before it logs in. */
  shown: string | null
  /** Empty where the service does not tell. */
  onRecord: string
}

/** The key the machine shows beside the one on record, and what it means where they differ. */
export function HostKeyOnShow({ shown, onRecord }: HostKeyOnShowProps) {
  if (shown === null) {
    return (
      <Notice tone="info" title="The host key cannot be compared.">
        This service logs in without showing the host key first. Go on only if you trust the network between the two.
      </Notice>
    )
  }
  if (shown === onRecord) {
    return (
      <Notice tone="ok" title="The machine shows the host key on record.">
        <code className="font-mono text-code break-all">{shown}</code>
      </Notice>
    )
  }
  return (
    <div className="flex flex-col gap-2.5">
      {onRecord === '' ? (
        <Notice tone="info" title="There is no host key on record to compare with.">
          Compare it with the machine itself before you give a password.
        </Notice>
      ) : (
        <Notice tone="warn" title="The machine shows another host key than before.">
          That is so after it was set up anew, and also when somebody stands in between. Compare before you give a password.
        </Notice>
      )}
      <dl className="flex flex-col gap-1.5 text-small">
        {onRecord === '' ? null : <Key term="On record" value={onRecord} />}
        <Key term="Now on show" value={shown} />
      </dl>
      <p className="text-small text-muted">On the server itself, in a console you trust, this prints the one it should be:</p>
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
