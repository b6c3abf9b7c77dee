'use client'

import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import Link from 'next/link'
import { type ComponentProps, cloneElement, type ReactElement, type ReactNode } from 'react'
import { MenuPartsProvider, useLoadedParts, useMenuParts } from './menu-parts'

type MenuProps = { trigger: ReactElement<ComponentProps<'button'>>; side?: 'top' | 'bottom'; align?: 'start' | 'end'; children: ReactNode }

const item =
  'flex min-h-8 touch:min-h-10 cursor-pointer items-center gap-2 rounded-control px-2.5 text-body outline-none select-none data-highlighted:bg-accent-soft'

/** A menu that opens from `trigger`, which has to be a button. */
export function Menu({ trigger, side = 'bottom', align = 'end', children }: MenuProps) {
  const { come, waiting } = useMenuParts()
  if (waiting) return cloneElement(trigger, waiting)
  const { parts: Parts, open, ref } = come
  return (
    <MenuPartsProvider value={Parts}>
      <Parts.Root modal={false} defaultOpen={open}>
        <Parts.Trigger asChild ref={ref}>
          {trigger}
        </Parts.Trigger>
        <Parts.Portal>
          <Parts.Content
            side={side}
            align={align}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 min-w-52 animate-rise rounded-sheet border border-line bg-surface p-1 text-ink shadow-float"
          >
            {children}
          </Parts.Content>
        </Parts.Portal>
      </Parts.Root>
    </MenuPartsProvider>
  )
}

export function MenuItem({ onSelect, danger, children }: { onSelect: () => void; danger?: boolean; children: ReactNode }) {
  const Parts = useLoadedParts()
  return (
    <Parts.Item onSelect={onSelect} className={clsx(item, danger && 'text-danger')}>
      {children}
    </Parts.Item>
  )
}

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  const Parts = useLoadedParts()
  return (
    <Parts.Item asChild className={item}>
      <Link href={href} prefetch={false}>
        {children}
      </Link>
    </Parts.Item>
  )
}

type MenuChoiceProps<Value extends string> = {
  label: string
  value: Value
  choices: readonly { value: Value; word: string }[]
  onChange: (value: Value) => void
}

/** One of a few, with a tick at the present one. */
export function MenuChoice<Value extends string>({ label, value, choices, onChange }: MenuChoiceProps<Value>) {
  const Parts = useLoadedParts()
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
        <Parts.RadioItem key={choice.value} value={choice.value} className={clsx(item, 'justify-between')}>
          {choice.word}
          <Parts.ItemIndicator>
            <Check aria-hidden size={16} strokeWidth={1.5} />
          </Parts.ItemIndicator>
        </Parts.RadioItem>
      ))}
    </Parts.RadioGroup>
  )
}

export function MenuNote({ children }: { children: ReactNode }) {
  return <div className="border-b border-line px-2.5 pt-1.5 pb-2 text-small text-muted">{children}</div>
}
