'use client'

import { Ellipsis, KeyRound } from 'lucide-react'
import { Button } from '../../../../_ui/button'
import { CopyButton } from '../../../../_ui/copy-button'
import { Menu, MenuItem } from '../../../../_ui/menu'
import { Sheet } from '../../../../_ui/sheet'
import { Tag } from '../../../../_ui/tag'
import { useForeign } from '../foreign-service'
import { kindOf, loginOf, type UsersAnswer } from './user'

/** Where the menu's button of a user is found. */
export const menuIdOf = (user: string): string => `menu-of-${user}`

type UserListProps = {
  label: string
  names: readonly string[]
  answer: UsersAnswer
  mayChange: boolean
  onPassword?: (user: string) => void
  onDelete?: (user: string) => void
}

/** One row per account: its name, how it logs in, and what can be done with it. */
export function UserList({ label, names, ...row }: UserListProps) {
  return (
    <Sheet>
      <ul aria-label={label} className="divide-y divide-line">
        {names.map((user) => (
          <Row key={user} user={user} {...row} />
        ))}
      </ul>
    </Sheet>
  )
}

type RowProps = Omit<UserListProps, 'label' | 'names'> & { user: string }

function Row({ user, answer, mayChange, onPassword, onDelete }: RowProps) {
  const foreign = useForeign()
  const kind = kindOf(user, answer.user)
  const login = kind === 'person' ? loginOf(user, answer) : ''
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-0.5 py-1.5 pr-3 pl-4">
      <span className="flex w-52 min-w-0 items-center gap-2 max-tablet:flex-1">
        <span className="min-w-0 font-semibold wrap-anywhere">{user}</span>
        {user === answer.user ? <Tag word={foreign ? 'The service’s login' : 'Gatehouse’s own'} /> : null}
      </span>
      <span className="flex min-w-0 flex-1 items-center gap-1 text-muted max-tablet:order-last max-tablet:basis-full">
        {login === '' ? (
          <span className="text-small">{foreign ? '' : sayKind(user, user === answer.user)}</span>
        ) : (
          <>
            <code className="min-w-0 font-mono text-code wrap-anywhere">{login}</code>
            <CopyButton value={login} what={`the login of ${user}`} />
          </>
        )}
      </span>
      {mayChange && kind === 'person' ? (
        <span className="flex items-center whitespace-nowrap">
          <Button
            look="ghost"
            icon
            className="max-tablet:hidden"
            aria-label={`Set the password of ${user}`}
            onClick={() => onPassword?.(user)}
          >
            <KeyRound aria-hidden size={16} strokeWidth={1.5} />
          </Button>
          <Menu
            trigger={
              <Button id={menuIdOf(user)} look="ghost" icon aria-label={`Actions for ${user}`}>
                <Ellipsis aria-hidden size={16} strokeWidth={1.5} />
              </Button>
            }
          >
            <MenuItem onSelect={() => onPassword?.(user)}>Set password</MenuItem>
            <MenuItem danger onSelect={() => onDelete?.(user)}>
              Delete user
            </MenuItem>
          </Menu>
        </span>
      ) : null}
    </li>
  )
}

function sayKind(user: string, own: boolean): string {
  if (own) return 'The server is managed by this account; it is changed from nowhere else.'
  return user === 'root' ? 'The machine’s own administrator.' : ''
}
