'use client'

import { KeyRound, Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { operationRead } from '@/app/_shared/reads/read-address'
import { useOperation } from '@/app/_shared/reads/use-read'
import { Button } from '@/app/_ui/button'
import { CopyButton } from '@/app/_ui/copy-button'
import { EarlyButton } from '@/app/_ui/early-button'
import { EmptyState } from '@/app/_ui/empty-state'
import { Tag } from '@/app/_ui/label-chip'
import { lazyComponent } from '@/app/_ui/lazy'
import { MenuItem } from '@/app/_ui/menu'
import { Card } from '@/app/_ui/section'
import type { Column, RowMenu } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'
import { toast } from '@/app/_ui/toast'
import type { Answer } from '@/lib/contract/operation'
import type { users } from '@/lib/contract/operations/users'
import { deleteSystemUser } from '../actions'

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

/** The id is the system user's name. */
type UserRow = { id: string; kind: UserKind; login: string }

const userRow = (name: string, kind: UserKind, answer: UsersAnswer): UserRow => ({
  id: name,
  kind,
  login: kind === 'person' ? loginOf(name, answer) : '',
})

const query = defineQuery({ columns: ['', 'name'], defaultColumn: '', facets: [], flags: {} })

const userCollection: CollectionKind<UserRow, typeof query.whole> = {
  noun: 'user',
  label: 'Users',
  query,
  nameOf: ({ id }) => id,
  selectLabel: ({ id }) => `Select ${id}`,
  selectAllLabel: 'Select all users',
  searched: ({ id }) => [id],
  sortTexts: { name: ({ id }) => id },
  facets: [],
  flags: [],
  noMatch: { title: 'No matching users', description: '' },
}

const userColumns = (foreign: boolean): readonly Column<UserRow>[] => [
  {
    id: 'name',
    label: 'Name',
    minWidth: 180,
    grows: true,
    main: true,
    sortable: true,
    cell: ({ id, kind }) => (
      <>
        <span className="mr-2 font-semibold wrap-anywhere">{id}</span>
        {kind === 'own' ? <Tag label={foreign ? 'Used by the service' : 'Managed by Gatehouse'} /> : null}
        {foreign || kind === 'person' ? null : <span className="block text-small text-muted">{formatKind(id, kind)}</span>}
      </>
    ),
  },
  {
    id: 'login',
    label: 'Login',
    minWidth: 260,
    grows: true,
    leaves: 1,
    className: 'text-muted',
    cell: (user) => <Login user={user} />,
    folded: (user) => (user.login === '' ? null : <Login user={user} />),
  },
]

function Login({ user: { id, login } }: { user: UserRow }) {
  if (login === '') return null
  return (
    <span className="flex items-center gap-1 text-muted">
      <code className="min-w-0 font-mono text-code wrap-anywhere">{login}</code>
      <CopyButton value={login} what={`the login of ${id}`} />
    </span>
  )
}

function formatKind(name: string, kind: UserKind): string {
  if (kind === 'own') return 'Gatehouse manages the server as this user, so it cannot be changed here.'
  return name === 'root' ? 'The server’s administrator.' : ''
}

/** The id of the button of a user's menu. */
const menuIdOf = (user: string): string => `menu-of-${user}`

type UserActions = Record<'onPassword' | 'onDelete', (user: string) => void>

const userMenu = ({ onPassword, onDelete }: UserActions): RowMenu<UserRow> => ({
  label: ({ id }) => `Actions for ${id}`,
  buttonId: ({ id }) => menuIdOf(id),
  items: ({ id }) => (
    <>
      <MenuItem onSelect={() => onPassword(id)}>Set password</MenuItem>
      <MenuItem danger onSelect={() => onDelete(id)}>
        Delete user
      </MenuItem>
    </>
  ),
  quick: ({ id }) => (
    <Button variant="ghost" icon aria-label={`Set the password of ${id}`} onClick={() => onPassword(id)}>
      <KeyRound aria-hidden size={16} strokeWidth={1.5} />
    </Button>
  ),
})

export type UsersAnswer = Answer<typeof users.list>

/** own: the system user that manages the server. */
type UserKind = 'person' | 'own' | 'system'

/** The system users that Debian and the packages of a server create. A service may list them among people's. */
const systemNames = new Set(
  (
    'root daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc gnats nobody _apt sshd messagebus syslog ' +
    'systemd-network systemd-resolve systemd-timesync systemd-coredump systemd-oom polkitd tcpdump landscape pollinate uuidd tss ntp ' +
    'chrony mysql postgres redis memcache postfix dovecot dovenull vmail opendkim bind named nginx apache unbound dnsmasq fail2ban ' +
    'avahi rtkit clamav debian-spamd amavis rspamd'
  ).split(' '),
)

export function kindOf(name: string, own: string): UserKind {
  if (name === own) return 'own'
  return systemNames.has(name) ? 'system' : 'person'
}

/** The command to log in; empty if the service does not report how the server is reached. */
export function loginOf(name: string, { host, ip, port }: UsersAnswer): string {
  const address = host || ip
  if (address === '') return ''
  return `ssh ${port === '' || port === '22' ? '' : `-p ${port} `}${name}@${address}`
}
