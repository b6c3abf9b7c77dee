'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import { ConfirmDestroy } from '../../../../_shared/confirm-destroy'
import { operationRead } from '../../../../_shared/read-address'
import { ReadTrouble } from '../../../../_shared/read-trouble'
import { useOperation } from '../../../../_shared/use-read'
import { Button } from '../../../../_ui/button'
import { EmptyState } from '../../../../_ui/empty-state'
import { lateComponent } from '../../../../_ui/late'
import { Section } from '../../../../_ui/section'
import { Sheet } from '../../../../_ui/sheet'
import { toast } from '../../../../_ui/toast'
import { useForeign } from '../foreign-service'
import { deleteSystemUser } from './actions'
import { kindOf, type UsersAnswer } from './user'
import { menuIdOf, UserList } from './user-list'

const PasswordDialog = lateComponent(() => import('./password-dialog').then((file) => file.PasswordDialog))

type UsersViewProps = { serverId: string; name: string; first: Outcome<UsersAnswer>; mayChange: boolean }

/** Whose password is being set, '' for an account that is to be made; or who is to be deleted. */
type Asking = { deed: 'password' | 'delete'; user: string }

export function UsersView({ serverId, name, first, mayChange }: UsersViewProps) {
  const read = useOperation('users.list', { serverId }, { first, everyMs: 30_000 })
  const refetch = [operationRead('users.list', { serverId })]
  const [asking, setAsking] = useState<Asking | null>(null)
  const foreign = useForeign()
  const { data } = read
  const names = data?.users.map((user) => user.name) ?? []
  const people = names.filter((user) => kindOf(user, data?.user ?? '') === 'person')
  const close = () => {
    setAsking(null)
    // Opened from a menu that is gone by now: the keyboard goes on at that menu's button, if its row is still there.
    requestAnimationFrame(() => (document.getElementById(menuIdOf(asking?.user ?? '')) ?? document.getElementById('add-user'))?.focus())
  }
  const addButton = mayChange ? (
    <Button id="add-user" look="primary" onClick={() => setAsking({ deed: 'password', user: '' })} disabled={data === null}>
      <Plus aria-hidden size={16} strokeWidth={1.5} />
      Add user
    </Button>
  ) : null
  return (
    <>
      <ReadTrouble read={read} nothingRead={`The accounts of ${name} could not be read.`} />
      {data === null ? null : (
        <Section title="System users" aside={people.length > 0 ? addButton : undefined}>
          {people.length === 0 ? (
            <NoUsers action={addButton} />
          ) : (
            <UserList
              label="People’s accounts"
              names={people}
              answer={data}
              mayChange={mayChange}
              onPassword={(user) => setAsking({ deed: 'password', user })}
              onDelete={(user) => setAsking({ deed: 'delete', user })}
            />
          )}
          <SystemUsers names={names.filter((user) => !people.includes(user))} answer={data} />
        </Section>
      )}
      {asking?.deed === 'password' ? (
        <PasswordDialog key={asking.user} serverId={serverId} user={asking.user} known={names} refetch={refetch} onClose={close} />
      ) : null}
      {asking?.deed === 'delete' ? (
        <ConfirmDestroy
          open
          onOpenChange={close}
          title="Delete user"
          says={
            <p>
              <strong className="font-semibold text-ink wrap-anywhere">{asking.user}</strong> is deleted from {name}
              {foreign
                ? '. This cannot be undone. What happens to its files is up to the service.'
                : `, with its home folder, every file in it and its crontab. This cannot be undone. While ${asking.user} is logged in or runs a program it is refused.`}
            </p>
          }
          name={asking.user}
          action={deleteSystemUser}
          refetch={refetch}
          target={{ serverId, user: asking.user }}
          onDone={() => {
            toast(`${asking.user} was deleted.`)
            close()
          }}
        />
      ) : null}
    </>
  )
}

/** Folded away: they are there on every server, and nothing is to be done with them here. */
function SystemUsers({ names, answer }: { names: readonly string[]; answer: UsersAnswer }) {
  const foreign = useForeign()
  if (names.length === 0) return null
  return (
    <details className="group">
      <summary className="w-fit cursor-pointer rounded-control py-1 text-small text-muted hover:text-ink">
        {foreign ? 'System accounts' : 'Accounts of the system and of Gatehouse'} ({names.length})
      </summary>
      <div className="pt-2">
        <UserList label="Accounts of the system" names={names} answer={answer} mayChange={false} />
      </div>
    </details>
  )
}

function NoUsers({ action }: { action: ReactNode }) {
  if (useForeign()) {
    return (
      <Sheet>
        <EmptyState title="No system users yet" actions={action}>
          <p>The service lists no system users of this server.</p>
        </EmptyState>
      </Sheet>
    )
  }
  return (
    <Sheet>
      <EmptyState title="Nobody has an account yet" actions={action}>
        <p>A system user can log in to the server over SSH, has a home folder there and can have cron jobs of their own.</p>
        <p>
          <code className="font-mono text-code">ssh anna@your-server</code>
        </p>
      </EmptyState>
    </Sheet>
  )
}
