/** The empty control groups that stopped hosts leave behind. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { run } from './command.ts'

/** Removes the groups of test processes that no longer exist. A group's name begins with the id of its test process. */
export async function removeDeadCgroups(): Promise<void> {
  for (const tree of ['/sys/fs/cgroup', '/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified']) {
    const folder = `${tree}/gatehouse-lab`
    for (const name of await readdir(folder).catch(() => [])) {
      const owner = /^(\d+)-/.exec(name)?.[1]
      if (owner !== undefined && !existsSync(`/proc/${owner}`))
        await run('find', [`${folder}/${name}`, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'])
    }
  }
}
