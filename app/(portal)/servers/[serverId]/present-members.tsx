'use client'

import { portalRead } from '@/app/_shared/reads/read-address'
import { useRead } from '@/app/_shared/reads/use-read'

const shown = 4

/** The other members who are looking at this server now. */
export function PresentMembers({ serverId }: { serverId: string }) {
  const { data } = useRead(portalRead('/api/servers/[serverId]/looking', { serverId }), { everyMs: 15_000 })
  if (!data || data.length === 0) return null
  const names = `Also looking at this server: ${data.map(({ name }) => name).join(', ')}`
  return (
    <span role="img" aria-label={names} title={names} className="inline-flex items-center gap-0.5">
      {data.slice(0, shown).map(({ id, name }) => (
        <span key={id} className={avatar}>
          {initialsOf(name)}
        </span>
      ))}
      {data.length > shown ? <span className={avatar}>+{data.length - shown}</span> : null}
    </span>
  )
}

const avatar =
  'inline-flex size-6 items-center justify-center rounded-full border border-line bg-accent-soft text-chip font-semibold text-ink'

/** "Mira Lindqvist" is ML. */
const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
