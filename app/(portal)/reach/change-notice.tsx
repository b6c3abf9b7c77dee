import type { Problem } from '@/lib/contract/problem'
import type { ReachLine } from '@/lib/portal/views/reach/lines'
import type { WhatIf } from '@/lib/portal/views/reach/what-if'
import { ButtonLink } from '../../_ui/button'
import { Notice } from '../../_ui/notice'

type ChangeNoticeProps = {
  whatIf: WhatIf | null
  refused: Problem | null
  lines: readonly ReachLine[]
  /** The table as it is now. */
  back: string
}

/** What the table tells of: a change that is not saved, and how many rows end and begin with it. */
export function ChangeNotice({ whatIf, refused, lines, back }: ChangeNoticeProps) {
  const action = <ButtonLink href={back}>Show as it is now</ButtonLink>
  if (refused) {
    const reasons = Object.values(refused.fields ?? {})
    return <Notice tone="warn" title={reasons.length > 0 ? reasons.join(' ') : refused.sentence} action={action} />
  }
  if (!whatIf) return null
  const count = (difference: ReachLine['difference']) => lines.filter((line) => line.difference === difference).length
  const changed = lines.filter(({ difference }) => difference !== 'same')
  const idle = changed.filter((line) => line.idle).length
  return (
    <Notice tone="info" title={`${whatIf.sentence}: nothing is saved yet.`} action={action}>
      {changed.length === 0
        ? 'No row would change.'
        : `Rows that would end: ${count('lost')}. Rows that would begin: ${count('gained')}.${idle > 0 ? ` Of these change nothing, because other access gives the same: ${idle}.` : ''}`}
    </Notice>
  )
}
