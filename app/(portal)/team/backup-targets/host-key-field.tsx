import { Notice } from '@/app/_ui/notice'
import type { ShownHostKey } from '@/lib/portal/subjects/backup-targets/check-target'

/** The host key that an SFTP server shows, to compare before the form is sent again with it. */
export const HostKeyField = ({ shown }: { shown: ShownHostKey | undefined }) =>
  shown === undefined ? null : (
    <div role="status">
      <Notice tone="warn" title="Compare the host key of the SFTP server.">
        <p className="wrap-anywhere">
          It shows <code>{shown.fingerprint}</code>. Your provider publishes it, or “ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub”
          prints it there. Continue only if it is the same: from then on, no other key is accepted.
        </p>
      </Notice>
      <input type="hidden" name="hostKey" value={shown.key} />
    </div>
  )
