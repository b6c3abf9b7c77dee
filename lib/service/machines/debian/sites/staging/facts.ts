/** What a real server knows of a site and its staging copy. */
import * as z from 'zod'
import { problem } from '@/lib/contract/problem'
import { cleanText } from '@/lib/service/clean-text'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import type { StagedTable, StagingFacts } from '@/lib/service/machines/staged'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { putPackage } from '../../host/begin'
import { hostVersion } from '../../host/package'
import { parseJson } from '../../host/sentences'
import { requireDone } from '../../require-done'
import { readScript } from '../../script'
import { requireThere } from '../names'

const script = readScript('sites/staging/facts.bash')

/** What facts.bash prints if the server has not got the program that finds changes on live. */
const lacksProgram = /^lacking$/m

/** Changes on live, as the host program says them. */
export const liveChangeEvent = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('live-changes'), count: z.number().int().nonnegative(), noted: z.enum(['yes', 'no']) }),
  z.strictObject({ code: z.literal('changed'), path: z.string() }),
  z.strictObject({ code: z.literal('changed-on-both'), path: z.string() }),
])

export async function readStaging(
  connections: Connections,
  host: HostAddress,
  { id, name }: SiteOnHost,
  copy: SiteOnHost | null,
): Promise<StagingFacts> {
  const read = async (): Promise<string> => {
    const result = requireThere(await connections.read(host, { script, values: [id, name, copy?.name ?? '', hostVersion] }))
    if (result.truncated)
      throw new MachineFailure(problem('unsuitable', { sentence: 'The database has too many tables to list them here.' }))
    return requireDone(result, 'report on the staging copy').stdout
  }
  const printed = await read()
  // Where it cannot be put, as on a full disk, changes on live are unknown.
  const isPut = lacksProgram.test(printed) && (await putPackage(connections, host).then(() => true, isNoPlace))
  return parseStaging(isPut ? await read() : printed)
}

function isNoPlace(error: unknown): false {
  if (error instanceof MachineFailure) return false
  throw error
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
    if (kind.startsWith('{')) addLiveChange(facts, line)
  }
  return facts
}

function addLiveChange(facts: StagingFacts, line: string): void {
  const { data } = liveChangeEvent.safeParse(parseJson(line))
  if (data?.code === 'live-changes') facts.liveChanges = { count: data.count, names: [], conflicts: [], noted: data.noted === 'yes' }
  if (data?.code === 'changed') facts.liveChanges?.names.push(cleanText(data.path))
  if (data?.code === 'changed-on-both') facts.liveChanges?.conflicts.push(cleanText(data.path))
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
