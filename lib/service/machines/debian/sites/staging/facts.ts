/** What a real server knows of a site and its staging copy. */
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import type { StagedTable, StagingFacts } from '@/lib/service/machines/staged'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../../require-done'
import { readScript } from '../../script'
import { requireThere } from '../names'

const script = readScript('sites/staging/facts.bash')

export async function readStaging(
  connections: Connections,
  host: HostAddress,
  { id, name }: SiteOnHost,
  copy: SiteOnHost | null,
): Promise<StagingFacts> {
  const result = requireThere(await connections.read(host, { script, values: [id, name, copy?.name ?? ''] }))
  if (result.truncated) throw new MachineFailure(problem('unsuitable', { sentence: 'The database has too many tables to list them here.' }))
  return parseStaging(requireDone(result, 'report on the staging copy').stdout)
}

/** What facts.bash prints. */
export function parseStaging(printed: string): StagingFacts {
  const facts: StagingFacts = { exists: false, pulledAt: '', filesBytes: null, mixed: false, tables: [], liveChanges: null }
  for (const line of printed.split('\n')) {
    const [kind = '', ...fields] = line.split('\t')
    const [first = ''] = fields
    if (kind === 'files' && /^\d{1,15}$/.test(first)) facts.filesBytes = Number(first)
    if (kind === 'mixed') facts.mixed = true
    if (kind === 'copy') Object.assign(facts, { exists: true, pulledAt: cleanText(first) })
    if (kind === 'table') facts.tables.push(tableOf(fields))
    if (kind === 'live') facts.liveChanges = { count: Number(first) || 0, names: [], conflicts: [], noted: fields[1] === 'noted' }
    if (kind === 'changed') facts.liveChanges?.names.push(cleanText(first))
    if (kind === 'both') facts.liveChanges?.conflicts.push(cleanText(first))
  }
  return facts
}

function tableOf([name = '', bytes = '', rows = '', pulled = '', changed = '', partners = '']: readonly string[]): StagedTable {
  return {
    name: nameOf(name),
    bytes: Number(bytes) || 0,
    rows: Number(rows) || 0,
    pulled: pulled === 'pulled',
    changed: changed === 'changed',
    partners: partners
      .split(' ')
      .filter((each) => each !== '')
      .map(nameOf)
      .sort(),
  }
}

/** Exactly as it is, because it is sent back to choose the table. */
const nameOf = (digits: string): string => Buffer.from(digits, 'hex').toString('utf8')
