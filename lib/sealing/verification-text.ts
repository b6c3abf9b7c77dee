/** What a rotation and a verification found, in words for the server administrator. */
import type { Verification } from './sealed-rows'

/** How long old keys must stay after a rotation, in ms: what a running process was saving during it may still be written under the old key. */
export const graceMs = 10 * 60_000

/** Why no key is retired yet. */
export const tooEarly =
  'The keys were rotated less than ten minutes ago: values may still be saved under the old key. Wait until ten minutes have passed.'

/** One sentence about the values that can be decrypted. rotate: the command that moves those under an old key. */
export function formatOpened({ opened, under, old }: Verification, activeId: string, rotate: string): string {
  const values = `${count(opened, 'sealed value')} ${opened === 1 ? 'opens' : 'open'}`
  if (old === 0) return `${values}, all under the key ${activeId}.`
  const others = Object.entries(under).filter(([id]) => id !== activeId)
  const parts = [`${under[activeId] ?? 0} under the key ${activeId}`, ...others.map(([id, rows]) => `${rows} under the old key ${id}`)]
  return `${values}: ${parts.join(', ')}. Rotate again to move all of them: ${rotate}`
}

/** A line for each value that cannot be decrypted. */
export function formatBroken({ broken }: Verification): string {
  const lines = broken.map(({ table, id, kekId }) => {
    const why = kekId === null ? 'it is not an encrypted value' : `it is under the key ${kekId}, or was changed`
    return `${table} ${id} cannot be decrypted: ${why}.`
  })
  return lines.join('\n')
}

/** Lists the rows that a rotation could not move. The next rotation moves rows that were saved meanwhile. */
export const formatLeft = (found: Verification): string =>
  found.broken.length > 0
    ? formatBroken(found)
    : `${count(found.old, 'sealed value')} changed in the meantime and could not be moved. Rotate again.`

/** What follows a rotation. retire: the command that ends it. */
export const formatNext = (retire: string): string =>
  `The previous key still decrypts values that are being saved right now. Retire it in ten minutes: ${retire}`

/** What the administrator does with the file of a retired key. */
export const formatRetired = (id: string, file: string): string =>
  `The key ${id} is retired. Move ${file} away and keep it with the backups made until today: they need it.`

const count = (many: number, thing: string): string => `${many} ${thing}${many === 1 ? '' : 's'}`
