import { KeyRound } from 'lucide-react'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { Button } from '@/app/_ui/button'
import { CopyButton } from '@/app/_ui/copy-button'
import { MenuItem } from '@/app/_ui/menu'
import type { Column, RowMenu } from '@/app/_ui/table/column'
import { Tag } from '@/app/_ui/tag'
import { loginOf, type UserKind, type UsersAnswer } from './user'

/** The id is the system user's name. */
export type UserRow = { id: string; kind: UserKind; login: string }

export const userRow = (name: string, kind: UserKind, answer: UsersAnswer): UserRow => ({
  id: name,
  kind,
  login: kind === 'person' ? loginOf(name, answer) : '',
})

const query = defineQuery({ columns: ['', 'name'], defaultColumn: '', facets: [], flags: {} })

export const userCollection: CollectionKind<UserRow, typeof query.whole> = {
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

export const userColumns = (foreign: boolean): readonly Column<UserRow>[] => [
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
export const menuIdOf = (user: string): string => `menu-of-${user}`

type UserActions = Record<'onPassword' | 'onDelete', (user: string) => void>

export const userMenu = ({ onPassword, onDelete }: UserActions): RowMenu<UserRow> => ({
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
