'use client'

import { Ellipsis } from 'lucide-react'
import { StartButton } from '@/app/_shared/forms/start-button'
import { Button } from '@/app/_ui/button'
import { countOf, formatCount } from '@/app/_ui/count'
import { Menu, MenuItem, MenuNote } from '@/app/_ui/menu'
import { Notice } from '@/app/_ui/notice'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Holding } from '@/lib/portal/subjects/backup-targets/copies'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { testBackupTarget } from './actions'
import { outcomeOf } from './test-from-server'
import { thawOf } from './thaw-words'

export type TargetDialog = 'kit' | 'rename' | 'keys' | 'test' | 'remove'

/** The id of the menu's button. */
export const menuIdOf = (targetId: string): string => `menu-${targetId}`

type TargetCardProps = { target: BackupTargetView; onOpen: (dialog: TargetDialog) => void; onChanged: () => void }

/** One target: where it is, what its newest test found, and what the reader may do with it. */
export function TargetCard({ target, onOpen, onChanged }: TargetCardProps) {
  const { label, address, more, checkedAt } = target
  return (
    <li>
      <Card className="flex flex-col gap-3 px-4 py-3">
        <div className="flex flex-col gap-1">
          <div className="flex items-start justify-between gap-x-4">
            <div className="flex min-h-8 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
              <h3 className="min-w-0 font-semibold wrap-anywhere">{label}</h3>
              <StateChip {...stateOf(target)} />
            </div>
            <Controls target={target} onOpen={onOpen} onChanged={onChanged} />
          </div>
          <p className="wrap-anywhere text-muted">
            {address}
            {more === '' ? null : ` · ${more}`}
          </p>
          <p className="text-small wrap-anywhere text-muted">
            {ownerOf(target)} · tested <RelativeTime at={checkedAt} />
          </p>
        </div>
        <Findings target={target} />
        <Held target={target} onOpen={onOpen} />
      </Card>
    </li>
  )
}

function Findings({ target }: { target: BackupTargetView }) {
  const { ownerName, problem, findings, frozenAt } = target
  if (frozenAt !== null) {
    return (
      <Notice tone="warn" title={`Frozen when ${ownerName ?? 'you'} left the team or lost the right to keep backup targets.`}>
        {thawOf(target)}
      </Notice>
    )
  }
  if (problem !== '') return <Notice tone="danger" title={problem} />
  if (findings.length === 0) return null
  return (
    <Notice tone="warn" title="Whoever breaks into a server could destroy copies here.">
      <ul className="flex list-disc flex-col gap-0.5 pl-4">
        {findings.map((finding) => (
          <li key={finding}>{finding}</li>
        ))}
      </ul>
    </Notice>
  )
}

/** What is stored there, and whether it could be read without Gatehouse. */
function Held({ target: { holding, changeRefusal }, onOpen }: Pick<TargetCardProps, 'target' | 'onOpen'>) {
  if (holding === null) return <p className="text-small text-muted">No copies yet. The page Backups of a site or server makes one.</p>
  const { newestAt, unconfirmed } = holding
  return (
    <>
      <p className="text-small wrap-anywhere text-muted">
        {formatHolding(holding)}
        {newestAt === null ? null : (
          <>
            {' · newest '}
            <RelativeTime at={newestAt} />
          </>
        )}
      </p>
      {unconfirmed === 0 ? null : (
        <Notice
          tone="warn"
          title="The copies are not safe yet: nobody has confirmed having the newest recovery kit."
          action={changeRefusal === null ? <Button onClick={() => onOpen('kit')}>Recovery kit</Button> : undefined}
        >
          Without it, nobody can read them once Gatehouse is lost.
        </Notice>
      )}
    </>
  )
}

/** "8 copies of 2 sites on 1 server", and where servers themselves are copied "9 copies of 2 sites and 1 server". */
export function formatHolding({ copies, sites, servers, ownServers }: Holding): string {
  const of = [...(sites === 0 ? [] : [countOf(sites, 'site')]), ...(ownServers === 0 ? [] : [countOf(ownServers, 'server')])].join(' and ')
  return `${copies === 1 ? '1 copy' : `${formatCount(copies)} copies`} of ${of}${ownServers === 0 ? ` on ${countOf(servers, 'server')}` : ''}`
}

function stateOf({ frozenAt, problem, findings }: BackupTargetView) {
  if (frozenAt !== null) return { tone: 'neutral', label: 'Frozen' } as const
  if (problem !== '') return { tone: 'danger', label: 'Test failed' } as const
  return findings.length === 0
    ? ({ tone: 'ok', label: 'Test passed' } as const)
    : ({ tone: 'warn', label: 'Passed with warnings' } as const)
}

function ownerOf({ keeper, ownerName }: BackupTargetView): string {
  if (keeper === 'team') return 'Team'
  return ownerName === null ? 'Only you' : `Owned by ${ownerName}`
}

function Controls({ target, onOpen, onChanged }: TargetCardProps) {
  const { id, label, kind, frozenAt, changeRefusal, removeRefusal } = target
  if (removeRefusal !== null) return null
  return (
    <div className="flex shrink-0 items-center gap-1">
      {changeRefusal !== null || frozenAt !== null ? null : kind === 's3' ? (
        <StartButton
          action={testBackupTarget}
          target={{ targetId: id }}
          label="Test"
          fullLabel={`Test ${label}`}
          variant="outline"
          message={(tested) => outcomeOf(label, tested)}
          onDone={onChanged}
        />
      ) : (
        <Button variant="outline" aria-label={`Test ${label}`} onClick={() => onOpen('test')}>
          Test
        </Button>
      )}
      <Menu
        trigger={
          <Button id={menuIdOf(id)} variant="ghost" icon aria-label={`Actions for ${label}`}>
            <Ellipsis aria-hidden size={16} strokeWidth={1.5} />
          </Button>
        }
      >
        {changeRefusal === null ? (
          <>
            {target.holding === null ? null : <MenuItem onSelect={() => onOpen('kit')}>Recovery kit</MenuItem>}
            <MenuItem onSelect={() => onOpen('rename')}>Rename</MenuItem>
            {kind === 'folder' ? null : <MenuItem onSelect={() => onOpen('keys')}>Replace keys</MenuItem>}
            {kind === 'folder' && frozenAt !== null ? <MenuItem onSelect={() => onOpen('keys')}>Use again</MenuItem> : null}
          </>
        ) : (
          <MenuNote>{changeRefusal}</MenuNote>
        )}
        <MenuItem danger onSelect={() => onOpen('remove')}>
          Remove target
        </MenuItem>
      </Menu>
    </div>
  )
}
