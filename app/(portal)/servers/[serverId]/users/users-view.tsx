'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { operationRead } from '@/app/_shared/reads/read-address'
import { useOperation } from '@/app/_shared/reads/use-read'
import { Card } from '@/app/_ui/card'
import { EarlyButton } from '@/app/_ui/early-button'
import { EmptyState } from '@/app/_ui/empty-state'
import { lazyComponent } from '@/app/_ui/lazy'
import type { Column } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'
import { toast } from '@/app/_ui/toast'
import { deleteSystemUser } from './actions'
import { kindOf, type UsersAnswer } from './user'
import { menuIdOf, type UserRow, userCollection, userColumns, userMenu, userRow } from './user-columns'

const PasswordDialog = lazyComponent(() => import('./password-dialog').then((file) => file.PasswordDialog))

/** Whose password is being set, '' for a new system user; or whom to delete. */
type Asking = { action: 'password' | 'delete'; user: string }

export function UsersView({ id: serverId, name, first, may: mayChange }: SubjectViewProps<UsersAnswer>) {
  const read = useOperation('users.list', { serverId }, { first, everyMs: 30_000 })
  const refetch = [operationRead('users.list', { serverId })]
  const [asking, setAsking] = useState<Asking | null>(null)
  const foreign = useForeign()
  const { data } = read
  const rows = useMemo(() => data?.users.map((user) => userRow(user.name, kindOf(user.name, data.user), data)) ?? [], [data])
  const people = useMemo(() => rows.filter(({ kind }) => kind === 'person'), [rows])
  const collection = useCollection(userCollection, people)
  const columns = useMemo(() => userColumns(foreign), [foreign])
  const menu = userMenu({
    onPassword: (user) => setAsking({ action: 'password', user }),
    onDelete: (user) => setAsking({ action: 'delete', user }),
  })
  const close = () => {
    setAsking(null)
    // Opened from a menu that is gone now, so the focus returns to that menu's button, if its row still exists.
    requestAnimationFrame(() => (document.getElementById(menuIdOf(asking?.user ?? '')) ?? document.getElementById('add-user'))?.focus())
  }
  const addButton = mayChange ? (
    <EarlyButton id="add-user" variant="primary" onClick={() => setAsking({ action: 'password', user: '' })} disabled={data === null}>
      <Plus aria-hidden size={16} strokeWidth={1.5} />
      Add user
    </EarlyButton>
  ) : null
  return (
    <>
      <Collection
        collection={collection}
        columns={columns}
        read={read}
        nothingRead={`The users of ${name} could not be read.`}
        title="System users"
        aside={people.length > 0 ? addButton : undefined}
        after={<SystemUsers users={rows.filter(({ kind }) => kind !== 'person')} columns={columns} />}
        empty={<NoUsers action={addButton} />}
        {...(mayChange && { menu })}
      />
      {asking?.action === 'password' ? (
        <PasswordDialog
          key={asking.user}
          serverId={serverId}
          user={asking.user}
          known={rows.map(({ id }) => id)}
          refetch={refetch}
          onClose={close}
        />
      ) : null}
      {asking?.action === 'delete' ? (
        <ConfirmDestroy
          open
          onOpenChange={close}
          title="Delete user"
          description={
            <p>
              <strong className="font-semibold text-ink wrap-anywhere">{asking.user}</strong> is deleted from {name}
              {foreign
                ? '. This cannot be undone. The service decides what happens to the user’s files.'
                : `, with its crontab and its home folder, and every file in that. This cannot be undone. A home that is not directly in /home, or that another user has too, stays. The server refuses while ${asking.user} is logged in or runs a program.`}
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

/** Collapsed, because every server has them and there is nothing to do with them here. */
function SystemUsers({ users, columns }: { users: readonly UserRow[]; columns: readonly Column<UserRow>[] }) {
  const foreign = useForeign()
  if (users.length === 0) return null
  return (
    <details className="group">
      <summary className="w-fit cursor-pointer rounded-control py-1 text-small text-muted hover:text-ink">
        {foreign ? 'System accounts' : 'System accounts and Gatehouse'} ({users.length})
      </summary>
      <div className="pt-2">
        <Table label="System accounts" rows={users} columns={columns} />
      </div>
    </details>
  )
}

function NoUsers({ action }: { action: ReactNode }) {
  if (useForeign()) {
    return (
      <Card>
        <EmptyState title="No system users yet" actions={action}>
          <p>The service lists no system users of this server.</p>
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card>
      <EmptyState title="No users yet" actions={action}>
        <p>A system user can log in to the server over SSH, has a home folder and can have cron jobs.</p>
        <p>
          <code className="font-mono text-code">ssh anna@your-server</code>
        </p>
      </EmptyState>
    </Card>
  )
}
