/** `node --import tsx tests/hosts/keep-installed.ts RELEASE FOLDER`: installs a host as a user would, and keeps its disk in the folder. */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { install } from './install-run'
import { mustRun } from './lab/command'
import { releases } from './lab/image'
import { layersFolder } from './lab/places'
import { startAdmitted } from './reach'

const [, , asked, folder] = process.argv
const release = releases.find((one) => one === asked)
if (release === undefined || folder === undefined) throw new Error('RELEASE FOLDER')

// Another process may have made it while this one waited for the lock.
if (!existsSync(folder)) {
  await using admitted = await startAdmitted({ kind: 'root-key' }, release)
  const last = (await install(admitted)).at(-1)
  if (last?.status !== 'done') throw new Error(`The install failed: ${last?.error}`)
  await admitted.connections.close()
  // Disks of former code that nobody has asked for today.
  await mustRun('find', [
    layersFolder,
    '-maxdepth',
    '1',
    '-name',
    `${release}-*-installed-*`,
    '-mmin',
    '+1440',
    '-exec',
    'rm',
    '-rf',
    '{}',
    '+',
  ])
  await rm(`${folder}.building`, { recursive: true, force: true })
  await mustRun('mkdir', [`${folder}.building`])
  await admitted.host.keepDisk(`${folder}.building`)
  await mustRun('touch', [`${folder}.building`])
  await rename(`${folder}.building`, folder)
}
process.exit()
