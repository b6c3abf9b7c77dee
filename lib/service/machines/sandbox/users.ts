/** System users of a sandbox server. One whose name begins with busy- always has a running program. */
import type { Users } from '../machine'
import { type Accounts, createUsers, type Kept } from '../users'
import type { SandboxModel } from './model'

const system = [
  'root:x:0:0:root:/root:/bin/bash',
  'daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin',
  'www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin',
  'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
]

/** `visit` runs work on the model, one at a time, and stores the changed model. */
export function createSandboxUsers(visit: <T>(work: (machine: SandboxModel) => T) => Promise<T>, own: string): Users {
  const done = { kind: 'done' } as const
  const accounts: Accounts = {
    read: () => visit(renderPasswd),
    create: (name) =>
      visit(({ users }): Kept => {
        if (users.includes(name) || name === 'sudo') return { kind: 'gone' }
        users.push(name)
        return done
      }),
    // Nobody logs in to a sandbox server, so it stores no passwords.
    setPassword: ({ name }) => visit((machine): Kept => (namesOf(machine).includes(name) ? done : { kind: 'gone' })),
    remove: ({ name }) =>
      visit(({ users, crontabs }): Kept => {
        if (!users.includes(name)) return { kind: 'gone' }
        if (name.startsWith('busy')) return { kind: 'running', what: ['bash'] }
        users.splice(users.indexOf(name), 1)
        delete crontabs[name]
        return done
      }),
  }
  return createUsers(accounts, own)
}

/** Including the users of sites, which have passwords too. */
const namesOf = ({ users, sites }: SandboxModel): string[] => [...users, ...sites.map(({ name }) => name)]

/** Ids are assigned by position; they only tell people's system users from the others. */
function renderPasswd(machine: SandboxModel): string {
  const people = namesOf(machine).filter((name) => name !== 'root')
  return [...system, ...people.map((name, place) => `${name}:x:${1000 + place}:${1000 + place}::/home/${name}:/bin/bash`)].join('\n')
}
