import { Notice } from '@/app/_ui/notice'

/** Names the system users of whose crontab only the beginning is listed; nothing if all are complete. */
export function PartialNotice({ users }: { users: readonly string[] }) {
  if (users.length === 0) return null
  const whose = users.length === 1 ? `The crontab of ${users[0]} is` : `The crontabs of ${users.slice(0, 5).join(', ')} are`
  return (
    <Notice tone="warn" title={`${whose} too large to list completely`}>
      Some jobs are missing from this list. All of them still run. On the server, <code className="font-mono text-code">crontab -l</code>{' '}
      shows them.
    </Notice>
  )
}
