/** Jobs of sites on a real server: scripts that run there as a systemd unit, started once and followed by any client. */
import { cleanText } from '@/lib/service/clean-text'
import type { Authority, SiteJobLine, SiteOnHost, SiteWork } from '@/lib/service/machines/sites'
import { parseInstallLine } from '../install/line'
import { readScript } from '../script'

const parts = (...names: string[]) => readScript(import.meta.url, ...names.map((name) => `${name}.bash`))

/** The script that a timer runs on the server. It works without Gatehouse. */
const renewal = `#!/bin/bash
# Put here by Gatehouse.
${parts('site', 'apache', 'web', 'reach', 'certificate', 'renew')}`

const steps = ['tell', 'manifest', 'listeners', 'web', 'apt'].map((name) => `../steps/${name}`)
const changes = ['site', 'confine', 'apache', 'check', 'files', 'php', 'database', 'web', 'reach', 'certificate', 'other-names']

/** The job, the same constant text for every site. What it does is read from its folder. */
export const siteJob = [
  parts(...steps, '../changes/room', ...changes),
  `content_renewal() {\n  cat <<'END_OF_RENEWAL'\n${renewal}END_OF_RENEWAL\n}`,
  parts('put-renewal', 'ssl', 'remove', 'last-backup', 'run'),
].join('\n')

const withFiles = (...names: string[]) => readScript(import.meta.url, 'job-files.bash', ...names)

export const startScript = withFiles('../changes/room.bash', 'start.bash')
export const watchScript = withFiles('watch.bash')
export const settleScript = withFiles('settle.bash')
export const forgetScript = withFiles('forget.bash')
export const factsScript = parts('site', 'apache', 'certificate', 'facts')

/** start.bash exits with this while another job or an installation is running. */
export const isBusy = 73

const valuesOf = ({ id, name, domain, aliases }: SiteOnHost): string[] => [id, name, domain, aliases.join(' ')]

const yesOrNo = (yes: boolean): string => (yes ? 'yes' : 'no')

/** What run.bash reads: the kind, the site, and what only this kind needs. host: the name or address by which Gatehouse reaches the server. */
export function jobValues(work: SiteWork, host: string): string[] {
  const common = [work.kind, ...valuesOf(work.site)]
  const from = ({ directory, roots, contact }: Authority) => [directory, roots, contact, host]
  switch (work.kind) {
    case 'create':
      return [...common, work.password, work.databasePassword]
    case 'names':
      return [...common, yesOrNo(work.later), ...from(work.authority)]
    case 'ssl':
      return [...common, yesOrNo(work.on), ...from(work.authority)]
    case 'delete':
      return [...common, yesOrNo(work.backup)]
  }
}

const refusals = ['not_installed', 'changed_meanwhile', 'unsuitable'] as const

/** Never throws. The seventh field is the code of a refusal, the eighth the path of the last backup. */
export function parseSiteLine(text: string, line: number): SiteJobLine {
  const [code = '', backup = ''] = text.split('\t').slice(6)
  const problem = refusals.find((known) => known === code)
  return { ...parseInstallLine(text, line), ...(problem && { problem }), ...(backup !== '' && { backup: cleanText(backup) }) }
}
