import type { BorrowedView } from '@/lib/portal/subjects/lending/view'
import { formatAccess } from '@/lib/text/access'
import { AccessSentence } from '../../_shared/access/access-sentence'
import { Card } from '../../_ui/card'
import { RelativeTime } from '../../_ui/relative-time'
import { Section } from '../../_ui/section'

/** The connections that others lend to the user: whose, for what and until when. */
export function Borrowed({ connections }: { connections: readonly BorrowedView[] }) {
  if (connections.length === 0) return null
  return (
    <Section title="Lent to you">
      <Card className="flex flex-col gap-3 px-4 py-3">
        {connections.map(({ id, label, ownerName, frozen, loans }) => (
          <div key={id} className="wrap-anywhere">
            <span className="font-semibold">{label}</span> <span className="text-muted">of {ownerName}</span>
            {frozen ? <span className="text-warn"> Frozen</span> : null}
            {loans.map(({ scopes, until, ...given }) => (
              <span key={`${formatAccess(given, scopes)} ${until}`} className="block">
                <AccessSentence start="To" given={given} scopes={scopes} />
                {until === null ? null : (
                  <span className="text-muted">
                    , ends <RelativeTime at={until} />
                  </span>
                )}
              </span>
            ))}
          </div>
        ))}
      </Card>
    </Section>
  )
}
