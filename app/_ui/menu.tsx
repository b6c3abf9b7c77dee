'use client'

import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { MenuFrame, menuItem, useMenuParts } from './menu-frame'
import { Link } from './page-link'

type MenuProps = Pick<ComponentProps<typeof MenuFrame>, 'trigger' | 'side' | 'align' | 'prefetch' | 'children'>

/** A menu that opens from `trigger`, which has to be a button. */
export const Menu = ({ align = 'end', ...rest }: MenuProps) => <MenuFrame align={align} {...rest} />

export function MenuItem({ onSelect, danger, children }: { onSelect: () => void; danger?: boolean; children: ReactNode }) {
  const Parts = useMenuParts()
  return (
    <Parts.Item onSelect={onSelect} className={clsx(menuItem, danger && 'text-danger')}>
      {children}
    </Parts.Item>
  )
}

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  const Parts = useMenuParts()
  return (
    <Parts.Item asChild className={menuItem}>
      <Link href={href}>{children}</Link>
    </Parts.Item>
  )
}

type MenuChoiceProps<Value extends string> = {
  label: string
  value: Value
  choices: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** One of a few values, with a check mark at the current one. */
export function MenuChoice<Value extends string>({ label, value, choices, onChange }: MenuChoiceProps<Value>) {
  const Parts = useMenuParts()
  return (
    <Parts.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = choices.find((choice) => choice.value === next)
        if (chosen) onChange(chosen.value)
      }}
    >
      {choices.map((choice) => (
        <Parts.RadioItem key={choice.value} value={choice.value} className={clsx(menuItem, 'justify-between')}>
          {choice.label}
          <Parts.ItemIndicator>
            <Check aria-hidden size={16} strokeWidth={1.5} />
          </Parts.ItemIndicator>
        </Parts.RadioItem>
      ))}
    </Parts.RadioGroup>
  )
}

/** Something that is on or off; the menu stays open. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  const Parts = useMenuParts()
  return (
    <Parts.CheckboxItem checked={checked} onSelect={(event) => event.preventDefault()} onCheckedChange={onChange} className={menuItem}>
      <span className="flex size-4 shrink-0 items-center justify-center">
        <Parts.ItemIndicator>
          <Check aria-hidden size={16} strokeWidth={1.5} />
        </Parts.ItemIndicator>
      </span>
      {children}
    </Parts.CheckboxItem>
  )
}

export function MenuNote({ children }: { children: ReactNode }) {
  return <div className="border-b border-line px-2.5 pt-1.5 pb-2 text-small text-muted">{children}</div>
}
