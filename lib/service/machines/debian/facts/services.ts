/** Parses what services.bash prints. */
import { cleanText } from '@/lib/service/clean-text'
import type { ServiceState, UnitState } from '@/lib/service/machines/services'

/** What systemd calls the states of a unit. A unit that has done its work and ended well is active too. */
const states: Readonly<Record<string, ServiceState>> = {
  active: 'running',
  reloading: 'running',
  activating: 'starting',
  deactivating: 'starting',
  failed: 'failed',
  inactive: 'stopped',
}

type Block = ReadonlyMap<string, string>

/** Units that are not there, or that an admin masked, are left out. A unit whose work is done by further ones is in the worst of their states. */
export function parseUnits(printed: string): UnitState[] {
  const blocks = printed
    .split(/\n\s*\n/)
    .map(parseBlock)
    .filter((block) => block.get('LoadState') === 'loaded')
  const units = [...new Map(blocks.map((block) => [block.get('Id') ?? '', block])).values()]
  const workersOf = (id: string) => units.filter((block) => (block.get('Id') ?? '').startsWith(`${id.slice(0, -'.service'.length)}@`))
  return units.flatMap((block) => {
    const id = block.get('Id') ?? ''
    if (!id.endsWith('.service')) return []
    const workers = block.get('SubState') === 'exited' ? workersOf(id) : []
    return [workers.map(toState).find(({ state }) => state !== 'running') ?? workers.map(toState)[0] ?? toState(block)].map((found) => ({
      ...found,
      unit: id,
    }))
  })
}

const parseBlock = (text: string): Block =>
  new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const at = line.indexOf('=')
      return at > 0 ? [[line.slice(0, at), cleanText(line.slice(at + 1))]] : []
    }),
  )

function toState(block: Block): UnitState {
  const since = /^@(\d{1,11})$/.exec(block.get('StateChangeTimestamp') ?? '')?.[1]
  return { unit: block.get('Id') ?? '', state: states[block.get('ActiveState') ?? ''] ?? 'stopped', since: Number(since ?? 0) }
}
