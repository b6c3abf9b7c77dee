/** The first check of a server: is its system supported, and can Gatehouse become root? */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '@/lib/service/machines/machine'
import { loginFailed } from '@/lib/service/ssh/failure'
import { parsePairs } from '../facts/pairs'

export type Survey = { hostname: string; becomesRoot: 'itself' | 'freely' | 'by password' }

const knownReleases = new Set(['debian 12', 'debian 13', 'ubuntu 22.04', 'ubuntu 24.04'])

/**
 * Evaluates the output of survey.bash. Throws MachineFailure: invalid for an unsupported system, login_failed if the user cannot become
 * root; both say what to do.
 */
export function judgeSurvey(printed: string, user: string): Survey {
  const facts = parsePairs(printed)
  if (!knownReleases.has(`${facts.get('os')} ${facts.get('version')}`)) throw unknownSystem(facts.get('name') || 'an unknown system')
  if (facts.get('systemd') !== 'yes') throw unknownSystem(`${facts.get('name')} without systemd`)
  const becomesRoot = facts.get('becomes_root')
  if (becomesRoot !== 'itself' && becomesRoot !== 'freely' && becomesRoot !== 'by password') throw noSudo(user)
  return { hostname: facts.get('hostname') ?? '', becomesRoot }
}

function unknownSystem(what: string): MachineFailure {
  const sentence = `This server runs ${what}. Supported systems are Debian 12 and 13, and Ubuntu 22.04 and 24.04.`
  return new MachineFailure(problem('invalid', { sentence, fields: { host: sentence } }))
}

export function noSudo(user: string): MachineFailure {
  return loginFailed(
    `${user} logged in, but cannot become root. As root, run: apt install sudo && adduser ${user} sudo — or log in as root with a private key.`,
  )
}

export function sudoWantsPassword(user: string): MachineFailure {
  return loginFailed(
    `${user} logged in, but sudo asks for a password and only a private key was entered. Enter the user’s password instead, or allow sudo without one (NOPASSWD).`,
  )
}
