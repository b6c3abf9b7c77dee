import type { Backup } from './backup'

/** What a backup does not contain, in one line, and the reasons below it. */
export function Lacks({ backup: { missing = [], left_out: leftOut = [] }, open }: { backup: Backup; open: boolean }) {
  if (missing.length === 0 && leftOut.length === 0) return null
  return (
    <details open={open} className="pt-1 font-sans text-small text-muted">
      <summary className="cursor-pointer rounded-control py-1">
        {[
          missing.length > 0 && `Missing: ${missing.map(({ name }) => name).join(', ')}`,
          leftOut.length > 0 && formatMounts(leftOut.length),
        ]
          .filter(Boolean)
          .join(' · ')}
      </summary>
      <ul className="flex flex-col gap-1 pt-1">
        {missing.map(({ name, reason }) => (
          <li key={name}>
            <span className="font-mono text-code text-ink">{name}</span>: {reason}
          </li>
        ))}
        {leftOut.map((path) => (
          <li key={path}>
            <span className="font-mono text-code text-ink">{path}</span>: Left out: another file system is mounted there.
          </li>
        ))}
      </ul>
    </details>
  )
}

const formatMounts = (count: number): string => (count === 1 ? '1 mounted folder left out' : `${count} mounted folders left out`)
