'use client'

import { CircleUserRound, LogOut, Settings2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { Menu, MenuItem, MenuNote } from '../_ui/menu'

type AccountMenuProps = { name: string; email: string; role: string; signOut: () => Promise<unknown>; className: string }

/** Who is signed in, and the way out. */
export function AccountMenu({ name, email, role, signOut, className }: AccountMenuProps) {
  const router = useRouter()
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" aria-label="Account" className={className}>
          <CircleUserRound aria-hidden size={16} strokeWidth={1.5} />
          <span className="rail-word max-w-28 truncate">
            <span className="tablet:hidden">Account</span>
            <span className="max-tablet:hidden">{name}</span>
          </span>
        </button>
      }
    >
      <MenuNote>
        <span className="block font-semibold text-ink">{name}</span>
        <span className="block">{email}</span>
        <span className="block">Role: {role}</span>
      </MenuNote>
      <div className="pt-1">
        <MenuItem onSelect={() => router.push('/account')}>
          <Settings2 aria-hidden size={16} strokeWidth={1.5} />
          Account
        </MenuItem>
        <MenuItem onSelect={() => startTransition(async () => void (await signOut()))}>
          <LogOut aria-hidden size={16} strokeWidth={1.5} />
          Sign out
        </MenuItem>
      </div>
    </Menu>
  )
}
